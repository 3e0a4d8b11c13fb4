// A hub, a vault and an MCP server that asks, on one storage; HTTP access for alice and others; and the person at the
// pages.

import type { VaultTimes } from "@holdpoint/accounts"
import { createVault } from "@holdpoint/accounts"
import type { Principal, Storage } from "@holdpoint/hub"
import { createAddresses, createHub, createMemoryStorage, inbox, systemRuntime } from "@holdpoint/hub"
import type { OAuthProvider } from "@holdpoint/hub/internal"
import type { KeyRing } from "@holdpoint/hub/sealing"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import type { Mcp, McpOptions } from "@holdpoint/mcp"
import { createMcp } from "@holdpoint/mcp"
import { alice } from "../../fixtures.ts"
import type { Endpoint } from "./clients/client.ts"
import type { PersonAtPages } from "./person.ts"
import { createPersonAtPages } from "./person.ts"
import type { Callers } from "./tokens.ts"
import { createCallers, resource } from "./tokens.ts"
import { askingServer, publicUrl } from "./tools.ts"

export interface Serving {
  readonly mcp: Mcp
  close(): Promise<void>
}

export type Settings = Partial<McpOptions>

const drive: OAuthProvider = {
  id: "drive",
  name: "Drive",
  kind: "oauth",
  api: ["https://api.drive.example"],
  discovery: "none",
  client: { id: "holdpoint", authentication: { method: "none" } },
  pkce: "S256",
  redirect: "context",
  identity: { from: "nothing" },
  revocation: { by: "nothing" },
}

/** One process that serves: used in this one, and in children over stdio. */
export function serve(
  storage: Storage,
  keys: KeyRing,
  { vaultTimes = {}, ...settings }: Pick<McpOptions, "callers"> & Settings & { vaultTimes?: Partial<VaultTimes> },
): Serving {
  const hub = createHub({ storage, outlets: [inbox()] })
  const vault = createVault({
    storage,
    questions: hub,
    sealer: createSealer(keys),
    providers: [drive],
    fetch: () => Promise.reject(new Error("nothing is fetched here")),
    addresses: createAddresses(publicUrl),
    runtime: systemRuntime,
    times: vaultTimes,
  })
  const mcp = createMcp({
    hub,
    storage,
    keys,
    name: "asking",
    vault,
    addresses: createAddresses(publicUrl),
    server: askingServer,
    ...settings,
  })
  return {
    mcp,
    async close() {
      await mcp.close()
      await vault.close()
      await hub.close()
    },
  }
}

export interface World extends Serving {
  readonly storage: Storage
  readonly keys: KeyRing
  readonly person: PersonAtPages
  readonly callers: Callers
  /** The background errors that the server reported. */
  readonly reports: readonly string[]
  /** An endpoint over HTTP, as this person. */
  endpoint(person?: Principal, more?: { readonly forgetsSession?: boolean }): Promise<Endpoint>
}

export async function createWorld(settings: Settings = {}): Promise<World> {
  const storage = createMemoryStorage()
  const keys = withNewKey()
  const callers = await createCallers()
  const reports: string[] = []
  const report = (doing: string, error: unknown): void => void reports.push(`${doing}: ${String(error)}`)
  const serving = serve(storage, keys, { callers: callers.server, hosts: ["server.example"], report, ...settings })
  const person = createPersonAtPages(storage, keys)
  return {
    ...serving,
    storage,
    keys,
    person,
    callers,
    reports,
    async endpoint(caller = alice, more = {}) {
      const headers = await callers.headersOf(caller)
      const fetch = (input: string | URL, init?: RequestInit) => serving.mcp.fetch(new Request(input, init))
      return { transport: "http", url: resource, fetch, headers, ...more }
    },
    async close() {
      await person.close()
      await serving.close()
      await storage.close()
    },
  }
}
