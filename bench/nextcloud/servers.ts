// The Nextcloud server as the command composes it over HTTP, with a connected account; and a bare server beside it, with
// the same token check.

import { apiLimits, createGuardedFetch, createVault, metadataLimits } from "@holdpoint/accounts"
import { nextcloudLogin } from "@holdpoint/accounts/providers"
import { createAddresses, createHub, inbox, systemRuntime } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { createMcp } from "@holdpoint/mcp"
import type { Choice } from "@holdpoint/nextcloud"
import { createNextcloudServer, createPolicies, createVaultAccounts, toolsets } from "@holdpoint/nextcloud"
import { connectionKind } from "../../packages/accounts/src/vault/records.ts"
import type { StoreLocation } from "../core/store-locations.ts"
import { openStorage } from "../core/store-locations.ts"
import type { Serve } from "../mcp/servers.ts"
import { createTokens, resource } from "../mcp/tokens.ts"
import { createBare } from "./bare.ts"
import { newConnection } from "./connection.ts"
import type { Cloud } from "./stand-in-child.ts"

export interface Servers {
  readonly bare: Serve
  readonly ours: Serve
  readonly token: string
  close(): Promise<void>
}

export const everything: Choice = { toolsets: new Set(toolsets), readOnly: false }

export interface ServersOptions {
  readonly location: StoreLocation
  readonly cloud: Cloud
  readonly choice?: Choice
  /** Whether the caller already has a connected account. */
  readonly isConnected?: boolean
}

export async function openServers(options: ServersOptions): Promise<Servers> {
  const { location, cloud, choice = everything, isConnected = true } = options
  const storage = await openStorage(location)
  const hub = createHub({ storage, outlets: [inbox()] })
  const keys = withNewKey()
  const sealer = createSealer(keys)
  const addresses = createAddresses(new URL(resource).origin)
  // As in the command: the configured host may be on any network.
  const network = { alsoAllow: [new URL(cloud.url).hostname] }
  const vault = createVault({
    ...{ storage, sealer, addresses, questions: hub, runtime: systemRuntime },
    providers: [nextcloudLogin({ server: cloud.url })],
    fetch: createGuardedFetch({ ...metadataLimits, ...network }),
    apiFetch: createGuardedFetch({ ...apiLimits, ...network }),
  })
  const { token, callers } = await createTokens("person")
  if (isConnected) await storage.records(connectionKind).insert(newConnection(sealer, "person", cloud))
  const name = "Nextcloud tools"
  const accounts = createVaultAccounts({
    ...{ hub, name, addresses, url: cloud.url, provider: "nextcloud", lifetimeMs: 300_000 },
    vault,
  })
  const mcp = createMcp({
    ...{ hub, storage, keys, vault, callers, addresses, name, hosts: ["127.0.0.1"], accessTools: false },
    server: createNextcloudServer({
      ...{ name: "bench", version: "1.0.0", url: cloud.url, accounts, choice },
      policies: createPolicies({}, undefined),
    }),
  })
  const handler = createBare(cloud)
  return {
    token,
    ours: mcp.fetch,
    async bare(request) {
      const caller = await callers.authenticate(request)
      if (caller instanceof Response) return caller
      const { clientId, scopes, expiresAt } = caller
      return handler.fetch(request, { authInfo: { token, clientId, scopes: [...scopes], expiresAt } })
    },
    async close() {
      await handler.close()
      await mcp.close()
      await vault.close()
      await hub.close()
      await storage.close()
    },
  }
}
