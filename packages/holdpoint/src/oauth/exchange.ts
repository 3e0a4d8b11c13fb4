// Exchanges the code of a judged response for tokens. The caller decides what to do with them.

import type { Reason } from "../core/elicitation.ts"
import { type AuthorizationAnswer, judgeAnswer } from "./answer.ts"
import { isAboutClient, reasons, refuse, toProviderReason } from "./reasons.ts"
import type { OAuthTools, Registration } from "./registration.ts"
import { resolveServer, type Server } from "./server.ts"
import type { FlowSecrets } from "./start.ts"
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
export type Exchanged =
  | { readonly kind: "issued"; readonly issued: Issued }
  | { readonly kind: "refused" | "unknown"; readonly reason: Reason }

export interface Issued {
  readonly server: Server
  readonly tokens: Tokens
  /** The raw token response, for members that only this provider sends. */
  readonly body: unknown
  /** The time at which the request was sent. */
  readonly at: number
}

export async function exchangeCode(
  registration: Registration,
  exchange: Exchange,
  tools: OAuthTools,
): Promise<Exchanged> {
  const resolved = await resolveServer(registration, tools)
  if (resolved.kind !== "server")
    return { kind: resolved.kind === "refused" ? "refused" : "unknown", reason: resolved.reason }
  const { server } = resolved
  if (server.issuer !== exchange.issuer) return refuse(reasons.wrongIssuer)
  const judged = judgeAnswer(exchange, server)
  if (judged.kind === "refused") return judged
  const { redirectUri, secrets } = exchange
  // A flow that began with a code challenge must end with its verifier.
  if (registration.pkce !== "none" && secrets.verifier === undefined) return refuse(reasons.wrongState)
  const at = tools.runtime.now()
  const verifier = secrets.verifier === undefined ? {} : { code_verifier: secrets.verifier }
  const parameters = { code: judged.code, redirect_uri: redirectUri, ...verifier }
  const asked = await askForTokens(registration, server.metadata, { type: "authorization_code", parameters }, tools)
  if (asked.kind === "unclear") return { kind: "unknown", reason: asked.reason }
  const answer = judgeTokens(asked, registration.quirks ?? {}, "exchange")
  if (answer.kind === "unclear") return { kind: "unknown", reason: answer.reason }
  if (answer.kind === "error")
    return refuse(isAboutClient(answer.error) ? reasons.clientRefused : toProviderReason(answer.error))
  return { kind: "issued", issued: { server, tokens: answer.tokens, body: asked.body, at } }
}
