// What a token endpoint's answer means. Pure. The body decides, not its label: tokens that can be kept are kept.

import type { Reason } from "../../core/elicitation.ts"
import type { OAuthProvider, OAuthQuirks } from "../../core/provider.ts"
import { readPath } from "../api-call.ts"
import type { Credentials, SecretFields } from "../kind.ts"
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

export interface Issue {
  /** What was asked for, or was granted until now. */
  readonly asked: readonly string[]
  /** When the request was sent: the lifetime counts from then at the latest. */
  readonly at: number
  /** What was kept before, or what the exchange learned about the account. */
  readonly fields: SecretFields
}

/** What is kept of an answer. An absent refresh token means that the old one goes on (RFC 6749 §6). */
export function toCredentials(
  { quirks = {} }: OAuthProvider,
  tokens: Tokens,
  { asked, at, fields }: Issue,
): Credentials {
  const scopes = grantedScopes(tokens.scopes, asked, quirks)
  const refreshToken = quirks.refresh === "never" ? undefined : (tokens.refreshToken ?? fields.refresh_token)
  const lifetime = quirks.neverExpires === true ? undefined : (tokens.lifetime ?? quirks.assumedLifetime)
  const { refresh_token: _old, ...kept } = fields
  return {
    fields: {
      ...kept,
      access_token: tokens.accessToken,
      token_type: "Bearer",
      // A refresh has to know what was granted, and is given nothing but the fields.
      scope: scopes.join(" "),
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    },
    scopes,
    issuedAt: at,
    ...(lifetime === undefined ? {} : { expiresAt: at + lifetime * 1000 }),
  }
}

/** RFC 6749 §5.1: an answer without scopes grants what was asked for. */
export function grantedScopes(
  said: readonly string[] | undefined,
  asked: readonly string[],
  { scopes, scopeImpliedBy = {} }: OAuthQuirks,
): readonly string[] {
  if (said === undefined || scopes === "ignored") return asked
  const implied = asked.filter((scope) => scopeImpliedBy[scope]?.some((other) => said.includes(other)))
  return [...new Set([...said, ...implied])]
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
  if (use === "refresh" && readPath(body, `${tokenPath}.access_token`) === undefined) return body
  const found = tokenPath.split(".").reduce<unknown>((at, name) => (isMembers(at) ? at[name] : undefined), body)
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
