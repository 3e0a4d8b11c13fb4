// The state of the app "OIDC identity provider": its clients, their grants, and its signing key.

import { generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto"
import { type AppToken, random, type World } from "../world.ts"

export interface OidcClient {
  readonly id: string
  readonly secret: string
  readonly name: string
  redirectUris: readonly string[]
  /** Whether the client is public: its secret is then not checked. */
  readonly isPublic: boolean
  /** Whether its access tokens are JWTs. */
  readonly isJwt: boolean
}

export interface OidcGrant {
  readonly client: OidcClient
  readonly user: string
  readonly scope: string
  readonly nonce: string | undefined
  readonly code: string
  readonly challenge?: { readonly value: string; readonly method: string }
  readonly signedInAt: number
  /** Set when the code was redeemed. */
  token?: AppToken
  refreshToken?: string
}

export interface Oidc {
  readonly clients: Map<string, OidcClient>
  readonly grants: Set<OidcGrant>
  readonly key: () => { readonly id: string; readonly private: KeyObject; readonly public: KeyObject }
}

export function oidcOf(world: World): Oidc {
  return world.derived("oidc", () => {
    let key: ReturnType<Oidc["key"]> | undefined
    const makeKey = () => {
      const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
      return { id: randomUUID(), private: privateKey, public: publicKey }
    }
    const state = world.state("oidc", () => ({
      clients: new Map<string, OidcClient>(),
      grants: new Set<OidcGrant>(),
    }))
    return {
      ...state,
      key: () => {
        key ??= makeKey()
        return key
      },
    }
  })
}

export const seconds = (world: World): number => Math.floor(world.now() / 1000)

export interface NewClient {
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly isPublic?: boolean
  readonly isJwt?: boolean
}

/** Creates a client, as an administrator does in the settings. */
export function createOidcClient(world: World, newClient: NewClient): OidcClient {
  const secret = world.reportSecret("client_secret", random(64))
  const client: OidcClient = { id: random(64), secret, isPublic: false, isJwt: false, ...newClient }
  oidcOf(world).clients.set(client.id, client)
  return client
}

export function idTokenOf(world: World, grant: OidcGrant, issuer: string): string {
  const nonce = grant.nonce === undefined ? {} : { nonce: grant.nonce }
  return signJwt(world, "JWT", { ...claimsOf(world, grant, issuer), nbf: seconds(world), ...nonce })
}

export function accessTokenOf(world: World, grant: OidcGrant, issuer: string): string {
  if (!grant.client.isJwt) return random(72)
  const accessClaims = {
    client_id: grant.client.id,
    preferred_username: grant.user,
    scope: grant.scope,
    salt: random(8),
  }
  return signJwt(world, "at+JWT", { ...claimsOf(world, grant, issuer), ...accessClaims })
}

function claimsOf(world: World, { client, user, signedInAt, token }: OidcGrant, issuer: string) {
  const now = seconds(world)
  return {
    iss: issuer,
    sub: user,
    aud: client.id,
    exp: now + world.switches.oidc.expiresIn,
    auth_time: signedInAt,
    iat: now,
    acr: "0",
    azp: client.id,
    jti: String(token?.id ?? 0),
  }
}

function signJwt(world: World, typ: string, claims: object): string {
  const key = oidcOf(world).key()
  const parts = [{ typ, alg: "RS256", kid: key.id }, claims]
  const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")
  return `${content}.${sign("sha256", Buffer.from(content), key.private).toString("base64url")}`
}
