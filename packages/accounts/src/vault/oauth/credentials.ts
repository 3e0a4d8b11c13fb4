// Selects what is stored of issued tokens, according to the provider's data. Pure.

import type { OAuthProvider, OAuthQuirks } from "@holdpoint/hub/internal"
import type { Tokens } from "../../oauth/tokens.ts"
import type { Credentials, SecretFields } from "../kind.ts"

export interface GrantFacts {
  /** The scopes that were requested, or granted so far. */
  readonly requestedScopes: readonly string[]
  /** When the request was sent; the token's lifetime is counted from then. */
  readonly requestedAt: number
  /** The fields stored before, or what the exchange learned about the account. */
  readonly fields: SecretFields
}

/** The credentials to store. Without a refresh token in the response, the old one stays valid (RFC 6749 §6). */
export function toCredentials(
  { quirks = {} }: OAuthProvider,
  tokens: Tokens,
  { requestedScopes, requestedAt, fields }: GrantFacts,
): Credentials {
  const scopes = grantedScopes(tokens.scopes, requestedScopes, quirks)
  const refreshToken = quirks.refresh === "never" ? undefined : (tokens.refreshToken ?? fields.refresh_token)
  const lifetime = quirks.neverExpires === true ? undefined : (tokens.lifetime ?? quirks.assumedLifetime)
  const { refresh_token: _old, ...otherFields } = fields
  return {
    fields: {
      ...otherFields,
      access_token: tokens.accessToken,
      token_type: "Bearer",
      // A refresh gets only the fields, and needs the granted scopes.
      scope: scopes.join(" "),
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    },
    scopes,
    issuedAt: requestedAt,
    ...(lifetime === undefined ? {} : { expiresAt: requestedAt + lifetime * 1000 }),
  }
}

/** RFC 6749 §5.1: a response without `scope` grants what was requested. */
export function grantedScopes(
  returnedScopes: readonly string[] | undefined,
  requestedScopes: readonly string[],
  { scopes, scopeImpliedBy = {} }: OAuthQuirks,
): readonly string[] {
  if (returnedScopes === undefined || scopes === "ignored") return requestedScopes
  const impliedScopes = requestedScopes.filter((scope) =>
    scopeImpliedBy[scope]?.some((other) => returnedScopes.includes(other)),
  )
  return [...new Set([...returnedScopes, ...impliedScopes])]
}
