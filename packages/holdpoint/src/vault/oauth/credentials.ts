// Selects what is stored of issued tokens, according to the provider's data. Pure.

import type { OAuthProvider, OAuthQuirks } from "../../core/provider.ts"
import type { Tokens } from "../../oauth/tokens.ts"
import type { Credentials, SecretFields } from "../kind.ts"

export interface Issue {
  /** The scopes that were requested, or granted so far. */
  readonly requested: readonly string[]
  /** When the request was sent; the token's lifetime is counted from then. */
  readonly at: number
  /** The fields stored before, or what the exchange learned about the account. */
  readonly fields: SecretFields
}

/** The credentials to store. Without a refresh token in the response, the old one stays valid (RFC 6749 §6). */
export function toCredentials(
  { quirks = {} }: OAuthProvider,
  tokens: Tokens,
  { requested, at, fields }: Issue,
): Credentials {
  const scopes = grantedScopes(tokens.scopes, requested, quirks)
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
    issuedAt: at,
    ...(lifetime === undefined ? {} : { expiresAt: at + lifetime * 1000 }),
  }
}

/** RFC 6749 §5.1: a response without `scope` grants what was requested. */
export function grantedScopes(
  returned: readonly string[] | undefined,
  requested: readonly string[],
  { scopes, scopeImpliedBy = {} }: OAuthQuirks,
): readonly string[] {
  if (returned === undefined || scopes === "ignored") return requested
  const implied = requested.filter((scope) => scopeImpliedBy[scope]?.some((other) => returned.includes(other)))
  return [...new Set([...returned, ...implied])]
}
