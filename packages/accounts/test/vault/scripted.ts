// A provider that does what a test tells it, and vaults on one storage that use it: each vault is a node of its own.

import type { Connection, Fetch, OAuthProvider, Owner, Provider } from "@holdpoint/accounts"
import { toOwner } from "@holdpoint/accounts"
import type { Entry, Hub, Storage } from "@holdpoint/hub"
import { createAddresses, createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import type { TestClock } from "@holdpoint/testing"
import { createTestClock } from "@holdpoint/testing"
import { alice, now, requester } from "@holdpoint/testkit/fixtures"
import { activate, storeGrant } from "../../src/vault/grants.ts"
import type {
  Credentials,
  Kind,
  ProviderRefreshResult,
  ProviderRevokeResult,
  SecretFields,
} from "../../src/vault/kind.ts"
import type { VaultParts } from "../../src/vault/parts.ts"
import { connectionKind } from "../../src/vault/records.ts"
import { defaultVaultTimes } from "../../src/vault/times.ts"
import type { Vault, VaultOptions } from "../../src/vault/vault.ts"
import { createVault } from "../../src/vault/vault.ts"

export const drive: OAuthProvider = {
  id: "drive",
  name: "Drive",
  kind: "oauth",
  api: ["https://api.drive.example"],
  headers: { "drive-version": "2" },
  discovery: "none",
  client: { id: "holdpoint", authentication: { method: "none" } },
  pkce: "S256",
  redirect: "context",
  identity: { from: "nothing" },
  revocation: { by: "nothing" },
}

export const need = { owner: toOwner(alice), provider: "drive", scopes: ["files"], requester }
export const hour = 3_600_000

/** The provider's own books: which tokens it gave out, which of them still work, and what was asked of it. */
export interface Books {
  /** Refresh tokens, in the order in which they were presented. */
  readonly presented: string[]
  /** Revoked, as access tokens. */
  readonly revoked: string[]
  /** The most token requests that were under way at one time. */
  readonly mostAtOnce: number
  /** What the next refreshes do instead of the usual; each is used up. */
  readonly script: (() => Promise<ProviderRefreshResult> | ProviderRefreshResult)[]
  readonly revocations: (() => Promise<ProviderRevokeResult> | ProviderRevokeResult)[]
  /** Rotates, as the provider does when nothing is scripted. */
  rotate(fields: SecretFields): ProviderRefreshResult
  /** Refresh tokens in the order in which they were given out. */
  readonly issued: string[]
  /** Refresh tokens that were presented after a newer one had been given out. */
  readonly reused: string[]
  /** Access tokens that the API turns down. */
  readonly refused: Set<string>
  accepts(token: string | undefined): boolean
}

export function createBooks(clock: TestClock): { books: Books; kind: Kind<Provider> } {
  let atOnce = 0
  let count = 0
  const books = {
    presented: [] as string[],
    revoked: [] as string[],
    mostAtOnce: 0,
    script: [] as Books["script"],
    issued: [] as string[],
    reused: [] as string[],
    revocations: [] as Books["revocations"],
    refused: new Set<string>(),
    rotate(fields: SecretFields): ProviderRefreshResult {
      count += 1
      const [access_token, refresh_token] = [`${fields.name}-access-${count}`, `${fields.name}-refresh-${count}`]
      books.issued.push(refresh_token)
      return { kind: "refreshed", credentials: toCredentials({ ...fields, access_token, refresh_token }, clock.now()) }
    },
    accepts(token: string | undefined): boolean {
      return token !== undefined && !books.refused.has(token) && !books.revoked.includes(token)
    },
  }
  const kind: Kind<Provider> = {
    outlivesRenewal: false,
    authorize: (_provider, fields) => ({ authorization: `Bearer ${fields.access_token}` }),
    async refresh(_provider, fields) {
      const presented = fields.refresh_token ?? "none"
      books.presented.push(presented)
      if (books.issued.length > 0 && books.issued.at(-1) !== presented) books.reused.push(presented)
      atOnce += 1
      books.mostAtOnce = Math.max(books.mostAtOnce, atOnce)
      try {
        const step = books.script.shift()
        return await (step === undefined ? books.rotate(fields) : step())
      } finally {
        atOnce -= 1
      }
    },
    identify: async () => ({ kind: "silent" }),
    async revoke(_provider, fields) {
      const step = books.revocations.shift()
      const result: ProviderRevokeResult = step === undefined ? { kind: "revoked" } : await step()
      if (result.kind === "revoked") books.revoked.push(fields.access_token ?? "none")
      return result
    },
  }
  return { books, kind }
}

export function toCredentials(fields: SecretFields, at: number, lifeMs = hour): Credentials {
  return { fields, scopes: ["files"], issuedAt: at, expiresAt: at + lifeMs }
}

export interface Call {
  readonly url: string
  readonly authorization: string | null
  readonly headers: Headers
  readonly body: unknown
}

export interface Setup {
  readonly clock: TestClock
  readonly storage: Storage
  readonly hub: Hub
  readonly books: Books
  /** What reached the provider's API, which answers 401 to tokens that do not work. */
  readonly calls: Call[]
  readonly reports: string[]
  readonly parts: VaultParts
  readonly vault: Vault
  /** Another node on the same storage. */
  another(options?: Partial<VaultOptions>): Vault
  /** An active connection whose token ends after so long. */
  connected(options?: { lifeMs?: number; name?: string; owner?: Owner; fields?: SecretFields }): Promise<Connection>
  trailOf(id: string): Promise<readonly Entry[]>
  stored(id: string): Promise<Connection>
}

export function setUp(options: Partial<VaultOptions> = {}): Setup {
  const clock = createTestClock(now)
  const storage = options.storage ?? createMemoryStorage()
  const reports: string[] = []
  const report = (doing: string, error: unknown): void => void reports.push(`${doing}: ${String(error)}`)
  const hub = createHub({ storage, outlets: [inbox()], runtime: clock, report })
  const sealer = createSealer(withNewKey())
  const { books, kind } = createBooks(clock)
  const calls: Call[] = []
  const apiFetch: Fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers)
    const authorization = headers.get("authorization")
    calls.push({ url: String(input), authorization, headers, body: init.body ?? null })
    const isFine = books.accepts(authorization?.replace("Bearer ", ""))
    return new Response(isFine ? "fine" : "who are you", { status: isFine ? 200 : 401 })
  }
  const base: VaultOptions = {
    storage,
    questions: hub,
    sealer,
    providers: [drive],
    fetch: () => Promise.reject(new Error("nothing is fetched here")),
    apiFetch,
    addresses: createAddresses("https://hub.example"),
    runtime: clock,
    report,
    times: { gatherMs: 0 },
    kinds: { oauth: kind, mcp_server: kind, login_flow: kind, api_key: kind, basic: kind },
    ...options,
  }
  const parts: VaultParts = {
    ...base,
    providers: new Map(base.providers.map((provider) => [provider.id, provider])),
    kindOf: () => kind,
    tools: { fetch: base.fetch, runtime: clock },
    apiFetch,
    vaultTimes: { ...defaultVaultTimes, gatherMs: 0 },
    unauthorized: () => {},
    report,
    background: (doing, work) => void work().catch((error: unknown) => report(doing, error)),
  }
  return {
    clock,
    storage,
    hub,
    books,
    calls,
    reports,
    parts,
    vault: createVault(base),
    another: (more = {}) => createVault({ ...base, ...more }),
    async connected({ lifeMs = hour, name = "first", owner = need.owner, fields = {} } = {}) {
      const all = { name, access_token: `${name}-access-0`, refresh_token: `${name}-refresh-0`, ...fields }
      const credentials = toCredentials(all, clock.now(), lifeMs)
      const pending = await storeGrant(parts, { owner, provider: "drive", credentials, by: alice })
      return activate(parts, pending.id, { account: { id: name, name: `${name}@drive.example` }, by: alice })
    },
    trailOf: (id) => storage.trail.read({ id, limit: 1_000 }),
    async stored(id) {
      const connection = await storage.records(connectionKind).get(id)
      if (connection === undefined) throw new Error(`there is no connection ${id}`)
      return connection
    },
  }
}

/** A promise that a test settles when it likes. */
export function gate<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  const { promise, resolve } = Promise.withResolvers<T>()
  return { promise, resolve }
}
