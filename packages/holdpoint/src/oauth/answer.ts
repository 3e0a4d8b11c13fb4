// The answer that a browser brings back from an authorization server, judged before anything is sent anywhere. Pure.
// Whose browser it is, is for the caller to know.

import type { Reason } from "../core/elicitation.ts"
import { isSameText } from "../sealing/hash.ts"
import { reasons, refuse, toProviderReason } from "./reasons.ts"
import type { Server } from "./server.ts"

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

/** Who answers is checked first (RFC 9207 §2.4), so that an error of another server is not believed either. */
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

/** Compared as it stands. Without an issuer in the provider's data, a named one cannot be ours. */
function isIssuer(iss: string, issuer: string | undefined): boolean {
  if (issuer === undefined || !issuer.includes("{tenantid}")) return iss === issuer
  const [before = "", after = ""] = issuer.split("{tenantid}")
  const tenant = iss.slice(before.length, iss.length - after.length)
  return iss === `${before}${tenant}${after}` && /^[0-9a-f-]{36}$/i.test(tenant)
}
