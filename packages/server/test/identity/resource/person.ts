// Somebody who gets tokens from a real authorization server: signed ones and opaque ones, each for one resource.

import { createHash, randomBytes } from "node:crypto"
import { type Oidc, oidcClient, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { openBrowser } from "@holdpoint/testkit/accounts/vault/providers/person"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { errors } from "oidc-provider"

export const redirectUri = "https://client.example/callback"

export type Formats = Readonly<Record<string, "jwt" | "opaque">>

export interface Tokens {
  readonly access_token: string
  readonly refresh_token?: string
  readonly id_token?: string
}

/** Knows these resources, whose tokens are signed or opaque. */
export function startAuthorizationServer(formats: Formats): Promise<Oidc> {
  return startOidc({
    redirectUris: [redirectUri],
    configuration: {
      features: {
        devInteractions: { enabled: false },
        introspection: { enabled: true, allowedPolicy: () => true },
        revocation: { enabled: true, allowedPolicy: () => true },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => [],
          useGrantedResource: () => true,
          getResourceServerInfo(_ctx, resource) {
            const accessTokenFormat = formats[resource]
            if (accessTokenFormat === undefined) throw new errors.InvalidTarget()
            const scope = "notes.read notes.write"
            return { scope, audience: resource, accessTokenFormat, jwt: { sign: { alg: "ES256" } } }
          },
        },
      },
    },
  })
}

/** Signs in, consents, and redeems the code. */
export async function getTokens({ issuer }: Oidc, resource: string, scope = "notes.read"): Promise<Tokens> {
  const verifier = randomBytes(32).toString("base64url")
  const code_challenge = createHash("sha256").update(verifier).digest("base64url")
  const all = {
    ...{ client_id: oidcClient.id, response_type: "code", redirect_uri: redirectUri, resource, prompt: "consent" },
    ...{
      scope: `openid offline_access ${scope}`,
      code_challenge,
      code_challenge_method: "S256",
      nonce: "n-0123456789",
    },
  }
  const back = await openBrowser().follow(`${issuer}/auth?${new URLSearchParams(all)}`, redirectUri)
  const code = back.searchParams.get("code") ?? ""
  const given = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier, resource }
  const response = await post(`${issuer}/token`, given)
  const tokens = (await response.json()) as Tokens
  noteCanary("access_token", tokens.access_token)
  noteCanary("refresh_token", tokens.refresh_token)
  return tokens
}

export async function revoke({ issuer }: Oidc, token: string): Promise<void> {
  await post(`${issuer}/token/revocation`, { token })
}

function post(url: string, form: Readonly<Record<string, string>>): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${oidcClient.id}:${oidcClient.secret}`).toString("base64")}`
  return fetch(url, { method: "POST", headers: { authorization }, body: new URLSearchParams(form) })
}
