// What a question asks to connect, in the words of the page: which provider, which scopes are new, which account it is.

import type { Account, Connection, Owner } from "../../core/connection.ts"
import { coversScopes } from "../../core/connection.ts"
import type { Elicitation, Reason } from "../../core/elicitation.ts"
import type { Provider } from "../../core/provider.ts"
import { hasOwnScopes, scopeWords } from "../../core/provider.ts"
import { hashOf } from "../../sealing/hash.ts"
import type { ConnectContext } from "../context.ts"
import { isAbout, readContext } from "../context.ts"
import { listOwned } from "../grants.ts"
import type { VaultParts } from "../parts.ts"
import { connectionKind } from "../records.ts"

export interface ConsentRequest {
  readonly provider: Provider
  readonly owner: Owner
  readonly scopes: readonly RequestedScope[]
  /** What they may allow at the same time, and need not. */
  readonly offers: readonly Pick<RequestedScope, "scope" | "words">[]
  /** The connection that is to be widened or renewed. */
  readonly connection?: Connection
  /** As which account it is connected, or was. */
  readonly account?: Account
  /** All that is missing are scopes that we enforce ourselves: one yes, and the connection has them. */
  readonly widens: boolean
  /** Why it has to be allowed again. */
  readonly lost?: Reason
  /** Of what is asked for, as the page shows it: a press counts for this and nothing else. */
  readonly shown: string
  /** Where the person came from: an id that the pages know. */
  readonly returnTo?: string
}

interface RequestedScope {
  readonly scope: string
  readonly words: string
  readonly isNew: boolean
}

export async function requestOf(parts: VaultParts, elicitation: Elicitation): Promise<ConsentRequest | undefined> {
  const context = readContext(elicitation)
  const provider = context === undefined ? undefined : parts.providers.get(context.provider)
  if (context === undefined || provider === undefined) return undefined
  const known = (await namedBy(parts, context)) ?? (await presentAt(parts, context, provider))
  const scopes = context.scopes.map((scope) => ({
    scope,
    words: scopeWords(provider, scope),
    isNew: known === undefined || !coversScopes(known, [scope]),
  }))
  const offers = known === undefined && isGivenThere(provider) ? (context.offers ?? []) : []
  const isActive = known?.status === "active"
  return {
    provider,
    owner: context.owner,
    scopes,
    offers: offers.map((scope) => ({ scope, words: scopeWords(provider, scope) })),
    widens: isActive && !hasOwnScopes(provider) && scopes.some(({ isNew }) => isNew),
    ...(known?.status === "needs_reauth" ? { lost: known.reason ?? { code: "lost" } } : {}),
    shown: hashOf(JSON.stringify([provider.id, ...scopes.map(({ scope, isNew }) => [scope, isNew]).sort()])),
    ...(known === undefined ? {} : { connection: known }),
    ...(known?.account === undefined ? {} : { account: known.account }),
    ...(context.returnTo === undefined ? {} : { returnTo: context.returnTo }),
  }
}

/** An entered key or password has the rights that it has. */
const isGivenThere = ({ kind }: Provider): boolean => kind === "oauth" || kind === "login_flow"

/** The page showed the same as is asked for now. */
export async function isAsShown(
  parts: VaultParts,
  elicitation: Elicitation,
  shown: string | undefined,
): Promise<boolean> {
  return shown === undefined || (await requestOf(parts, elicitation))?.shown === shown
}

async function namedBy({ storage }: VaultParts, context: ConnectContext): Promise<Connection | undefined> {
  if (context.connection === undefined) return undefined
  const named = await storage.records(connectionKind).get(context.connection)
  const isTheirs = named !== undefined && isAbout(context, named)
  return isTheirs && named.status !== "revoked" ? named : undefined
}

/** Connected by another question meanwhile: where scopes are ours, there is no need to do that twice. */
async function presentAt(
  parts: VaultParts,
  { owner, account }: ConnectContext,
  provider: Provider,
): Promise<Connection | undefined> {
  if (hasOwnScopes(provider)) return undefined
  const usable = (await listOwned(parts, owner)).filter(
    (known) =>
      known.provider === provider.id &&
      known.status === "active" &&
      (account === undefined || known.account?.id === account),
  )
  return usable.sort((a, b) => (b.activatedAt ?? 0) - (a.activatedAt ?? 0))[0]
}
