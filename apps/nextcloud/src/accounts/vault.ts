// Vault mode: each person's own account. Consent is requested at the first call that needs it, for exactly the scopes
// of that call, or, where configured, with a choice of the scopes of other tools.

import type { ConnectionHandle, Need, Vault } from "@holdpoint/accounts"
import type { Addresses, Elicitation, Hub, Principal } from "@holdpoint/hub"
import type { Connection, Owner } from "@holdpoint/hub/internal"
import type { Ask } from "@holdpoint/mcp"
import type { AccountFacts, ClientOptions } from "../api/client.ts"
import { createNextcloud } from "../api/client.ts"
import type { Nextcloud } from "../api/nextcloud.ts"
import type { Scope } from "../scopes.ts"
import type { Choice } from "../tool-selection.ts"
import { chosenTools } from "../tool-selection.ts"
import type { Accounts, ConnectionStatus, Consent } from "./accounts.ts"

export interface VaultAccounts {
  readonly vault: Pick<Vault, "find" | "ask" | "list" | "disconnect">
  readonly hub: Hub
  /** The id of the provider in the vault. */
  readonly provider: string
  /** The base address of Nextcloud, with its path and without a trailing slash. */
  readonly url: string
  /** The name of this server that people see on the consent page. */
  readonly name: string
  readonly lifetimeMs: number
  /** The addresses of the consent pages. */
  readonly addresses: Addresses
  /** The tools whose scopes people can allow together when they first connect. Absent: consent call by call. */
  readonly offers?: Choice
  /** The clock, for the pauses between retries and the expiry of cached facts. */
  readonly clock?: Pick<ClientOptions, "wait" | "now">
}

/** Takes each caller's own Nextcloud account from the vault, and asks for consent when a call needs it. */
export function createVaultAccounts(options: VaultAccounts): Accounts {
  const { provider, url, clock } = options
  const factsCache = createFactsCache()
  const toNextcloud = (handle: ConnectionHandle): Nextcloud => {
    const fetch = handle.fetch.bind(handle)
    return createNextcloud({ url, fetch, facts: factsCache.get(handle.id), ...clock })
  }
  return {
    open: async (ask, scopes) =>
      toNextcloud(await ask.connection(provider, { scopes, offers: await offeredScopes(options) })),
    async find({ principal }, scopes = []) {
      if (principal === undefined) return undefined
      const handle = await options.vault.find(await needOf(options, principal, scopes), { whenLost: "throw" })
      return handle === undefined ? undefined : toNextcloud(handle)
    },
    consent: createConsent(options),
  }
}

function createConsent(options: VaultAccounts): Consent {
  const { provider, lifetimeMs } = options
  return {
    async status(principal) {
      return toConnectionStatus(
        usableConnections(await options.vault.list(await ownerOf(principal)), provider),
        await openLink(options, principal),
      )
    },
    async link(principal, scopes) {
      const requirement = await needOf(options, principal, scopes)
      const offers = await offeredScopes(options)
      const question = await options.vault.ask({ ...requirement, offers, lifetimeMs: Math.max(lifetimeMs, dayMs) })
      const code = options.addresses.codeOf(question.id)
      return { url: addressOf(question), ...(code === undefined ? {} : { code }) }
    },
    async request(ask: Ask, scopes, waitOptions = {}) {
      const offers = await offeredScopes(options)
      const { account, scopes: grantedScopes } = await ask.connection(provider, { scopes, offers, ...waitOptions })
      return { scopes: grantedScopes, ...(account === undefined ? {} : { account: account.name ?? account.id }) }
    },
    async revoke(principal) {
      const ownedConnections = usableConnections(await options.vault.list(await ownerOf(principal)), provider)
      const notes: string[] = []
      for (const { id } of ownedConnections) {
        const disconnection = await options.vault.disconnect(id, { by: principal })
        if ("settings" in disconnection && typeof disconnection.settings === "string")
          notes.push(disconnection.settings)
      }
      return { accounts: ownedConnections.map(nameOf), ...(notes.length === 0 ? {} : { note: notes.join(" ") }) }
    },
  }
}

