// A tool's need for an account, the check whether a connection meets it, and the question to ask when none does.

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

/** The account that a program needs, the scopes, and who asks for it. */
export interface Need {
  readonly owner: Owner
  readonly provider: string
  readonly scopes?: readonly string[]
  /** Optional scopes, offered only to people who have no connection with this provider yet. */
  readonly offers?: readonly string[]
  /** The id of one upstream account; any of the owner's when absent. */
  readonly account?: string
  readonly requester: Requester
  readonly client?: AskingClient
  /**
   * Who is asked to connect an account for a project; its administrators by default. A person's own account is always
   * asked of that person.
   */
  readonly audience?: Audience
  /** The asker's explanation of why it needs the account. */
  readonly message?: string
  /** The question's lifetime: by default five minutes while a call waits, otherwise a day. */
  readonly lifetimeMs?: number
  /** The name of the tool that needs it, for telemetry and for surfaces that show it. */
  readonly tool?: string
  /** Where the person returns to: an id of the configured return targets, never an address. */
  readonly returnTo?: string
}

/** The active connection with all scopes, of the named account if any; of several, the most recently activated. */
export function chooseFor(need: Need, owned: readonly Connection[]): Connection | undefined {
  return candidatesFor(need, owned).find(
    (connection) => connection.status === "active" && coversScopes(connection, need.scopes ?? []),
  )
}

/** The connection that a consent should widen or renew, preferably an active one. */
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

/** Needs with the same key are combined into one question. */
export function gatheringKeyOf({ owner, provider, account, requester, ...need }: Need): string {
  const audience = need.audience ?? audienceOf(owner)
  return JSON.stringify([owner.tenant, ownerKey(owner), provider, account, addresseesOf(audience), requester.id])
}

/**
 * Makes the question. There is one open question per gathering key, which can be widened until its owner begins; the
 * key can be used again once it is settled.
 */
export function toDraft(need: Need, provider: Provider, old: Connection | undefined, addresses: Addresses): Draft {
  const { owner, account, returnTo, tool, requester, client, lifetimeMs } = need
  const audience = need.audience ?? audienceOf(owner)
  if (!mayConnectFor(owner, audience))
    throw new HoldpointError("invalid_question", "Only the person can connect their own account: leave out `audience`.")
  const scopes = unionScopes(old?.scopes ?? [], need.scopes ?? [])
  const reason = old === undefined ? undefined : old.status === "active" ? "more_scopes" : (old.reason?.code ?? "lost")
  const offers = without(need.offers, scopes)
  const asked: ConnectContext = {
    provider: provider.id,
    scopes,
    offers,
    owner,
    credentialType: provider.kind,
    providerName: provider.name,
    ...(old === undefined ? {} : { connection: old.id }),
    ...(account === undefined ? {} : { account }),
    ...(reason === undefined ? {} : { reason }),
    ...(returnTo === undefined ? {} : { returnTo }),
    ...(tool === undefined ? {} : { tool }),
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

/**
 * The public address is part of the key: processes that share pages share the question, and a local process asks on its
 * own pages.
 */
function keyOf(need: Need, { publicUrl }: Addresses): string {
  return `connect ${createHash("sha256").update(gatheringKeyOf(need)).update(publicUrl).digest("base64url")}`
}

function widened(
  open: Elicitation,
  asked: ConnectContext,
  words: Omit<MessageParts, "scopes" | "offers">,
): ReturnType<Widen> {
  const current = readContext(open)
  if (current === undefined || asked.scopes.every((scope) => current.scopes.includes(scope))) return undefined
  const { own, ...rest } = words
  const scopes = unionScopes(current.scopes, asked.scopes)
  // A scope that is needed now is no longer optional.
  const offers = without(unionScopes(current.offers ?? [], asked.offers ?? []), scopes)
  const isDefault = open.message === messageFor({ ...rest, scopes: current.scopes, offers: current.offers ?? [] })
  const added = own ?? messageFor({ ...rest, scopes: asked.scopes, offers: [] })
  const addition = open.message.includes(added) ? "" : ` ${added}`
  const message =
    isDefault && own === undefined ? messageFor({ ...rest, scopes, offers }) : `${open.message}${addition}`
  // The message names the tool that asked first, so the context keeps that tool too.
  const { tool } = open.context
  const first = typeof tool === "string" ? { tool } : {}
  return { message, context: toContext({ ...asked, ...current, ...first, scopes, offers }) }
}

const without = (offers: readonly string[] = [], scopes: readonly string[]): readonly string[] =>
  offers.filter((scope) => !scopes.includes(scope))

function audienceOf(owner: Owner): Audience {
  return owner.kind === "person"
    ? { kind: "one", principal: toPrincipalId(owner) }
    : { kind: "role", tenant: owner.tenant, role: "admin" }
}

interface MessageParts {
  readonly who: string
  readonly provider: Provider
  readonly old: Connection | undefined
  readonly scopes: readonly string[]
  readonly offers: readonly string[]
  /** The asker's own message, which replaces the default. The reason for asking again is added in any case. */
  readonly own?: string | undefined
}

function messageFor({ who, provider, old, scopes, offers, own }: MessageParts): string {
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

/** The purpose of the scopes, in the words of the provider's `scopeWords`. */
function purposeOf({ scopeWords }: Provider, scopes: readonly string[]): string {
  const all = [...new Set(scopes.flatMap((scope) => scopeWords?.[scope] ?? []))].map(toClause)
  if (all.length === 0) return ""
  const named = all.length > mostNamed ? [...all.slice(0, mostNamed), `${all.length - mostNamed} more`] : all
  const last = named.at(-1)
  return named.length === 1 ? `, to ${last}` : `, to ${named.slice(0, -1).join(", ")} and ${last}`
}

/** Lower-cases the first letter for use within a sentence; a name in capitals stays as it is. */
const toClause = (words: string): string => words.replace(/^\p{Lu}(?=\p{Ll}|\s)/u, (first) => first.toLowerCase())
