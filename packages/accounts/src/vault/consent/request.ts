// What a question requests, for the page: the provider, the scopes that are new, and the account.

import type { Elicitation, Reason } from "@holdpoint/hub"
import type { Account, Connection, Owner, Provider } from "@holdpoint/hub/internal"
import { coversScopes, hashOf, hasOwnScopes, scopeWords } from "@holdpoint/hub/internal"
import type { ConnectContext } from "../context.ts"
import { isAboutConnection, readContext } from "../context.ts"
import { listOwned } from "../grants.ts"
import type { VaultParts } from "../parts.ts"
import { connectionKind } from "../records.ts"

export interface ConsentRequest {
  readonly provider: Provider
  readonly owner: Owner
  readonly scopes: readonly RequestedScope[]
  /** Optional scopes that the person may allow at the same time. */
  readonly offers: readonly Pick<RequestedScope, "scope" | "words">[]
  /** The connection to widen or renew. */
  readonly connection?: Connection
  /** The account that is, or was, connected. */
  readonly account?: Account
  /** Only scopes that Holdpoint enforces itself are missing: one Yes adds them, without the provider. */
  readonly isWidening: boolean
  /** Why access has to be granted again. */
  readonly lossReason?: Reason
  /** A digest of the request as the page shows it; pressing the button grants exactly this. */
  readonly digest: string
  /** Where the person returns to: an id of the configured return targets. */
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
  const existing = (await findNamedConnection(parts, context)) ?? (await findUsableConnection(parts, context, provider))
  const scopes = context.scopes.map((scope) => ({
    scope,
    words: scopeWords(provider, scope),
    isNew: existing === undefined || !coversScopes(existing, [scope]),
  }))
  const offers = existing === undefined && hasConsentPage(provider) ? (context.offers ?? []) : []
  const isActive = existing?.status === "active"
  return {
    provider,
    owner: context.owner,
    scopes,
    offers: offers.map((scope) => ({ scope, words: scopeWords(provider, scope) })),
    isWidening: isActive && !hasOwnScopes(provider) && scopes.some(({ isNew }) => isNew),
    ...(existing?.status === "needs_reauth" ? { lossReason: existing.reason ?? { code: "lost" } } : {}),
    digest: hashOf(JSON.stringify([provider.id, ...scopes.map(({ scope, isNew }) => [scope, isNew]).sort()])),
    ...(existing === undefined ? {} : { connection: existing }),
    ...(existing?.account === undefined ? {} : { account: existing.account }),
    ...(context.returnTo === undefined ? {} : { returnTo: context.returnTo }),
  }
}

/** Whether the provider shows a consent page. An entered key or password has fixed rights. */
const hasConsentPage = ({ kind }: Provider): boolean => ["oauth", "mcp_server", "login_flow"].includes(kind)

/** Whether the page showed exactly what is requested now. */
export async function isAsShown(
  parts: VaultParts,
  elicitation: Elicitation,
  shownDigest: string | undefined,
): Promise<boolean> {
  return shownDigest === undefined || (await requestOf(parts, elicitation))?.digest === shownDigest
}

async function findNamedConnection({ storage }: VaultParts, context: ConnectContext): Promise<Connection | undefined> {
  if (context.connection === undefined) return undefined
  const namedConnection = await storage.records(connectionKind).get(context.connection)
  const isOfSameOwner = namedConnection !== undefined && isAboutConnection(context, namedConnection)
  return isOfSameOwner && namedConnection.status !== "revoked" ? namedConnection : undefined
}

/**
 * The owner's active connection, which another question may have made. Undefined where the provider enforces the
 * scopes, because there each consent needs the provider.
 */
async function findUsableConnection(
  parts: VaultParts,
  { owner, account }: ConnectContext,
  provider: Provider,
): Promise<Connection | undefined> {
  if (hasOwnScopes(provider)) return undefined
  const usableConnections = (await listOwned(parts, owner)).filter(
    (connection) =>
      connection.provider === provider.id &&
      connection.status === "active" &&
      (account === undefined || connection.account?.id === account),
  )
  return usableConnections.sort((a, b) => (b.activatedAt ?? 0) - (a.activatedAt ?? 0))[0]
}
