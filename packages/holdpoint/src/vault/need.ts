// What a tool needs of an account, whether a connection meets it, and the question to ask when none does.

import { createHash } from "node:crypto"
import { type Addresses, paths } from "../core/addresses.ts"
import type { Connection, Owner } from "../core/connection.ts"
import { coversScopes, ownerKey, unionScopes } from "../core/connection.ts"
import type { AskingClient, Elicitation, Requester } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { Audience } from "../core/principal.ts"
import { addresseesOf, toPrincipalId } from "../core/principal.ts"
import type { Provider } from "../core/provider.ts"
import type { Draft, Widen } from "../core/question.ts"
import type { ConnectContext } from "./context.ts"
import { mayConnectFor, readContext, toContext } from "./context.ts"
import { lossClause, lossSentence } from "./loss-words.ts"

export interface Need {
  readonly owner: Owner
  readonly provider: string
  readonly scopes?: readonly string[]
  /** What the person may allow at the same time, and need not. Shown only to people who have connected nothing there yet. */
  readonly offers?: readonly string[]
  /** The id of one upstream account; any of the owner's when absent. */
  readonly account?: string
  readonly requester: Requester
  readonly client?: AskingClient
  /** Who is asked for what a project will own: its administrators when absent. A person is asked themselves. */
  readonly audience?: Audience
  /** Why, in the words of the asker. */
  readonly message?: string
  /** Of the question: five minutes when somebody waits for it, else a day. */
  readonly lifetimeMs?: number
  /** Where the person goes afterwards: an id that the pages know, never an address. */
  readonly returnTo?: string
}

/** The one to use: active, wide enough, of the account if one is named; of several, the one activated last. */
export function chooseFor(need: Need, owned: readonly Connection[]): Connection | undefined {
  return candidatesFor(need, owned).find(
    (connection) => connection.status === "active" && coversScopes(connection, need.scopes ?? []),
  )
}

/** The one that a consent should widen or renew: a usable one first. */
export function chooseToRenew(need: Need, owned: readonly Connection[]): Connection | undefined {
  const candidates = candidatesFor(need, owned)
  return candidates.find(({ status }) => status === "active") ?? candidates[0]
}

function candidatesFor(need: Need, owned: readonly Connection[]): readonly Connection[] {
  return owned
    .filter(({ provider, status }) => provider === need.provider && (status === "active" || status === "needs_reauth"))
    .filter(({ account }) => need.account === undefined || account?.id === need.account)
    .sort((a, b) => (b.activatedAt ?? 0) - (a.activatedAt ?? 0))
}

/** Whoever needs something else of the same account asks for it together. */
export function gatheringKeyOf({ owner, provider, account, requester, ...need }: Need): string {
  const audience = need.audience ?? audienceOf(owner)
  return JSON.stringify([owner.tenant, ownerKey(owner), provider, account, addresseesOf(audience), requester.id])
}

/** One question for each place, which grows until its owner begins with it; its key is free again once it is settled. */
export function toDraft(need: Need, provider: Provider, old: Connection | undefined, addresses: Addresses): Draft {
  const { owner, account, returnTo, requester, client, lifetimeMs } = need
  const audience = need.audience ?? audienceOf(owner)
  if (!mayConnectFor(owner, audience))
    throw new HoldpointError(
      "invalid_question",
      "An account of a person is connected by that person: leave out `audience`.",
    )
  const scopes = unionScopes(old?.scopes ?? [], need.scopes ?? [])
  const reason = old === undefined ? undefined : old.status === "active" ? "more_scopes" : (old.reason?.code ?? "lost")
  const offers = without(need.offers, scopes)
  const asked: ConnectContext = {
    provider: provider.id,
    scopes,
    offers,
    owner,
    ...(old === undefined ? {} : { connection: old.id }),
    ...(account === undefined ? {} : { account }),
    ...(reason === undefined ? {} : { reason }),
    ...(returnTo === undefined ? {} : { returnTo }),
  }
  const words = { who: requester.name ?? requester.id, provider, old }
  return {
    url: (id) => addresses.to(paths.connect, id),
    message: messageFor({ ...words, scopes, offers, own: need.message }),
    audience,
    requester,
    ...(client === undefined ? {} : { client }),
    context: toContext(asked),
    ...(lifetimeMs === undefined ? {} : { lifetimeMs }),
    key: keyOf(need, addresses),
    keyReuse: "open",
    widen: (open) => widened(open, asked, { ...words, own: need.message }),
  }
}

