// The port for a kind of provider, as function values. One file implements each kind, and the rest of the vault calls
// these functions.

import type { Reason, Runtime } from "@holdpoint/hub"
import type { Account, Fetch, Provider } from "@holdpoint/hub/internal"

/** Plaintext secrets, only between unsealing and use. Never logged, never part of an error. */
export type SecretFields = Readonly<Record<string, string>>

/** The result of a consent, a refresh or an entered form. */
export interface Credentials {
  /** oauth: access_token, refresh_token?, id_token?, token_type. login_flow: login_name, app_password, server. */
  readonly fields: SecretFields
  readonly scopes: readonly string[]
  readonly issuedAt: number
  readonly expiresAt?: number
  /** The last four characters of what was entered. */
  readonly hint?: string
}

/** The functions that every kind of provider needs. `fetch` is a guarded fetch. */
export interface Tools {
  readonly fetch: Fetch
  readonly runtime: Runtime
}

export interface Kind<P extends Provider> {
  /** True when replaced credentials stay valid at the provider, so that each has to be revoked. */
  readonly outlivesRenewal: boolean
  /** The headers that carry the credentials in a call. Pure. */
  authorize(provider: P, fields: SecretFields): Readonly<Record<string, string>>
  refresh(provider: P, fields: SecretFields, tools: Tools): Promise<ProviderRefreshResult>
  identify(provider: P, fields: SecretFields, tools: Tools): Promise<IdentifyResult>
  revoke(provider: P, fields: SecretFields, tools: Tools): Promise<ProviderRevokeResult>
}

/**
 * `unknown`: the provider may or may not have acted (timeout, reset, unreadable response); the old refresh token is
 * kept and may be tried again. `dead`: the provider reported that the grant has ended. `nothing`: this kind has no
 * refresh.
 */
export type ProviderRefreshResult =
  | { readonly kind: "refreshed"; readonly credentials: Credentials }
  | { readonly kind: "dead"; readonly reason: Reason }
  | { readonly kind: "unknown"; readonly reason: Reason; readonly retryAfterMs?: number }
  | { readonly kind: "nothing" }

/** `refused`: the credentials do not work. `silent`: the provider does not identify the account. */
export type IdentifyResult =
  /** `email` is used for comparison only, and not stored. */
  | { readonly kind: "known"; readonly account: Account; readonly email?: string }
  | { readonly kind: "silent" }
  | { readonly kind: "refused"; readonly reason: Reason }
  | { readonly kind: "unavailable"; readonly reason: Reason }

/** `impossible`: the provider has no revocation; the person can remove the grant in its settings. */
export type ProviderRevokeResult =
  | { readonly kind: "revoked" }
  | {
      readonly kind: "later"
      readonly reason: Reason
      readonly retryAfterMs?: number
      /** The tokens for the next attempt, when this one renewed them: the provider may refuse the old ones. */
      readonly renewedFields?: SecretFields
    }
  | { readonly kind: "impossible"; readonly settings?: string }
