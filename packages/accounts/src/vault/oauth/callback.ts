// Turns the authorization response into credentials: the tokens, and the facts about the account that only the code
// exchange returns.

import type { Reason } from "@holdpoint/hub"
import type { Identity, OAuthProvider } from "@holdpoint/hub/internal"
import { nameFrom, readPath } from "@holdpoint/hub/internal"
import { type Exchange, exchangeCode, type IssuedTokens } from "../../oauth/exchange.ts"
import { readIdToken } from "../../oauth/id-token.ts"
import { reasons, refuse } from "../../oauth/reasons.ts"
import { requestedScopesOf } from "../../oauth/start-authorization.ts"
import type { Credentials, SecretFields, Tools } from "../kind.ts"
import { toCredentials } from "./credentials.ts"

export interface Callback extends Exchange {
  /** The scopes that were passed to `startAuthorization`. */
  readonly scopes: readonly string[]
}

export type RedeemResult =
  | { readonly kind: "granted"; readonly credentials: Credentials }
  | { readonly kind: "refused" | "unknown"; readonly reason: Reason }

export async function redeem(provider: OAuthProvider, callback: Callback, tools: Tools): Promise<RedeemResult> {
  const exchange = await exchangeCode(provider, callback, tools)
  if (exchange.kind !== "issued") return exchange
  const { tokens, requestedAt } = exchange.issued
  const account = await readAccount(provider, exchange.issued, callback.secrets.nonce, tools)
  if (account.kind === "refused") return account
  const facts = { requestedScopes: requestedScopesOf(provider, callback.scopes), requestedAt, fields: account.fields }
  return { kind: "granted", credentials: toCredentials(provider, tokens, facts) }
}

type KnownAccount =
  | { readonly kind: "fields"; readonly fields: SecretFields }
  | { readonly kind: "refused"; readonly reason: Reason }

async function readAccount(
  provider: OAuthProvider,
  { server, tokens: { idToken }, body }: IssuedTokens,
  nonce: string | undefined,
  tools: Tools,
): Promise<KnownAccount> {
  const { identity } = provider
  if (identity.from === "token") return { kind: "fields", fields: accountFields(identity, body) }
  if (idToken === undefined || nonce === undefined)
    return identity.from === "id_token" ? refuse(reasons.missingIdToken) : { kind: "fields", fields: {} }
  const idTokenResult = await readIdToken(provider, server, { idToken, nonce, signature: "trusted" }, tools)
  if (idTokenResult.kind !== "claims") return refuse(idTokenResult.reason)
  const { claims } = idTokenResult
  const account = identity.from === "id_token" ? accountFields(identity, claims) : {}
  return { kind: "fields", fields: { ...account, subject: String(claims.sub) } }
}

function accountFields(identity: Extract<Identity, { from: "token" | "id_token" }>, source: unknown): SecretFields {
  const id = readPath(source, identity.id)
  const name = nameFrom(source, identity.name)
  return {
    ...(id === undefined ? {} : { account_id: String(id) }),
    ...(name === undefined ? {} : { account_name: name }),
  }
}
