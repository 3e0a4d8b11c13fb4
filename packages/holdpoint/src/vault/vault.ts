// The vault: standing grants with providers, kept sealed, refreshed, used and given back. This file only composes; each
// verb is in the file named after it.

import type { Addresses } from "../core/addresses.ts"
import type { Connection, Owner } from "../core/connection.ts"
import type { Elicitation } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { PrincipalId } from "../core/principal.ts"
import type { Provider, Providers } from "../core/provider.ts"
import { withDeadlines } from "../fetching/deadline.ts"
import type { Fetch } from "../ports/fetch.ts"
import type { Questions } from "../ports/questions.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Sealer } from "../ports/sealer.ts"
import type { Storage } from "../ports/storage.ts"
import { createAccess } from "./access.ts"
import type { ConnectOptions, ConnectParts, FindOptions } from "./connect.ts"
import { ask, connect, find } from "./connect.ts"
import { createConnectionCache } from "./connection-cache.ts"
import { createConnectionChanges } from "./connection-changes.ts"
import type { Consent, ConsentOptions } from "./consent/consent.ts"
import { createConsent } from "./consent/consent.ts"
import { apiKeyKind, basicKind } from "./entered.ts"
import { createGathering } from "./gather.ts"
import { listAll, listOwned } from "./grants.ts"
import type { ConnectionHandle } from "./handle.ts"
import { createHandle } from "./handle.ts"
import type { Kind } from "./kind.ts"
import { loginFlowKind } from "./login-flow.ts"
import { narrow } from "./narrow.ts"
import type { Need } from "./need.ts"
import { oauthKind } from "./oauth/kind.ts"
import { createOutbox } from "./outbox.ts"
import type { VaultParts } from "./parts.ts"
import { createProbes } from "./probe.ts"
import { connectionKind } from "./records.ts"
import type { Disconnected } from "./revoke.ts"
import { disconnect } from "./revoke.ts"
import type { VaultTimes } from "./times.ts"
import { defaultVaultTimes } from "./times.ts"

export interface VaultOptions {
  /** Opened by the caller, closed by the caller, after the vault. */
  readonly storage: Storage
  /** A hub. */
  readonly questions: Questions
  readonly sealer: Sealer
  readonly providers: readonly Provider[]
  /** Guarded: for metadata, tokens, identities. */
  readonly fetch: Fetch
  /** Guarded, without a limit on size: for the calls of authors. */
  readonly apiFetch?: Fetch
  /** Of the pages. */
  readonly addresses: Addresses
  readonly runtime: Runtime
  readonly report?: (doing: string, error: unknown) => void
  readonly times?: Partial<VaultTimes>
  readonly consent?: ConsentOptions
  readonly kinds?: Kinds
}

export type Kinds = { readonly [K in Provider["kind"]]: Kind<Extract<Provider, { kind: K }>> }

export interface Vault {
  readonly providers: Providers
  /** The owner's connection that meets the need; if there is none, the owner is asked for it. */
  connect(need: Need, options?: ConnectOptions): Promise<ConnectionHandle>
  /** Asks nobody. */
  find(need: Need, options?: FindOptions): Promise<ConnectionHandle | undefined>
  /** Asks for it whether or not there is one already, and waits for nothing. */
  ask(need: Need, options?: Pick<ConnectOptions, "outlets" | "signal">): Promise<Elicitation>
  list(owner: Owner): Promise<readonly Connection[]>
  /** Of all its people and projects: for those who look after them. */
  listOfTenant(tenant: string): Promise<readonly Connection[]>
  get(id: string): Promise<Connection | undefined>
  /** To use a connection by its id. When it is lost nobody is asked. */
  use(id: string): Promise<ConnectionHandle>
  /** Takes scopes away that we enforce ourselves; nothing changes at the provider, whose own scopes are not ours to take. */
  narrow(id: string, options: { readonly scopes: readonly string[]; readonly by: PrincipalId }): Promise<Connection>
  /** Stops its use everywhere, gives the grant back and shreds what was kept. */
  disconnect(id: string, options: { readonly by: PrincipalId }): Promise<Disconnected>
  /** The way from a question to a connection, for the pages. */
  readonly consent: Consent
  /** Tries now what is due to be given back. Happens by itself. */
  work(): Promise<void>
  close(): Promise<void>
}

export function createVault(options: VaultOptions): Vault {
  const { parts, drained } = toParts(options)
  const changes = createConnectionChanges(parts.storage.trail)
  const outbox = createOutbox(parts, changes)
  const consent = createConsent(parts, options.consent)
  const access = createAccess(parts, changes)
  const connectionCache = createConnectionCache(parts, changes)
  const gathering = createGathering(parts.tools.runtime, parts.pace.gatherMs)
  const connecting: ConnectParts = {
    ...parts,
    changes,
    access,
    connectionCache,
    gathering,
    probes: createProbes(parts),
  }
  return {
    providers: parts.providers,
    connect: (need, connectOptions = {}) => connect(connecting, need, connectOptions),
    find: (need, findOptions = {}) => find(connecting, need, findOptions),
    ask: (need, askOptions = {}) => ask(connecting, need, askOptions),
    list: (owner) => listOwned(parts, owner),
    listOfTenant: (tenant) => listAll(parts, { tenant }),
    get: (id) => parts.storage.records(connectionKind).get(id),
    async use(id) {
      const connection = await parts.storage.records(connectionKind).get(id)
      if (connection !== undefined) return createHandle(connecting, connection)
      throw new HoldpointError("not_found", `There is no connection with the id “${id}”.`)
    },
    narrow: (id, what) => narrow(parts, id, what),
    disconnect: (id, by) => disconnect(parts, id, by).finally(() => access.forget(id)),
    consent,
    work: outbox.work,
    async close() {
      access.close()
      outbox.stop()
      await consent.close()
      changes.close()
      await drained()
    },
  }
}

const allKinds: Kinds = { oauth: oauthKind, login_flow: loginFlowKind, api_key: apiKeyKind, basic: basicKind }

function toParts(options: VaultOptions): { parts: VaultParts; drained: () => Promise<void> } {
  const { storage, questions, sealer, runtime, kinds = allKinds, report = warn } = options
  const underWay = new Set<Promise<void>>()
  const parts: VaultParts = {
    storage,
    questions,
    sealer,
    providers: toProviders(options.providers),
    kindOf: (provider) => kinds[provider.kind] as Kind<Provider>,
    tools: { fetch: withDeadlines(options.fetch), runtime },
    apiFetch: options.apiFetch ?? options.fetch,
    addresses: options.addresses,
    pace: { ...defaultVaultTimes, ...options.times },
    report,
    background(doing, work) {
      const running = work()
        .catch((error: unknown) => report(doing, error))
        .finally(() => underWay.delete(running))
      underWay.add(running)
    },
  }
  const drained = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  return { parts, drained }
}

function toProviders(providers: readonly Provider[]): Providers {
  const byId = new Map(providers.map((provider) => [provider.id, provider]))
  const second = providers.find((provider) => byId.get(provider.id) !== provider)
  if (second === undefined) return byId
  throw new HoldpointError("invalid_config", `Two providers have the id “${second.id}”. Give each its own.`)
}

function warn(doing: string, error: unknown): void {
  process.emitWarning(`holdpoint: ${doing} failed: ${error instanceof Error ? error.message : String(error)}`)
}
