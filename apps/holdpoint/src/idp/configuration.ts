// Configures the embedded identity provider: one public client, authorization code with PKCE, no consent page, and a
// sign-in page every time.

import { generateKeyPairSync, randomBytes } from "node:crypto"
import type { Configuration } from "oidc-provider"
import { createIdpMemory } from "./memory.ts"
import { renderError } from "./pages.ts"
import { type DemoUser, emailOf } from "./users.ts"

export interface IdpSetup {
  readonly mount: string
  readonly client: { readonly id: string }
  readonly redirectUris: readonly string[]
  readonly users: readonly DemoUser[]
}

export function toConfiguration({ mount, client, redirectUris, users }: IdpSetup): Configuration {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const cookies = { httpOnly: true, sameSite: "lax" } as const
  return {
    adapter: createIdpMemory(),
    clients: [
      {
        client_id: client.id,
        redirect_uris: [...redirectUris],
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code"],
        response_types: ["code"],
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kty: "EC", use: "sig", alg: "ES256" }] },
    cookies: {
      keys: [randomBytes(32).toString("base64url")],
      short: cookies,
      // The path of the provider's own session cookie is never requested, so browsers do not send it back: signing out
      // of our pages is final, and the next person in the same browser has to sign in.
      long: { ...cookies, path: `${mount}/no-session` },
    },
    responseTypes: ["code"],
    pkce: { required: () => true },
    scopes: ["openid"],
    claims: { openid: ["sub"], profile: ["name", "preferred_username", "roles"], email: ["email", "email_verified"] },
    // Puts the claims into the ID token, so that no second request is needed.
    conformIdTokenClaims: false,
    findAccount: (_context, id) => toAccount(users.find((user) => user.id === id)),
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { url: (_context, { uid }) => `${mount}/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const accountId = oidc.session?.accountId
      if (oidc.client === undefined || accountId === undefined) return undefined
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId })
      grant.addOIDCScope("openid profile email")
      await grant.save()
      return grant
    },
    renderError,
    ttl: { AuthorizationCode: 60, AccessToken: 600, IdToken: 600, Grant: 600, Interaction: 900, Session: 900 },
  }
}

function toAccount(user: DemoUser | undefined) {
  if (user === undefined) return undefined
  const { id, name, roles = [] } = user
  const email = emailOf(user)
  return {
    accountId: id,
    claims: () => ({
      sub: id,
      name,
      preferred_username: id,
      roles: [...roles],
      email,
      email_verified: true,
    }),
  }
}
