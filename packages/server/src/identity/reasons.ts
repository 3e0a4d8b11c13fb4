// Messages for a failed sign-in. They never repeat anything from the provider's response.

import type { Reason } from "@holdpoint/hub"

const words = {
  sign_in_unknown: "This sign-in is unknown, or was used already. Sign in again.",
  sign_in_other_browser: "This sign-in was begun in another browser. Sign in again in this one.",
  sign_in_expired: "This sign-in took too long. Sign in again.",
  sign_in_invalid: "The identity provider's answer does not belong to this sign-in. Sign in again.",
  access_denied: "The identity provider did not let you in, or you said no there.",
  sign_in_incomplete: "The identity provider needs something more from you first. Sign in again.",
  tenant_not_allowed: "Your account does not belong to an organisation that may sign in here. Ask the administrator.",
  identity_provider_refused: "The identity provider refused the request. An administrator has to look into it.",
  identity_provider_unavailable: "The identity provider cannot be reached, or gave no usable answer. Try again later.",
} as const

export type SignInCode = keyof typeof words

export function reasonOf(code: SignInCode): Reason & { readonly code: SignInCode } {
  return { code, message: words[code] }
}

/** Returns the message for a code from the page's address. Undefined for unknown codes. */
export function signInWords(code: string | null): string | undefined {
  return code !== null && Object.hasOwn(words, code) ? words[code as SignInCode] : undefined
}

/** A sign-in attempt that failed before the person's claims were verified. */
export interface FailedProof {
  readonly kind: "refused" | "unknown" | "unavailable"
  readonly reason: Reason
}

/** Maps reason codes to sign-in codes; any other reason is a refusal by the identity provider. */
const byReason: Readonly<Record<string, SignInCode>> = {
  access_denied: "access_denied",
  provider_login_required: "sign_in_incomplete",
  provider_interaction_required: "sign_in_incomplete",
  provider_consent_required: "sign_in_incomplete",
  provider_account_selection_required: "sign_in_incomplete",
  provider_temporarily_unavailable: "identity_provider_unavailable",
  provider_server_error: "identity_provider_unavailable",
  unfit_provider: "identity_provider_unavailable",
  unsafe_address: "identity_provider_unavailable",
  malformed_answer: "sign_in_invalid",
  wrong_state: "sign_in_invalid",
  wrong_issuer: "sign_in_invalid",
  missing_issuer: "sign_in_invalid",
  wrong_id_token: "sign_in_invalid",
  missing_id_token: "sign_in_invalid",
  wrong_account: "sign_in_invalid",
}

export function signInCodeOf({ kind, reason }: FailedProof): SignInCode {
  if (kind !== "refused") return "identity_provider_unavailable"
  return (Object.hasOwn(byReason, reason.code) ? byReason[reason.code] : undefined) ?? "identity_provider_refused"
}

/** The reason as one text, for the log. */
export function problemOf({ code, message }: Reason): string {
  return message === undefined ? code : `${message} (${code})`
}
