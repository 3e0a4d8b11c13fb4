// The embedded identity provider: the whole sign-in over HTTP, with two browsers, and where it refuses to run.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createGuardedFetch, metadataLimits } from "@holdpoint/accounts"
import { createAddresses, createMemoryStorage, systemRuntime } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { createIdentity } from "@holdpoint/server/identity"
import { verifies } from "@holdpoint/testkit/verifies"
import { getRequestListener } from "@hono/node-server"
import * as oauth from "oauth4webapi"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { EmbeddedIdp } from "../src/idp/embedded.ts"
import { createEmbeddedIdp } from "../src/idp/embedded.ts"
import { createCookieJar } from "./cookie-jar.ts"

let idp: EmbeddedIdp
let origin: string
const server = createServer(
  getRequestListener(async (request) =>
    idp.handles(new URL(request.url).pathname) ? idp.fetch(request) : new Response("ours", { status: 404 }),
  ),
)

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  idp = createEmbeddedIdp({ publicUrl: origin, redirectUris: [`${origin}/signin/callback`] })
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

const insecure = { [oauth.allowInsecureRequests]: true }
const discover = async () => {
  const issuer = new URL(idp.issuer)
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
}

async function begin(change: Readonly<Record<string, string | undefined>> = {}) {
  const as = await discover()
  const verifier = oauth.generateRandomCodeVerifier()
  const url = new URL(as.authorization_endpoint ?? "")
  const parameters = {
    client_id: idp.client.id,
    redirect_uri: `${origin}/signin/callback`,
    response_type: "code",
    scope: "openid profile email",
    state: "the-state",
    nonce: "the-nonce",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...change,
  }
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return { as, verifier, url }
}

async function redeem(as: oauth.AuthorizationServer, callback: URL, verifier: string) {
  const client = { client_id: idp.client.id }
  const judged = oauth.validateAuthResponse(as, client, callback, "the-state")
  const redirectUri = `${origin}/signin/callback`
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.None(),
    judged,
    redirectUri,
    verifier,
    insecure,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: "the-nonce",
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(as, response, insecure)
  return oauth.getValidatedIdTokenClaims(tokens)
}

const pressed = (user: string) => new URLSearchParams({ user })

async function signIn(user: string, jar = createCookieJar()) {
  const { as, verifier, url } = await begin()
  const form = await jar.open(url)
  expect(form.status).toBe(200)
  const callback = await jar.open(form.url, pressed(user))
  return { claims: await redeem(as, new URL(callback.url), verifier), jar, callback }
}

