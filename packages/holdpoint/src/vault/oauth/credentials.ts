// What is kept of the tokens that a provider issued, by what its data says of them. Pure.

import type { OAuthProvider, OAuthQuirks } from "../../core/provider.ts"
import type { Tokens } from "../../oauth/tokens.ts"
import type { Credentials, SecretFields } from "../kind.ts"

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
