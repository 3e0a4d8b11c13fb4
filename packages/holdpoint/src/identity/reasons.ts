// Why a sign-in did not work out, in our own words. Nothing that came with the answer is ever repeated.

import {
  AUTHORIZATION_RESPONSE_ERROR,
  PARSE_ERROR,
  RESPONSE_BODY_ERROR,
  RESPONSE_IS_NOT_CONFORM,
  RESPONSE_IS_NOT_JSON,
  WWW_AUTHENTICATE_CHALLENGE,
} from "oauth4webapi"
import type { Reason } from "../core/elicitation.ts"
import { isHoldpointError } from "../core/error.ts"

const words = {
  sign_in_unknown: "This sign-in is not known here, or was used already. Sign in again.",
  sign_in_other_browser: "This sign-in was begun in another browser. Sign in again in this one.",
  sign_in_expired: "This sign-in took too long. Sign in again.",
  sign_in_invalid: "What the identity provider answered does not belong to this sign-in. Sign in again.",
  access_denied: "The identity provider did not let you in, or you said no there.",
  sign_in_incomplete: "The identity provider wanted something more from you before. Sign in again.",
  tenant_not_allowed: "Your account belongs to no organisation that may sign in here. Ask whoever runs this.",
  identity_provider_refused: "The identity provider refused what we asked for. Whoever runs this has to look at it.",
  identity_provider_unavailable: "The identity provider cannot be reached, or gave no usable answer. Try again later.",
} as const

export type SignInCode = keyof typeof words

export function reasonOf(code: SignInCode): Reason & { readonly code: SignInCode } {
  return { code, message: words[code] }
}

/** For a code that came in an address: anything else says nothing. */
export function signInWords(code: string | null): string | undefined {
  return code !== null && Object.hasOwn(words, code) ? words[code as SignInCode] : undefined
}

/** Errors of the authorization answer (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6). Others count as refused. */
const answered: Readonly<Record<string, SignInCode>> = {
  access_denied: "access_denied",
  login_required: "sign_in_incomplete",
  interaction_required: "sign_in_incomplete",
  consent_required: "sign_in_incomplete",
  account_selection_required: "sign_in_incomplete",
  temporarily_unavailable: "identity_provider_unavailable",
  server_error: "identity_provider_unavailable",
}

const byLibraryCode: Readonly<Record<string, SignInCode>> = {
  [RESPONSE_BODY_ERROR]: "identity_provider_refused",
  [WWW_AUTHENTICATE_CHALLENGE]: "identity_provider_refused",
  [RESPONSE_IS_NOT_CONFORM]: "identity_provider_unavailable",
  [RESPONSE_IS_NOT_JSON]: "identity_provider_unavailable",
  [PARSE_ERROR]: "identity_provider_unavailable",
}

/** What an error, thrown while the answer was judged or the token was fetched, means for the person. */
export function codeOf(error: unknown): SignInCode {
  const code = memberOf(error, "code")
  if (code === AUTHORIZATION_RESPONSE_ERROR)
    return lookUp(answered, memberOf(error, "error")) ?? "identity_provider_refused"
  if (isHoldpointError(error) && error.code === "not_signed_in") return "sign_in_invalid"
  if (!code.startsWith("OAUTH_")) return "identity_provider_unavailable"
  return lookUp(byLibraryCode, code) ?? "sign_in_invalid"
}

/** For the log: which error it was, without what it carries, which may be tokens. */
export function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown problem"
  const code = memberOf(error, "code") || memberOf(error.cause, "code")
  return code === "" ? error.message : `${error.message} (${code})`
}

const lookUp = (table: Readonly<Record<string, SignInCode>>, key: string): SignInCode | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

function memberOf(value: unknown, name: string): string {
  if (typeof value !== "object" || value === null) return ""
  const member = (value as Readonly<Record<string, unknown>>)[name]
  return typeof member === "string" ? member : ""
}
