// Reasons for failures at an OAuth provider: codes for programs, and texts of this library for people. Texts of the
// provider (error_description, bodies) are never repeated.

import type { Reason } from "@holdpoint/hub"

/** The error codes of RFC 6749, OpenID Connect Core, RFC 8707 and RFC 9126, each with its text for people. */
const messages: Readonly<Record<string, string>> = {
  invalid_request: "The provider did not accept the request.",
  unauthorized_client: "The provider does not let this program ask in this way.",
  unsupported_response_type: "The provider does not support this kind of request.",
  unsupported_grant_type: "The provider does not support this kind of token request.",
  invalid_scope: "The provider does not know, or does not grant, the access that was asked for.",
  invalid_grant: "The provider does not accept this consent any more. Connect again.",
  invalid_client: "The provider does not recognise this program.",
  invalid_target: "The provider does not give access to this resource.",
  server_error: "The provider had a problem of its own. Try again later.",
  temporarily_unavailable: "The provider is busy. Try again later.",
  interaction_required: "The provider has to ask its user something first. Connect again.",
  login_required: "The provider wants its user to sign in again. Connect again.",
  account_selection_required: "The provider wants its user to choose an account. Connect again.",
  consent_required: "The provider wants its user to agree again. Connect again.",
  request_not_supported: "The provider does not support this kind of request.",
  request_uri_not_supported: "The provider does not support this kind of request.",
  invalid_request_uri: "The provider did not find the earlier request.",
  invalid_request_object: "The provider did not accept the request.",
  registration_not_supported: "The provider does not support this kind of request.",
}

/** Converts a provider's error code to a reason. Codes that are in no specification are not repeated. */
export function toProviderReason(error: string): Reason {
  if (error === "access_denied") return { code: "access_denied", message: "Access was denied at the provider." }
  const message = Object.hasOwn(messages, error) ? messages[error] : undefined
  return message === undefined
    ? { code: "provider_error", message: "The provider refused for an unknown reason." }
    : { code: `provider_${error}`, message }
}

export const reasons = {
  clientRefused: {
    code: "client_refused",
    message: "The provider refused this program, not the account. Check the client id, its secret and its settings.",
  },
  grantEnded: { code: "grant_ended", message: "The provider says that this consent has ended. Connect again." },
  unintelligible: {
    code: "provider_unintelligible",
    message: "The provider's response cannot be read.",
  },
  redirected: {
    code: "provider_redirected",
    message: "The provider answered with a redirect where none is allowed; nothing was sent there.",
  },
  unfitToken: {
    code: "unfit_token",
    message: "The provider returned a token of an unsupported type.",
  },
  malformedAnswer: {
    code: "malformed_answer",
    message: "The provider's response is not valid. Start again.",
  },
  wrongState: { code: "wrong_state", message: "The response belongs to another attempt. Start again." },
  wrongIssuer: {
    code: "wrong_issuer",
    message: "The response is from a different provider.",
  },
  missingIssuer: { code: "missing_issuer", message: "The response does not name its provider." },
  wrongIdToken: {
    code: "wrong_id_token",
    message: "The provider's statement about the account does not belong to this attempt.",
  },
  missingIdToken: { code: "missing_id_token", message: "The provider's response does not identify the account." },
  unreadableKey: {
    code: "client_key_unreadable",
    message: "The private key of this program cannot be used. Give a private JWK of type EC, OKP or RSA.",
  },
  credentialsRefused: { code: "credentials_refused", message: "The provider does not accept the credentials." },
  wrongAccount: { code: "wrong_account", message: "The provider named two different accounts for one consent." },
  unreadableIdentity: {
    code: "identity_unreadable",
    message: "The provider's answer does not say whose account it is.",
  },
} as const satisfies Record<string, Reason>

export function refuse(reason: Reason): { readonly kind: "refused"; readonly reason: Reason } {
  return { kind: "refused", reason }
}

/** Whether the server refused the client itself, not the grant (RFC 6749 §5.2). */
export function isAboutClient(error: string): boolean {
  return ["invalid_client", "unauthorized_client", "unsupported_grant_type"].includes(error)
}