/** Processes that share their pages share the question. One with pages of its own, on somebody's machine, asks there. */
function keyOf(need: Need, { publicUrl }: Addresses): string {
  return `connect ${createHash("sha256").update(gatheringKeyOf(need)).update(publicUrl).digest("base64url")}`
}

function widened(open: Elicitation, asked: ConnectContext, words: Omit<Words, "scopes" | "offers">): ReturnType<Widen> {
  const now = readContext(open)
  if (now === undefined || asked.scopes.every((scope) => now.scopes.includes(scope))) return undefined
  const { own, ...usual } = words
  const scopes = unionScopes(now.scopes, asked.scopes)
  // What is needed now is not a choice any more.
  const offers = without(unionScopes(now.offers ?? [], asked.offers ?? []), scopes)
  const isUsual = open.message === messageFor({ ...usual, scopes: now.scopes, offers: now.offers ?? [] })
  const added = own ?? messageFor({ ...usual, scopes: asked.scopes, offers: [] })
  const more = open.message.includes(added) ? "" : ` ${added}`
  const message = isUsual && own === undefined ? messageFor({ ...usual, scopes, offers }) : `${open.message}${more}`
  return { message, context: toContext({ ...asked, ...now, scopes, offers }) }
}

const without = (offers: readonly string[] = [], scopes: readonly string[]): readonly string[] =>
  offers.filter((scope) => !scopes.includes(scope))

function audienceOf(owner: Owner): Audience {
  return owner.kind === "person"
    ? { kind: "one", principal: toPrincipalId(owner) }
    : { kind: "role", tenant: owner.tenant, role: "admin" }
}

interface Words {
  readonly who: string
  readonly provider: Provider
  readonly old: Connection | undefined
  readonly scopes: readonly string[]
  readonly offers: readonly string[]
  /** The asker's own words, which stand in place of ours. Why it has to be allowed again is said all the same. */
  readonly own?: string | undefined
}

function messageFor({ who, provider, old, scopes, offers, own }: Words): string {
  const { name } = provider
  const isLost = old !== undefined && old.status !== "active"
  if (own !== undefined) return isLost ? `${own} ${lossSentence(provider, old.reason)}` : own
  if (isLost) return `${who} asks you to connect ${name} again: ${lossClause(provider, old.reason)}.`
  const what = purposeOf(
    provider,
    scopes.filter((scope) => !(old?.scopes ?? []).includes(scope)),
  )
  return old === undefined
    ? `${who} asks you to connect ${name}${what}.${offers.length === 0 ? "" : " You can allow more on the page."}`
    : `${who} asks for more access to ${name}${what}.`
}

const mostNamed = 8

/** What the scopes are for, as far as the provider's data has words for them. */
function purposeOf({ scopeWords }: Provider, scopes: readonly string[]): string {
  const all = [...new Set(scopes.flatMap((scope) => scopeWords?.[scope] ?? []))].map(toClause)
  if (all.length === 0) return ""
  const named = all.length > mostNamed ? [...all.slice(0, mostNamed), `${all.length - mostNamed} things more`] : all
  const last = named.at(-1)
  return named.length === 1 ? `, to ${last}` : `, to ${named.slice(0, -1).join(", ")} and ${last}`
}

/** “Read your notes” within a sentence. A name keeps its capital. */
const toClause = (words: string): string => words.replace(/^\p{Lu}(?=\p{Ll}|\s)/u, (first) => first.toLowerCase())
