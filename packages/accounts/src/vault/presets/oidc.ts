// Any OpenID Connect provider that publishes its metadata.

import type { ClientAuthentication, OAuthProvider } from "@holdpoint/hub/internal"
import { defineProvider } from "./define.ts"

/** What `oidc` needs to know. */
export interface OidcOptions {
  readonly id: string
  readonly name: string
  /** The issuer, exactly as the metadata document has it. */
  readonly issuer: string
  readonly clientId: string
  /** Sent with HTTP Basic authentication; for other methods set `authentication`. */
  readonly clientSecret?: string
  readonly authentication?: ClientAuthentication
  /** Origins that calls may go to; by default the issuer's origin. */
  readonly api?: readonly string[]
  readonly baseScopes?: readonly string[]
  readonly scopeWords?: Readonly<Record<string, string>>
  /** RFC 8707: the resource that the token is for. */
  readonly resource?: string
}

/** Accounts at any provider of OpenID Connect that publishes its metadata. */
export function oidc(options: OidcOptions): OAuthProvider {
  const { id, name, issuer, clientId, clientSecret, authentication, resource } = options
  const method: ClientAuthentication =
    clientSecret === undefined ? { method: "none" } : { method: "basic", secret: clientSecret }
  return defineProvider({
    kind: "oauth",
    id,
    name,
    api: options.api ?? [URL.parse(issuer)?.origin ?? issuer],
    issuer,
    discovery: "oidc",
    client: { id: clientId, authentication: authentication ?? method },
    pkce: "S256",
    baseScopes: options.baseScopes ?? ["openid", "profile", "email", "offline_access"],
    // OpenID Connect Core §11: offline access requires a consent prompt.
    authorizationParameters: { prompt: "consent" },
    scopeWords: { ...words, ...options.scopeWords },
    ...(resource === undefined ? {} : { resource }),
    redirect: "context",
    // OpenID Connect Core §5.4: names come from the userinfo endpoint, which refuses a token for another resource.
    identity: { from: resource === undefined ? "userinfo" : "id_token", id: "sub", name: names },
    revocation: { by: "rfc7009" },
  })
}

const names = ["email", "preferred_username", "name"]

const words = {
  openid: "Know who you are",
  profile: "See your name",
  email: "See your e-mail address",
  offline_access: "Keep access while you are away",
}
