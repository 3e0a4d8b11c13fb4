// A tool's need for an account, the check whether a connection meets it, and the question to ask when none does.

import { createHash } from "node:crypto"
import type { Audience, Draft, Elicitation } from "@holdpoint/hub"
import { type Addresses, HoldpointError, paths } from "@holdpoint/hub"
import type { Connection, Need, Owner, Provider, Widen } from "@holdpoint/hub/internal"
import { addresseeKeysOf, coversScopes, ownerKey, toPrincipalId, unionScopes } from "@holdpoint/hub/internal"
import type { ConnectContext } from "./context.ts"
import { mayConnectFor, readContext, toContext } from "./context.ts"
import { lossClause, lossSentence } from "./loss-words.ts"

/** The active connection with all scopes, of the named account if any; of several, the most recently activated. */
export function chooseFor(need: Need, ownedConnections: readonly Connection[]): Connection | undefined {
  return candidatesFor(need, ownedConnections).find(
    (connection) => connection.status === "active" && coversScopes(connection, need.scopes ?? []),
  )
}

/** The connection that a consent should widen or renew, preferably an active one. */
export function chooseToRenew(need: Need, ownedConnections: readonly Connection[]): Connection | undefined {
  const candidates = candidatesFor(need, ownedConnections)
  return candidates.find(({ status }) => status === "active") ?? candidates[0]
}

function candidatesFor(need: Need, ownedConnections: readonly Connection[]): readonly Connection[] {
  return ownedConnections
    .filter(({ provider, status }) => provider === need.provider && (status === "active" || status === "needs_reauth"))
    .filter(({ account }) => need.account === undefined || account?.id === need.account)
    .sort((a, b) => (b.activatedAt ?? 0) - (a.activatedAt ?? 0))
}

/** Needs with the same key are combined into one question. */
export function gatheringKeyOf({ owner, provider, account, requester, ...need }: Need): string {
  const audience = need.audience ?? audienceOf(owner)
  return JSON.stringify([owner.tenant, ownerKey(owner), provider, account, addresseeKeysOf(audience), requester.id])
}

/**
 * Makes the question to the owner. Needs that are combined share one open question, which can be widened until the
 * person begins to answer. After it is settled, the next need asks a new question.
 */
export function toDraft(need: Need, provider: Provider, previous: Connection | undefined, addresses: Addresses): Draft {
  const { owner, account, returnTo, tool, requester, client, lifetimeMs } = need
  const audience = need.audience ?? audienceOf(owner)
  if (!mayConnectFor(owner, audience))
    throw new HoldpointError("invalid_question", "Only the person can connect their own account: leave out `audience`.")
  const scopes = unionScopes(previous?.scopes ?? [], need.scopes ?? [])
  const reason =
    previous === undefined
      ? undefined
      : previous.status === "active"
        ? "more_scopes"
        : (previous.reason?.code ?? "lost")
  const offers = withoutScopes(need.offers, scopes)
  const context: ConnectContext = {
    provider: provider.id,
    scopes,
    offers,
    owner,
    credentialType: provider.kind,
    providerName: provider.name,
    ...(previous === undefined ? {} : { connection: previous.id }),
    ...(account === undefined ? {} : { account }),
    ...(reason === undefined ? {} : { reason }),
    ...(returnTo === undefined ? {} : { returnTo }),
    ...(tool === undefined ? {} : { tool }),
  }
  const messageParts = { requesterName: requester.name ?? requester.id, provider, previous }
  return {
    url: (id) => addresses.to(paths.connect, id),
    message: messageFor({ ...messageParts, scopes, offers, ownMessage: need.message }),
    audience,
    requester,
    ...(client === undefined ? {} : { client }),
    context: toContext(context),
    ...(lifetimeMs === undefined ? {} : { lifetimeMs }),
    key: keyOf(need, addresses),
    keyReuse: "open",
    widen: (question) => widenQuestion(question, context, { ...messageParts, ownMessage: need.message }),
  }
}

