// The vault: standing grants with providers, stored sealed, refreshed, used and revoked. This file only composes; each
// verb is in the file named after it.

import { withDeadlines } from "@holdpoint/fetching/internal"
import type { Addresses, PrincipalId, Runtime, Storage } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import type {
  Accounts,
  Connection,
  ConnectionHandle,
  Fetch,
  Need,
  Observer,
  Provider,
  Providers,
  Questions,
} from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import { createAccess } from "./access.ts"
import type { ConnectOptions, ConnectParts } from "./connect.ts"
import { ask, connect, find } from "./connect.ts"
import { createConnectionCache } from "./connection-cache.ts"
import { createConnectionChanges } from "./connection-changes.ts"
import type { Consent, ConsentOptions } from "./consent/consent.ts"
import { createConsent } from "./consent/consent.ts"
import { apiKeyKind, basicKind } from "./entered-credentials.ts"
import { listAll, listOwned } from "./grants.ts"
import { createHandle } from "./handle.ts"
import type { Kind } from "./kind.ts"
import { loginFlowKind } from "./login-flow.ts"
import { mcpServerKind } from "./mcp-server/kind.ts"
import { narrow } from "./narrow.ts"
import { createGathering } from "./need-gathering.ts"
import { oauthKind } from "./oauth/kind.ts"
import type { VaultParts } from "./parts.ts"
import { createProbes } from "./probe.ts"
import { connectionKind } from "./records.ts"
import { createOutbox } from "./revocation-outbox.ts"
import type { DisconnectResult } from "./revoke.ts"
import { disconnect } from "./revoke.ts"
import type { VaultTimes } from "./times.ts"
import { defaultVaultTimes } from "./times.ts"

/** Options of `createVault`. */
export interface VaultOptions {
  /** Opened and closed by the caller; close it after the vault. */
  readonly storage: Storage
  /** The hub that asks people. */
  readonly questions: Questions
  readonly sealer: Sealer
  readonly providers: readonly Provider[]
  /** A guarded fetch, for metadata, tokens and identities. */
  readonly fetch: Fetch
  /** A guarded fetch without a size limit, for authors' calls. */
  readonly apiFetch?: Fetch
  /** The addresses of the pages on which people connect accounts. */
  readonly addresses: Addresses
  readonly runtime: Runtime
  readonly report?: (activity: string, error: unknown) => void
  readonly times?: Partial<VaultTimes>
  /** Is notified of calls that a provider answered with 401, for telemetry. */
  readonly observer?: Pick<Observer, "unauthorized">
  readonly consent?: ConsentOptions
  readonly kinds?: Kinds
}

export type Kinds = { readonly [K in Provider["kind"]]: Kind<Extract<Provider, { kind: K }>> }

/** The connected accounts: ask for one, use it, end it. */
export interface Vault extends Accounts {
  /** Returns the owner's connection that meets the need; asks the owner if there is none. */
  connect(need: Need, options?: ConnectOptions): Promise<ConnectionHandle>
  /** All connections of the tenant's people and projects, for administrators. */
  listOfTenant(tenant: string): Promise<readonly Connection[]>
  get(id: string): Promise<Connection | undefined>
  /** Uses a connection by its id. If the connection is lost, throws without asking. */
  use(id: string): Promise<ConnectionHandle>
  /**
   * Removes scopes that Holdpoint enforces itself. Nothing changes at the provider. Throws `wrong_mode` when the
   * provider enforces the scopes.
   */
  narrow(id: string, options: { readonly scopes: readonly string[]; readonly by: PrincipalId }): Promise<Connection>
  /** Stops the connection's use everywhere, revokes the grant and deletes the secrets. */
  disconnect(id: string, options: { readonly by: PrincipalId }): Promise<DisconnectResult>
  /** The steps from a question to a connection, for the pages. */
  readonly consent: Consent
  /** Tries due revocations now. The vault also does so in the background. */
  work(): Promise<void>
  close(): Promise<void>
}

/** Creates a vault, which asks people to connect accounts, stores the grants sealed, and refreshes them. */
export function createVault(options: VaultOptions): Vault {
  const { parts, drain } = toParts(options)
  const changes = createConnectionChanges(parts.storage.trail)
  const outbox = createOutbox(parts, changes)
  const consent = createConsent(parts, options.consent)
  const connectionCache = createConnectionCache(parts, changes)
  const access = createAccess(parts, changes, connectionCache)
  const gathering = createGathering(parts.tools.runtime, parts.vaultTimes.gatherMs)
  const connectParts: ConnectParts = {
    ...parts,
    changes,
    access,
    connectionCache,
    gathering,
    probes: createProbes(parts),
  }
  return {
    providers: parts.providers,
    connect: (need, connectOptions = {}) => connect(connectParts, need, connectOptions),
    find: (need, findOptions = {}) => find(connectParts, need, findOptions),
    ask: (need, askOptions = {}) => ask(connectParts, need, askOptions),
    list: (owner) => listOwned(parts, owner),
    listOfTenant: (tenant) => listAll(parts, { tenant }),
    get: (id) => parts.storage.records(connectionKind).get(id),
    async use(id) {
      const connection = await parts.storage.records(connectionKind).get(id)
      if (connection !== undefined) return createHandle(connectParts, connection)
      throw new HoldpointError("not_found", `There is no connection with the id “${id}”.`)
    },
    narrow: (id, narrowOptions) => narrow(parts, id, narrowOptions).finally(() => access.forget(id)),
    disconnect: (id, disconnectOptions) => disconnect(parts, id, disconnectOptions).finally(() => access.forget(id)),
    consent,
    work: outbox.work,
    async close() {
      access.close()
      outbox.stop()
      consent.close()
      changes.close()
      await drain()
    },
  }
}

const allKinds: Kinds = {
  oauth: oauthKind,
  mcp_server: mcpServerKind,
  login_flow: loginFlowKind,
  api_key: apiKeyKind,
  basic: basicKind,
}

function toParts(options: VaultOptions): { parts: VaultParts; drain: () => Promise<void> } {
  const { storage, questions, sealer, runtime, kinds = allKinds, report = warn } = options
  const runningWork = new Set<Promise<void>>()
  const parts: VaultParts = {
    storage,
    questions,
    sealer,
    providers: toProviders(options.providers),
    kindOf: (provider) => kinds[provider.kind] as Kind<Provider>,
    tools: { fetch: withDeadlines(options.fetch), runtime },
    apiFetch: options.apiFetch ?? options.fetch,
    addresses: options.addresses,
    vaultTimes: { ...defaultVaultTimes, ...options.times },
    unauthorized(provider) {
      try {
        options.observer?.unauthorized({ provider, credentials: "sent" })
      } catch (error) {
        report("observing a call", error)
      }
    },
    report,
    background(activity, work) {
      const running = work()
        .catch((error: unknown) => report(activity, error))
        .finally(() => runningWork.delete(running))
      runningWork.add(running)
    },
  }
  const drain = async (): Promise<void> => {
    while (runningWork.size > 0) await Promise.all(runningWork)
  }
  return { parts, drain }
}

function toProviders(providers: readonly Provider[]): Providers {
  const byId = new Map(providers.map((provider) => [provider.id, provider]))
  const duplicate = providers.find((provider) => byId.get(provider.id) !== provider)
  if (duplicate === undefined) return byId
  throw new HoldpointError("invalid_config", `Two providers have the id “${duplicate.id}”. Give each its own id.`)
}

function warn(activity: string, error: unknown): void {
  process.emitWarning(`holdpoint: ${activity} failed: ${error instanceof Error ? error.message : String(error)}`)
}
