// Judges the authorization response that a browser brings back, before any request is made. Pure. The caller checks
// that the response is from the browser that began the attempt.

import type { Reason } from "@holdpoint/hub"
import { isSameText } from "@holdpoint/hub/internal"
import { reasons, refuse, toProviderReason } from "./reasons.ts"
import type { Server } from "./server.ts"

export interface AuthorizationAnswer {
  readonly parameters: URLSearchParams
  /** The `state` of the authorization request. */
  readonly state: string
  /** The issuer that `startAuthorization` returned. */
  readonly issuer?: string | undefined
}

export type AnswerJudgement =
  | { readonly kind: "code"; readonly code: string }
  | { readonly kind: "refused"; readonly reason: Reason }

/**
 * Judges an authorization response. The issuer is checked before `error` and `code` (RFC 9207 §2.4), so that not even
 * an error of another server is accepted.
 */
export function judgeAnswer(
  { parameters, state, issuer }: AuthorizationAnswer,
  server: Pick<Server, "namesIssuer">,
): AnswerJudgement {
  const names = [...parameters.keys()]
  // RFC 6749 §3.1 forbids repeated parameters: readers could disagree about which one counts.
  if (new Set(names).size !== names.length) return refuse(reasons.malformedAnswer)
  if (state === "" || !isSameText(parameters.get("state") ?? "", state)) return refuse(reasons.wrongState)
  const iss = parameters.get("iss")
  if (iss === null && server.namesIssuer) return refuse(reasons.missingIssuer)
  if (iss !== null && !isIssuer(iss, issuer)) return refuse(reasons.wrongIssuer)
  const error = parameters.get("error")
  if (error !== null) return refuse(toProviderReason(error))
  const hasTokens = ["response", "id_token", "token", "access_token"].some((name) => parameters.has(name))
  const code = parameters.get("code") ?? ""
  return hasTokens || code === "" ? refuse(reasons.malformedAnswer) : { kind: "code", code }
}

/**
 * Whether `iss` is exactly the expected issuer, whose `{tenantid}` stands for any tenant id. When no issuer is
 * configured, any `iss` is refused.
 */
function isIssuer(iss: string, issuer: string | undefined): boolean {
  if (issuer === undefined || !issuer.includes("{tenantid}")) return iss === issuer
  const [prefix = "", suffix = ""] = issuer.split("{tenantid}")
  const tenant = iss.slice(prefix.length, iss.length - suffix.length)
  return iss === `${prefix}${tenant}${suffix}` && /^[0-9a-f-]{36}$/i.test(tenant)
}
