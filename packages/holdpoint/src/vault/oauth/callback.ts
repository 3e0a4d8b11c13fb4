// Turns the authorization response into credentials: the tokens, and the facts about the account that only the exchange returns.

import { nameFrom, readPath } from "../../core/dotted.ts"
import type { Reason } from "../../core/elicitation.ts"
import type { Identity, OAuthProvider } from "../../core/provider.ts"
import { type Exchange, exchangeCode, type Issued } from "../../oauth/exchange.ts"
import { readIdToken } from "../../oauth/id-token.ts"
import { reasons, refuse } from "../../oauth/reasons.ts"
import { askedScopes } from "../../oauth/start.ts"
import type { Credentials, SecretFields, Tools } from "../kind.ts"
import { toCredentials } from "./credentials.ts"

export interface Callback extends Exchange {
  /** The scopes that were passed to `startAuthorization`. */
  readonly scopes: readonly string[]
}

export type Redeemed =
  | { readonly kind: "granted"; readonly credentials: Credentials }
  | { readonly kind: "refused" | "unknown"; readonly reason: Reason }

export async function redeem(provider: OAuthProvider, callback: Callback, tools: Tools): Promise<Redeemed> {
  const exchanged = await exchangeCode(provider, callback, tools)
  if (exchanged.kind !== "issued") return exchanged
  const { tokens, at } = exchanged.issued
  const account = await readAccount(provider, exchanged.issued, callback.secrets.nonce, tools)
  if (account.kind === "refused") return account
  const issue = { requested: askedScopes(provider, callback.scopes), at, fields: account.fields }
  return { kind: "granted", credentials: toCredentials(provider, tokens, issue) }
}

type KnownAccount =
  | { readonly kind: "fields"; readonly fields: SecretFields }
  | { readonly kind: "refused"; readonly reason: Reason }

async function readAccount(
  provider: OAuthProvider,
  { server, tokens: { idToken }, body }: Issued,
  nonce: string | undefined,
  tools: Tools,
): Promise<KnownAccount> {
  const { identity } = provider
  if (identity.from === "token") return { kind: "fields", fields: accountFields(identity, body) }
  if (idToken === undefined || nonce === undefined)
    return identity.from === "id_token" ? refuse(reasons.missingIdToken) : { kind: "fields", fields: {} }
  const stated = await readIdToken(provider, server, { idToken, nonce, signature: "trusted" }, tools)
  if (stated.kind !== "claims") return refuse(stated.reason)
  const { claims } = stated
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
