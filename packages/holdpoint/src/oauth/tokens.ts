// What a token endpoint's answer means. Pure. The body decides, not its label: tokens that can be kept are kept.

import { dig } from "../core/dotted.ts"
import type { Reason } from "../core/elicitation.ts"
import type { OAuthQuirks } from "../core/provider.ts"
import { reasons } from "./reasons.ts"

/** As it came: `body` is undefined when it was no JSON. */
export interface TokenAnswer {
  readonly status: number
  readonly body: unknown
}

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken?: string
  readonly idToken?: string
  /** In seconds, when the answer says it and it can be believed. */
  readonly lifetime?: number
  /** Absent when the answer does not say. */
  readonly scopes?: readonly string[]
}

export type TokenJudgement =
  | { readonly kind: "tokens"; readonly tokens: Tokens }
  /** The provider said no; `error` is its code, under the name that the specification has for it. */
  | { readonly kind: "error"; readonly error: string }
  /** Nobody can tell whether the provider acted. */
  | { readonly kind: "unclear"; readonly reason: Reason }

type Members = Readonly<Record<string, unknown>>

/** `refresh`: tokens may stand at the top although `tokenPath` names a place (Slack). */
export function judgeTokens(
  { status, body }: TokenAnswer,
  quirks: OAuthQuirks,
  use: "exchange" | "refresh",
): TokenJudgement {
  if (status >= 300 && status < 400) return { kind: "unclear", reason: reasons.redirected }
  // RFC 6749 §5.2: this status is about who we are, also where nothing more is said.
  if (status === 401 && !isMembers(body)) return { kind: "error", error: "invalid_client" }
  if (!isMembers(body)) return { kind: "unclear", reason: reasons.unintelligible }
  const failed = quirks.okMember !== undefined && body[quirks.okMember] !== true
  if (typeof body.error === "string" && body.error !== "") return { kind: "error", error: rename(body.error, quirks) }
  if (failed || status >= 400) return { kind: "unclear", reason: reasons.unintelligible }
  return judgeMembers(membersOf(body, quirks, use), quirks)
}

function judgeMembers(members: Members | undefined, quirks: OAuthQuirks): TokenJudgement {
  const { access_token, refresh_token, id_token, token_type, expires_in, scope } = members ?? {}
  if (!isText(access_token)) return { kind: "unclear", reason: reasons.unintelligible }
  const type = token_type === undefined ? "absent" : String(token_type).toLowerCase()
  if (type !== "bearer" && !quirks.tokenTypes?.includes(type)) return { kind: "unclear", reason: reasons.unfitToken }
  // RFC 6749 A.12: visible characters. A header that cannot carry it would throw it into somebody's log.
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

/** Ten years, with a day for each leap year and to spare. Longer lives are typing errors. */
const longestLifetime = 3_700 * 86_400

/** Numbers, and numbers written as text. Nothing, zero, less, or too much: unknown. */
function toLifetime(value: unknown): number | undefined {
  const seconds = typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  return typeof seconds === "number" && seconds > 0 && seconds <= longestLifetime ? seconds : undefined
}

function toScopes(value: unknown, { scopeSeparator }: OAuthQuirks): readonly string[] | undefined {
  if (Array.isArray(value)) return value.filter(isText)
  if (typeof value !== "string") return undefined
  // Providers with another separator are known to answer with either.
  return value.split(scopeSeparator === undefined ? / +/ : /[ ,]+/).filter(isText)
}

function membersOf(body: Members, { tokenPath }: OAuthQuirks, use: "exchange" | "refresh"): Members | undefined {
  if (tokenPath === undefined) return body
  if (use === "refresh" && !isText(dig(body, `${tokenPath}.access_token`))) return body
  const found = dig(body, tokenPath)
  return isMembers(found) ? found : undefined
}

function rename(error: string, { errorMap = {} }: OAuthQuirks): string {
  return (Object.hasOwn(errorMap, error) ? errorMap[error] : undefined) ?? error
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}
