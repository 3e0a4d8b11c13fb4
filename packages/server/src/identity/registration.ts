// Converts an identity provider to an OAuth client registration. Pure.

import type { EndpointUses, Registration } from "@holdpoint/accounts/internal"
import type { OAuthClient } from "@holdpoint/hub/internal"
import type { IdentityClient, IdentityProvider } from "./provider.ts"
import { clientAuthenticationOf, defaultScopes } from "./provider.ts"

/**
 * The endpoints that a sign-in uses. It uses no pushed authorization requests, because its request contains nothing
 * confidential.
 */
const uses: EndpointUses = {
  authorization_endpoint: true,
  token_endpoint: true,
  jwks_uri: true,
  userinfo_endpoint: false,
  end_session_endpoint: false,
}

/** The nonce protects the code too, so a provider whose metadata does not mention PKCE is accepted. */
export function toRegistration({ issuer, client, scopes }: IdentityProvider): Registration {
  const baseScopes = scopes ?? defaultScopes
  return { issuer, discovery: "oidc", pkce: "unlisted", client: toOAuthClient(client), baseScopes, uses }
}

export function toOAuthClient(client: IdentityClient): OAuthClient {
  const { id, secret = "" } = client
  const method = clientAuthenticationOf(client)
  return { id, authentication: method === "none" ? { method } : { method, secret } }
}