/**
 * The public address is part of the key: processes that share pages share the question, and a local process asks on its
 * own pages.
 */
function keyOf(need: Need, { publicUrl }: Addresses): string {
  return `connect ${createHash("sha256").update(gatheringKeyOf(need)).update(publicUrl).digest("base64url")}`
}

function widenQuestion(
  question: Elicitation,
  requestedContext: ConnectContext,
  words: Omit<MessageParts, "scopes" | "offers">,
): ReturnType<Widen> {
  const current = readContext(question)
  if (current === undefined || requestedContext.scopes.every((scope) => current.scopes.includes(scope)))
    return undefined
  const { ownMessage, ...rest } = words
  const scopes = unionScopes(current.scopes, requestedContext.scopes)
  // A scope that is needed is not optional.
  const offers = withoutScopes(unionScopes(current.offers ?? [], requestedContext.offers ?? []), scopes)
  const isDefault = question.message === messageFor({ ...rest, scopes: current.scopes, offers: current.offers ?? [] })
  const addedMessage = ownMessage ?? messageFor({ ...rest, scopes: requestedContext.scopes, offers: [] })
  const addedWords = question.message.includes(addedMessage) ? "" : ` ${addedMessage}`
  const message =
    isDefault && ownMessage === undefined ? messageFor({ ...rest, scopes, offers }) : `${question.message}${addedWords}`
  // The message names the tool that asked first, so the context keeps that tool too.
  const { tool } = question.context
  const toolField = typeof tool === "string" ? { tool } : {}
  return { message, context: toContext({ ...requestedContext, ...current, ...toolField, scopes, offers }) }
}

const withoutScopes = (offers: readonly string[] = [], scopes: readonly string[]): readonly string[] =>
  offers.filter((scope) => !scopes.includes(scope))

function audienceOf(owner: Owner): Audience {
  return owner.kind === "person"
    ? { kind: "one", principal: toPrincipalId(owner) }
    : { kind: "role", tenant: owner.tenant, role: "admin" }
}

interface MessageParts {
  readonly requesterName: string
  readonly provider: Provider
  readonly previous: Connection | undefined
  readonly scopes: readonly string[]
  readonly offers: readonly string[]
  /** The asker's own message, which replaces the default. The reason for asking again is added in any case. */
  readonly ownMessage?: string | undefined
}

function messageFor({ requesterName, provider, previous, scopes, offers, ownMessage }: MessageParts): string {
  const { name } = provider
  const isLost = previous !== undefined && previous.status !== "active"
  if (ownMessage !== undefined) return isLost ? `${ownMessage} ${lossSentence(provider, previous.reason)}` : ownMessage
  if (isLost) return `${requesterName} asks you to connect ${name} again: ${lossClause(provider, previous.reason)}.`
  const purpose = purposeOf(
    provider,
    scopes.filter((scope) => !(previous?.scopes ?? []).includes(scope)),
  )
  return previous === undefined
    ? `${requesterName} asks you to connect ${name}${purpose}.${offers.length === 0 ? "" : " You can allow more on the page."}`
    : `${requesterName} asks for more access to ${name}${purpose}.`
}

const mostClauses = 8

/** The purpose of the scopes, in the words of the provider's `scopeWords`. */
function purposeOf({ scopeWords }: Provider, scopes: readonly string[]): string {
  const clauses = [...new Set(scopes.flatMap((scope) => scopeWords?.[scope] ?? []))].map(toClause)
  if (clauses.length === 0) return ""
  const shownClauses =
    clauses.length > mostClauses ? [...clauses.slice(0, mostClauses), `${clauses.length - mostClauses} more`] : clauses
  const last = shownClauses.at(-1)
  return shownClauses.length === 1 ? `, to ${last}` : `, to ${shownClauses.slice(0, -1).join(", ")} and ${last}`
}

/** Lower-cases the first letter for use within a sentence; a name in capitals stays as it is. */
const toClause = (words: string): string => words.replace(/^\p{Lu}(?=\p{Ll}|\s)/u, (first) => first.toLowerCase())
