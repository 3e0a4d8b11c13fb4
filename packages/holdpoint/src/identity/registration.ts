// An identity provider as the OAuth client knows it. Pure.

import type { OAuthClient } from "../core/provider.ts"
import type { Registration, Uses } from "../oauth/registration.ts"
import type { IdentityClient, IdentityProvider } from "./provider.ts"
import { clientAuthenticationOf, defaultScopes } from "./provider.ts"

/** Not the endpoint for pushed requests: nothing in a sign-in is worth a request more. */
const uses: Uses = {
  authorization_endpoint: true,
  token_endpoint: true,
  jwks_uri: true,
  userinfo_endpoint: false,
  end_session_endpoint: false,
}

/** The nonce protects the code as well: a provider that keeps silent about PKCE may be signed in with. */
export function toRegistration({ issuer, client, scopes }: IdentityProvider): Registration {
  const baseScopes = scopes ?? defaultScopes
  return { issuer, discovery: "oidc", pkce: "unlisted", client: toOAuthClient(client), baseScopes, uses }
}

export function toOAuthClient(client: IdentityClient): OAuthClient {
  const { id, secret = "" } = client
  const method = clientAuthenticationOf(client)
  return { id, authentication: method === "none" ? { method } : { method, secret } }
}
