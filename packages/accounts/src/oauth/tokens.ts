// Judges a token response. Pure. A JSON body with usable tokens is accepted, whatever its content type.

import type { Reason } from "@holdpoint/hub"
import type { OAuthQuirks } from "@holdpoint/hub/internal"
import { isObject, valueAt } from "@holdpoint/hub/internal"
import { reasons } from "./reasons.ts"

/** The raw response. `body` is undefined when it is not JSON. */
export interface TokenAnswer {
  readonly status: number
  readonly body: unknown
}

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken?: string
  readonly idToken?: string
  /** The lifetime in seconds; absent when the response has none or an implausible one. */
  readonly lifetime?: number
  /** The granted scopes; absent when the response does not list them. */
  readonly scopes?: readonly string[]
}

export type TokenJudgement =
  | { readonly kind: "tokens"; readonly tokens: Tokens }
  /** The provider refused; `error` is its code, as the specification spells it. */
  | { readonly kind: "error"; readonly error: string }
  /** It is unknown whether the provider acted. */
  | { readonly kind: "unclear"; readonly reason: Reason }

type Members = Readonly<Record<string, unknown>>

/** Judges the response. `refresh`: tokens may be at the top level although `tokenPath` is set (Slack). */
export function judgeTokens(
  { status, body }: TokenAnswer,
  quirks: OAuthQuirks,
  grantUse: "exchange" | "refresh",
): TokenJudgement {
  if (status >= 300 && status < 400) return { kind: "unclear", reason: reasons.redirected }
  // RFC 6749 §5.2: status 401 means that the client is refused, even without a body.
  if (status === 401 && !isObject(body)) return { kind: "error", error: "invalid_client" }
  if (!isObject(body)) return { kind: "unclear", reason: reasons.unintelligible }
  const failed = quirks.okMember !== undefined && body[quirks.okMember] !== true
  if (typeof body.error === "string" && body.error !== "") return { kind: "error", error: rename(body.error, quirks) }
  if (failed || status >= 400) return { kind: "unclear", reason: reasons.unintelligible }
  return judgeMembers(membersOf(body, quirks, grantUse), quirks)
}

function judgeMembers(members: Members | undefined, quirks: OAuthQuirks): TokenJudgement {
  const { access_token, refresh_token, id_token, token_type, expires_in, scope } = members ?? {}
  if (!isText(access_token)) return { kind: "unclear", reason: reasons.unintelligible }
  const type = token_type === undefined ? "absent" : String(token_type).toLowerCase()
  if (type !== "bearer" && !quirks.tokenTypes?.includes(type)) return { kind: "unclear", reason: reasons.unfitToken }
  // RFC 6749 A.12 allows visible characters only. A header cannot contain other characters, and the error message about
  // them would expose the token in logs.
  if (!/^[\x20-\x7e]+$/.test(access_token)) return { kind: "unclear", reason: reasons.unfitToken }
  const lifetime = toLifetime(expires_in)
  const scopes = toScopes(scope, quirks)
  return {
    kind: "tokens",
    tokens: {
      accessToken: access_token,
      ...(isText(refresh_token) ? { refreshToken: refresh_token } : {}),
      ...(isText(id_token) ? { idToken: id_token } : {}),
      ...(lifetime === undefined ? {} : { lifetime }),
      ...(scopes === undefined ? {} : { scopes }),
    },
  }
}

/** A little over ten years, in seconds. Longer lifetimes are treated as mistakes. */
const longestLifetime = 3_700 * 86_400

/** The lifetime from a number or numeric text; undefined when it is missing, not positive or too long. */
function toLifetime(value: unknown): number | undefined {
  const seconds = typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  return typeof seconds === "number" && seconds > 0 && seconds <= longestLifetime ? seconds : undefined
}

function toScopes(value: unknown, { scopeSeparator }: OAuthQuirks): readonly string[] | undefined {
  if (Array.isArray(value)) return value.filter(isText)
  if (typeof value !== "string") return undefined
  // A provider with a `scopeSeparator` may use spaces or commas in its responses.
  return value.split(scopeSeparator === undefined ? / +/ : /[ ,]+/).filter(isText)
}

function membersOf(body: Members, { tokenPath }: OAuthQuirks, grantUse: "exchange" | "refresh"): Members | undefined {
  if (tokenPath === undefined) return body
  if (grantUse === "refresh" && !isText(valueAt(body, `${tokenPath}.access_token`))) return body
  const response = valueAt(body, tokenPath)
  return isObject(response) ? response : undefined
}

function rename(error: string, { errorMap = {} }: OAuthQuirks): string {
  return (Object.hasOwn(errorMap, error) ? errorMap[error] : undefined) ?? error
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}
