// Exchanges the code of a judged response for tokens. The caller decides what to do with them.

import type { Reason } from "@holdpoint/hub"
import { type AuthorizationAnswer, judgeAnswer } from "./authorization-answer.ts"
import { isAboutClient, reasons, refuse, toProviderReason } from "./reasons.ts"
import type { OAuthTools, Registration } from "./registration.ts"
import { resolveServer, type Server } from "./server.ts"
import type { FlowSecrets } from "./start-authorization.ts"
import { askForTokens } from "./token-request.ts"
import { judgeTokens, type Tokens } from "./tokens.ts"

export interface Exchange extends AuthorizationAnswer {
  readonly redirectUri: string
  readonly secrets: FlowSecrets
}

/**
 * `refused`: the attempt has failed. `unknown`: the outcome is unclear; the code is used up and the person has to try
 * again.
 */
export type ExchangeResult =
  | { readonly kind: "issued"; readonly issued: IssuedTokens }
  | { readonly kind: "refused" | "unknown"; readonly reason: Reason }

export interface IssuedTokens {
  readonly server: Server
  readonly tokens: Tokens
  /** The raw token response, for members that only this provider sends. */
  readonly body: unknown
  /** When the token request was sent. Token lifetimes count from this time. */
  readonly requestedAt: number
}

export async function exchangeCode(
  registration: Registration,
  exchange: Exchange,
  tools: OAuthTools,
): Promise<ExchangeResult> {
  const resolved = await resolveServer(registration, tools)
  if (resolved.kind !== "server")
    return { kind: resolved.kind === "refused" ? "refused" : "unknown", reason: resolved.reason }
  const { server } = resolved
  if (server.issuer !== exchange.issuer) return refuse(reasons.wrongIssuer)
  const judgement = judgeAnswer(exchange, server)
  if (judgement.kind === "refused") return judgement
  const { redirectUri, secrets } = exchange
  // A flow that began with a code challenge must end with its verifier.
  if (registration.pkce !== "none" && secrets.verifier === undefined) return refuse(reasons.wrongState)
  const requestedAt = tools.runtime.now()
  const verifier = secrets.verifier === undefined ? {} : { code_verifier: secrets.verifier }
  const parameters = { code: judgement.code, redirect_uri: redirectUri, ...verifier }
  const response = await askForTokens(registration, server.metadata, { type: "authorization_code", parameters }, tools)
  if (response.kind === "unclear") return { kind: "unknown", reason: response.reason }
  const answer = judgeTokens(response, registration.quirks ?? {}, "exchange")
  if (answer.kind === "unclear") return { kind: "unknown", reason: answer.reason }
  if (answer.kind === "error")
    return refuse(isAboutClient(answer.error) ? reasons.clientRefused : toProviderReason(answer.error))
  return { kind: "issued", issued: { server, tokens: answer.tokens, body: response.body, requestedAt } }
}