describe("the embedded identity provider", () => {
  it("publishes only its own addresses, whatever the forwarded headers say", async () => {
    const as = await discover()
    expect(as.issuer).toBe(`${origin}/idp`)
    const forwarded = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" }
    const forged = await createCookieJar(forwarded).open(`${idp.issuer}/.well-known/openid-configuration`)
    expect(JSON.parse(forged.body)).toEqual(as)
    const addresses = Object.entries(as).filter(([name]) => /_endpoint$|_uri$/.test(name))
    expect(addresses.length).toBeGreaterThan(3)
    for (const [, address] of addresses) expect(address).toMatch(`${origin}/idp/`)
    expect(as.response_types_supported).toEqual(["code"])
    expect(as.code_challenge_methods_supported).toEqual(["S256"])
    expect(as.authorization_response_iss_parameter_supported).toBe(true)
    expect(as.end_session_endpoint).toBeUndefined()
  })

  it.each(["evil.example", "127.0.0.1:1"])("refuses requests to the host %j", async (host) => {
    const { status, body } = await createCookieJar({ host }).open(`${idp.issuer}/.well-known/openid-configuration`)
    expect(status).toBe(421)
    expect(body).not.toContain("issuer")
  })

  it("leaves everything else to the server it is mounted in", async () => {
    for (const path of ["/", "/idpx", "/inbox", "//idp/auth", "/signin?to=/idp"])
      expect((await createCookieJar().open(new URL(`${origin}${path}`))).body).toBe("ours")
  })

  it("signs in alice in one browser and bob in another, with their roles", async () => {
    const [alice, bob] = await Promise.all([signIn("alice"), signIn("bob")])
    expect(alice.claims).toMatchObject({ sub: "alice", name: "Alice", email: "alice@example.com", roles: ["admin"] })
    expect(bob.claims).toMatchObject({ sub: "bob", name: "Bob", roles: [] })
  })

  it("asks again each time, so that another person can sign in from the same browser", async () => {
    const first = await signIn("alice")
    const second = await signIn("bob", first.jar)
    expect(second.claims?.sub).toBe("bob")
  })

  it("keeps its cookies below its own path and away from scripts", async () => {
    const { url } = await begin()
    const jar = createCookieJar()
    const form = await jar.open(url)
    await jar.open(form.url, pressed("alice"))
    expect(jar.received.length).toBeGreaterThan(2)
    for (const cookie of jar.received) {
      expect(cookie).toMatch(/path=\/idp(?:\/|;|$)/i)
      expect(cookie).toMatch(/httponly/i)
      expect(cookie).toMatch(/samesite=lax/i)
    }
  })

  it("lets two tabs of one browser sign in side by side", async () => {
    const jar = createCookieJar()
    const [first, second] = [await begin(), await begin()]
    const forms = [await jar.open(first.url), await jar.open(second.url)]
    for (const form of forms) {
      const callback = await jar.open(form.url, pressed("alice"))
      expect(new URL(callback.url).searchParams.has("code")).toBe(true)
    }
  })

  verifies(
    "identity.embedded",
    "says on its page that it is not for production, with one button for each person, and without a script",
    async () => {
      const form = await createCookieJar().open((await begin()).url)
      expect(form.body).toContain("Not for production")
      expect(form.body).toContain('value="alice">Continue as alice</button>')
      expect(form.body).toContain('value="bob">Continue as bob</button>')
      expect(form.body).not.toContain('type="password"')
      expect(form.body).not.toContain("<script")
      expect(form.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
      expect(form.headers.get("cache-control")).toBe("no-store")
      expect(idp.warning).toContain("Not for production")
    },
  )

  it.each([
    ["an unknown name", "mallory"],
    ["a name in capitals", "Alice"],
    ["no name", ""],
    ["a name that is a script", '"><script>alert(1)</script>'],
  ])("signs no one in for %s, and shows the buttons again", async (_case, user) => {
    const jar = createCookieJar()
    const form = await jar.open((await begin()).url)
    const again = await jar.open(form.url, pressed(user))
    expect(again.status).toBe(422)
    expect(again.body).toContain('role="alert"')
    expect(again.body).not.toContain("<script")
    const callback = await jar.open(form.url, pressed("alice"))
    expect(new URL(callback.url).searchParams.has("code")).toBe(true)
  })

  it("redirects back with access_denied when the person cancels", async () => {
    const jar = createCookieJar()
    const form = await jar.open((await begin()).url)
    const callback = await jar.open(form.url, new URLSearchParams({ cancel: "yes" }))
    const { pathname, searchParams } = new URL(callback.url)
    expect(pathname).toBe("/signin/callback")
    expect(searchParams.get("error")).toBe("access_denied")
    expect(searchParams.get("iss")).toBe(idp.issuer)
  })

  it("lets no other browser finish a sign-in", async () => {
    const jar = createCookieJar()
    const form = await jar.open((await begin()).url)
    const other = createCookieJar()
    const theirs = await other.open((await begin()).url)
    for (const browser of [createCookieJar(), other]) {
      const refused = await browser.open(form.url, pressed("alice"))
      expect(refused.status).toBe(400)
      expect(refused.body).toContain("cannot go on")
    }
    expect((await other.open(theirs.url)).status).toBe(200)
  })

  it.each([
    ["a form on another site", { "sec-fetch-site": "cross-site" }, pressed("alice")],
    ["a form that is too long", {}, new URLSearchParams({ user: "x".repeat(5_000) })],
  ])("refuses %s", async (_case, headers, body) => {
    const jar = createCookieJar()
    const form = await jar.open((await begin()).url)
    expect((await jar.open(form.url, body, headers)).status).toBe(400)
  })

  it.each([
    ["without PKCE", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    ["with plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["for an ID token without a code", { response_type: "id_token" }, "unsupported_response_type"],
  ])("refuses to begin %s", async (_case, change, error) => {
    const { url } = await begin(change)
    const callback = await createCookieJar().open(url)
    const { searchParams, hash } = new URL(callback.url)
    expect(searchParams.get("error") ?? new URLSearchParams(hash.slice(1)).get("error")).toBe(error)
  })

  it.each([
    ["another redirect address", { redirect_uri: "https://evil.example/" }],
    ["another client", { client_id: "<script>alert(1)</script>" }],
  ])("shows its own page for %s, and does not redirect", async (_case, change) => {
    const { url } = await begin(change)
    const refused = await createCookieJar().open(url)
    expect(refused.status).toBe(400)
    expect(refused.body).toContain("cannot go on")
    expect(refused.body).not.toContain("<script")
    expect(refused.body).not.toContain("evil.example")
  })
})

describe("the sign-in of Holdpoint with the embedded identity provider", () => {
  const start = () =>
    createIdentity({
      storage: createMemoryStorage(),
      sealer: createSealer(withNewKey()),
      providers: [
        {
          id: "embedded",
          name: "this machine",
          issuer: idp.issuer,
          client: idp.client,
          tenant: "local",
          roles: { claim: "roles" },
        },
      ],
      addresses: createAddresses(origin),
      fetch: createGuardedFetch({ ...metadataLimits, allowLoopback: true }),
      runtime: systemRuntime,
    })

  verifies(
    "identity.embedded",
    "signs in alice in one browser and bob in another, without mixing them up",
    async () => {
      const identity = start()
      const arrive = async (user: string) => {
        const { url, browser } = await identity.begin({ identityProvider: "embedded", to: "inbox" })
        const jar = createCookieJar()
        const form = await jar.open(url)
        const callback = await jar.open(form.url, pressed(user))
        return { address: `${origin}/signin/callback`, parameters: new URL(callback.url).searchParams, browser }
      }
      const [alice, bob, misled] = await Promise.all([arrive("alice"), arrive("bob"), arrive("alice")])
      const swapped = await identity.finish({ ...misled, browser: bob.browser })
      expect(swapped).toMatchObject({ kind: "refused", reason: { code: "sign_in_other_browser" } })
      expect(await identity.finish(alice)).toMatchObject({
        kind: "signed_in",
        session: { principal: { tenant: "local", subject: "alice", roles: ["admin"] }, name: "Alice" },
      })
      expect(await identity.finish(bob)).toMatchObject({
        kind: "signed_in",
        session: { principal: { tenant: "local", issuer: idp.issuer, subject: "bob" }, name: "Bob" },
      })
      expect(await identity.finish(bob)).toMatchObject({ kind: "refused", reason: { code: "sign_in_unknown" } })
    },
  )
})

describe("a public address", () => {
  it.each(["https://hub.example", "http://192.168.1.4:3000", "https://localhost.evil.example", "nonsense"])(
    "stops the identity provider from starting, with what to configure: %s",
    (publicUrl) => {
      const start = () => createEmbeddedIdp({ publicUrl, redirectUris: [] })
      expect(start).toThrow(expect.objectContaining({ code: "invalid_config" }))
      expect(start).toThrow("Configure your own identity provider")
    },
  )

  it.each(["http://localhost:3000", "http://127.0.0.1:3000/", "http://[::1]:3000"])("is not %s", (publicUrl) => {
    const started = createEmbeddedIdp({ publicUrl, redirectUris: [`${new URL(publicUrl).origin}/signin/callback`] })
    expect(started.issuer).toBe(`${new URL(publicUrl).origin}/idp`)
  })
})
