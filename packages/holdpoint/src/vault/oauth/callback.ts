// The answer that a browser brings back from the provider, judged before anything is sent anywhere, and then exchanged
// for tokens. Whose browser it is, is for the caller to know.

import type { Reason } from "../../core/elicitation.ts"
import type { Identity, OAuthProvider } from "../../core/provider.ts"
import { isSameText } from "../../sealing/hash.ts"
import { nameFrom, readPath } from "../api-call.ts"
import type { Credentials, SecretFields, Tools } from "../kind.ts"
import { toClient } from "./client.ts"
import { type Claims, readIdToken } from "./id-token.ts"
import { reasons, toProviderReason } from "./reasons.ts"
import { resolveServer, type Server } from "./server.ts"
import { askedScopes, type FlowSecrets } from "./start.ts"
import { askForTokens } from "./token-request.ts"
import { judgeTokens, type Tokens, toCredentials } from "./tokens.ts"

export interface AuthorizationAnswer {
  readonly parameters: URLSearchParams
  /** As it was sent. */
  readonly state: string
  /** As `startAuthorization` gave it. */
  readonly issuer?: string | undefined
}

export type AnswerJudgement =
  | { readonly kind: "code"; readonly code: string }
  | { readonly kind: "refused"; readonly reason: Reason }

export interface Exchange extends AuthorizationAnswer {
  readonly redirectUri: string
  readonly secrets: FlowSecrets
  /** What the tool asked for, as it was given to `startAuthorization`. */
  readonly scopes: readonly string[]
}

/** `refused`: this attempt is over. `unknown`: nobody can tell; the code is used up and the person has to try again. */
export type Exchanged =
  | { readonly kind: "granted"; readonly credentials: Credentials }
  | { readonly kind: "refused" | "unknown"; readonly reason: Reason }

/** Pure. Who answers is checked first (RFC 9207 §2.4), so that nobody else's error is believed either. */
export function judgeAnswer(
  { parameters, state, issuer }: AuthorizationAnswer,
  server: Pick<Server, "namesIssuer">,
): AnswerJudgement {
  const names = [...parameters.keys()]
  // RFC 6749 §3.1: no parameter twice. Two of a kind are a quarrel about which one is read.
  if (new Set(names).size !== names.length) return refuse(reasons.malformedAnswer)
  if (state === "" || !isSameText(parameters.get("state") ?? "", state)) return refuse(reasons.wrongState)
  const iss = parameters.get("iss")
  if (iss === null && server.namesIssuer) return refuse(reasons.missingIssuer)
  if (iss !== null && !isIssuer(iss, issuer)) return refuse(reasons.wrongIssuer)
  const error = parameters.get("error")
  if (error !== null) return refuse(toProviderReason(error))
  const foreign = ["response", "id_token", "token", "access_token"].some((name) => parameters.has(name))
  const code = parameters.get("code") ?? ""
  return foreign || code === "" ? refuse(reasons.malformedAnswer) : { kind: "code", code }
}

export async function exchangeCode(provider: OAuthProvider, exchange: Exchange, tools: Tools): Promise<Exchanged> {
  const resolved = await resolveServer(provider, tools)
  if (resolved.kind !== "server")
    return { kind: resolved.kind === "refused" ? "refused" : "unknown", reason: resolved.reason }
  const { server } = resolved
  if (server.issuer !== exchange.issuer) return refuse(reasons.wrongIssuer)
  const judged = judgeAnswer(exchange, server)
  if (judged.kind === "refused") return judged
  const { redirectUri, secrets } = exchange
  // A flow that began with a challenge ends with its verifier, or not at all.
  if (provider.pkce === "S256" && secrets.verifier === undefined) return refuse(reasons.wrongState)
  const at = tools.runtime.now()
  const verifier = secrets.verifier === undefined ? {} : { code_verifier: secrets.verifier }
  const parameters = { code: judged.code, redirect_uri: redirectUri, ...verifier }
  const asked = await askForTokens(provider, server, { type: "authorization_code", parameters }, tools)
  if (asked.kind === "unclear") return { kind: "unknown", reason: asked.reason }
  const answer = judgeTokens(asked, provider.quirks ?? {}, "exchange")
  if (answer.kind === "unclear") return { kind: "unknown", reason: answer.reason }
  if (answer.kind === "error")
    return refuse(isAboutClient(answer.error) ? reasons.clientRefused : toProviderReason(answer.error))
  const known = await readAccount(provider, { server, tools, secrets, tokens: answer.tokens, body: asked.body })
  if (known.kind === "refused") return known
  const issue = { asked: askedScopes(provider, exchange.scopes), at, fields: known.fields }
  return { kind: "granted", credentials: toCredentials(provider, answer.tokens, issue) }
}

/** The provider refused the program, not the grant: RFC 6749 §5.2. */
export function isAboutClient(error: string): boolean {
  return ["invalid_client", "unauthorized_client", "unsupported_grant_type"].includes(error)
}

type KnownAccount =
  | { readonly kind: "fields"; readonly fields: SecretFields }
  | { readonly kind: "refused"; readonly reason: Reason }

/** What the exchange tells about the account is kept with the tokens: it is not told again. */
async function readAccount(
  provider: OAuthProvider,
  found: {
    readonly server: Server
    readonly tools: Tools
    readonly secrets: FlowSecrets
    readonly tokens: Tokens
    readonly body: unknown
  },
): Promise<KnownAccount> {
  const { identity } = provider
  const { idToken } = found.tokens
  const { nonce } = found.secrets
  if (identity.from === "token") return { kind: "fields", fields: accountFields(identity, found.body) }
  if (idToken === undefined || nonce === undefined)
    return identity.from === "id_token" ? refuse(reasons.missingIdToken) : { kind: "fields", fields: {} }
  const client = toClient(provider, found.tools)
  const claims = await readIdToken(idToken, { client, server: found.server, nonce })
  if (claims === undefined) return refuse(reasons.wrongIdToken)
  const account = identity.from === "id_token" ? accountFields(identity, claims) : {}
  return { kind: "fields", fields: { ...account, subject: String(claims.sub) } }
}

function accountFields(
  identity: Extract<Identity, { from: "token" | "id_token" }>,
  source: Claims | unknown,
): SecretFields {
  const id = readPath(source, identity.id)
  const name = nameFrom(source, identity.name)
  return {
    ...(id === undefined ? {} : { account_id: String(id) }),
    ...(name === undefined ? {} : { account_name: name }),
  }
}

/** Compared as it stands. Without an issuer in the provider's data, a named one cannot be ours. */
function isIssuer(iss: string, issuer: string | undefined): boolean {
  if (issuer === undefined || !issuer.includes("{tenantid}")) return iss === issuer
  const [before = "", after = ""] = issuer.split("{tenantid}")
  const tenant = iss.slice(before.length, iss.length - after.length)
  return iss === `${before}${tenant}${after}` && /^[0-9a-f-]{36}$/i.test(tenant)
}

function refuse(reason: Reason): { readonly kind: "refused"; readonly reason: Reason } {
  return { kind: "refused", reason }
}
