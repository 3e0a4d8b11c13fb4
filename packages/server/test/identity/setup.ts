// Our sign-in against a real OpenID Connect provider, with a clock to advance and answers that a test can change.

import { createPrivateKey, generateKeyPairSync, type JsonWebKey, sign } from "node:crypto"
import { createGuardedFetch, metadataLimits } from "@holdpoint/accounts"
import type { Storage } from "@holdpoint/hub"
import { createAddresses, createMemoryStorage } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import type { TestClock } from "@holdpoint/testing"
import { createTestClock } from "@holdpoint/testing"
import { type Oidc, oidcClient, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { openBrowser } from "@holdpoint/testkit/accounts/vault/providers/person"
import type { Identity, IdentityOptions } from "../../src/identity/identity.ts"
import { createIdentity } from "../../src/identity/identity.ts"
import type { IdentityProvider } from "../../src/identity/provider.ts"
import { sessionKind, signInKind } from "../../src/identity/records.ts"
import type { FinishSignIn, SignInBegun, SignInFinished } from "../../src/identity/sign-in.ts"

export const publicUrl = "https://hub.example"
export const callback = `${publicUrl}/signin/callback`

export interface SigningOidc extends Oidc {
  /** An ID token of this server with other claims; undefined removes one. By another key: its signature is wrong. */
  forge(idToken: string, changes: Readonly<Record<string, unknown>>, key?: JsonWebKey): string
}

const newKey = (): JsonWebKey => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })
export const foreignKey = newKey()

/** Besides what `startOidc` gives: people have an organisation and roles, told at the userinfo endpoint. */
export async function startIdentityProvider(): Promise<SigningOidc> {
  const jwk = newKey()
  const oidc = await startOidc({
    redirectUris: [callback, `${publicUrl}/oauth/login-callback`],
    configuration: {
      jwks: { keys: [{ ...jwk, kty: "EC", use: "sig", alg: "ES256", kid: "test" }] },
      claims: { openid: ["sub"], profile: ["name", "org", "realm"], email: ["email", "email_verified"] },
      findAccount: (_ctx, sub) => ({
        accountId: sub,
        claims: () => ({
          sub,
          name: sub === "bob" ? "Bob <b>" : "Alice Liddell",
          org: sub === "alice" ? "acme" : "globex",
          email: `${sub}@example.com`,
          email_verified: sub === "alice",
          realm: { roles: sub === "alice" ? ["admin", "admin", 7] : "reader" },
        }),
      }),
    },
  })
  const forge: SigningOidc["forge"] = (idToken, changes, key = jwk) => {
    const [header = "", payload = ""] = idToken.split(".")
    const claims = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), ...changes }
    const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`
    const privateKey = createPrivateKey({ key, format: "jwk" })
    const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" })
    return `${signed}.${signature.toString("base64url")}`
  }
  return Object.assign(oidc, { forge })
}

export interface Wire {
  /** Changes what comes back from an address that ends like this. */
  readonly answers: Map<string, (response: Response) => Promise<Response> | Response>
  /** Every address that was asked, in order. */
  readonly asked: string[]
}

/** The identity of the tests comes back to `callback` unless told otherwise. */
export interface TestIdentity extends Omit<Identity, "finish"> {
  finish(given: Omit<FinishSignIn, "address"> & { readonly address?: string }): Promise<SignInFinished>
}

export interface World {
  readonly identity: TestIdentity
  readonly storage: Storage
  readonly clock: TestClock
  readonly reports: string[]
  readonly wire: Wire
  begin(wanted?: Partial<Parameters<Identity["begin"]>[0]>): Promise<SignInBegun>
  /** Begins, goes through the provider's pages and returns what it sent the browser back with. */
  answered(): Promise<{ readonly parameters: URLSearchParams; readonly browser: string }>
  signIn(): Promise<SignInFinished>
}

export function createWorld(oidc: Oidc, options: Partial<IdentityOptions> = {}): World {
  const storage = createMemoryStorage()
  const clock = createTestClock(Date.now())
  const reports: string[] = []
  const wire: Wire = { answers: new Map(), asked: [] }
  const guarded = createGuardedFetch({ ...metadataLimits, allowLoopback: true })
  const made = createIdentity({
    storage,
    sealer: createSealer(withNewKey()),
    providers: [providerAt(oidc)],
    addresses: createAddresses(publicUrl),
    async fetch(input, init) {
      const { pathname } = new URL(input)
      wire.asked.push(pathname)
      const response = await guarded(input, init)
      const change = [...wire.answers].find(([end]) => pathname.endsWith(end))?.[1]
      return change === undefined ? response : change(response)
    },
    runtime: clock,
    report: (doing, error) => reports.push(`${doing}: ${error instanceof Error ? error.message : error}`),
    ...options,
  })
  const identity: TestIdentity = { ...made, finish: (given) => made.finish({ address: callback, ...given }) }
  const begin: World["begin"] = (wanted = {}) => identity.begin({ identityProvider: "corp", to: "inbox", ...wanted })
  const answered = async () => {
    const { url, browser } = await begin()
    return { parameters: (await openBrowser().follow(url, callback)).searchParams, browser }
  }
  const signIn = async () => identity.finish(await answered())
  return { identity, storage, clock, reports, wire, begin, answered, signIn }
}

export function providerAt({ issuer }: Oidc, more: Partial<IdentityProvider> = {}): IdentityProvider {
  const client = { id: oidcClient.id, secret: oidcClient.secret }
  return { id: "corp", name: "Corp", issuer, client, tenant: "acme", roles: { claim: "realm.roles" }, ...more }
}

/** Changes the ID token in a token response. */
export function withIdToken(change: (idToken: string) => string): (response: Response) => Promise<Response> {
  return async (response) => {
    const body = (await response.json()) as { readonly id_token: string }
    return Response.json({ ...body, id_token: change(body.id_token) })
  }
}

/** Everything that the records hold, as a thief would read it. */
export async function dump({ records, trail }: Storage): Promise<string> {
  const signIns = await records(signInKind).list({ tenant: "", limit: 1_000 })
  const sessions = await records(sessionKind).list({ dueBefore: Number.MAX_SAFE_INTEGER, limit: 1_000 })
  return JSON.stringify([signIns, sessions, await trail.read({ limit: 1_000 })])
}