/** The shortest lifetime of a consent link that no call waits for: one day. */
const dayMs = 24 * 60 * 60_000

async function needOf(
  { provider, name }: VaultAccounts,
  principal: Principal,
  scopes: readonly Scope[],
): Promise<Need> {
  return { owner: await ownerOf(principal), provider, scopes, requester: { id: name, name } }
}

/** The scopes that a first consent offers, in the order of the tool table. Empty when consent is asked call by call. */
async function offeredScopes({ offers }: VaultAccounts): Promise<readonly Scope[]> {
  if (offers === undefined) return []
  const { table } = await import("../tools/table.ts")
  return [...new Set(chosenTools(table, offers).flatMap(({ scopes }) => scopes))]
}

/**
 * The owner of this person's connections. Imports the vault lazily, so that a client that only connects does not wait
 * for it.
 */
async function ownerOf(principal: Principal): Promise<Owner> {
  const { toOwner } = await import("@holdpoint/accounts")
  return toOwner(principal)
}

const usableConnections = (ownedConnections: readonly Connection[], provider: string): readonly Connection[] =>
  ownedConnections.filter(
    (connection) =>
      connection.provider === provider && (connection.status === "active" || connection.status === "needs_reauth"),
  )

const nameOf = ({ account }: Connection): string => account?.name ?? account?.id ?? "Nextcloud"

function toConnectionStatus(ownedConnections: readonly Connection[], pending: string | undefined): ConnectionStatus {
  const active = ownedConnections.find(({ status }) => status === "active")
  const connection = active ?? ownedConnections[0]
  const link = pending === undefined ? {} : { pending }
  if (connection === undefined) return { status: "not_connected", scopes: [], ...link }
  const { account, scopes, activatedAt, reason } = connection
  const otherNames = ownedConnections.filter((otherConnection) => otherConnection !== connection).map(nameOf)
  const problem = active === undefined ? (reason?.message ?? reason?.code) : undefined
  return {
    status: active === undefined ? "needs_reconnecting" : "connected",
    scopes,
    ...(account === undefined ? {} : { account: nameOf(connection) }),
    ...(otherNames.length === 0 ? {} : { others: otherNames }),
    ...(activatedAt === undefined ? {} : { since: new Date(activatedAt).toISOString() }),
    ...(problem === undefined ? {} : { reason: problem }),
    ...link,
  }
}

/**
 * The link of this person's open consent question. Undefined when it does not belong to the pages of this process: a
 * link of an earlier process may not work.
 */
async function openLink(
  { hub, name, provider, addresses }: VaultAccounts,
  principal: Principal,
): Promise<string | undefined> {
  const { tenant } = principal
  const openQuestions = await hub.list({ tenant, principal, state: "open", limit: 50, order: "newest" })
  const links = openQuestions
    .filter(({ requester, context }) => requester.id === name && context?.provider === provider)
    .flatMap((question) => (question.mode === "url" ? [question.url] : []))
  return links.find(addresses.isOurs)
}

function addressOf(question: Elicitation): string {
  if (question.mode === "url") return question.url
  throw new Error("Consent is given on a page, but this question has none.")
}

/** Caches the facts about each connection's account. Drops the least recently used beyond `maxConnections`. */
export function createFactsCache(maxConnections = 5_000): { get(id: string): AccountFacts } {
  const entries = new Map<string, AccountFacts>()
  return {
    get(id) {
      const facts = entries.get(id) ?? {}
      entries.delete(id)
      entries.set(id, facts)
      const [oldestId] = entries.keys()
      if (entries.size > maxConnections && oldestId !== undefined) entries.delete(oldestId)
      return facts
    },
  }
}
