// Checks of an identity provider's answers: every claim, the signature and the issuer. None of its words are shown.

import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { sessionKind } from "../../src/identity/records.ts"
import type { SigningOidc } from "./setup.ts"
import { createWorld, foreignKey, startIdentityProvider, withIdToken } from "./setup.ts"

let oidc: SigningOidc
beforeAll(async () => {
  oidc = await startIdentityProvider()
})
beforeEach(() => {
  Object.assign(oidc.settings, { user: "alice", decision: "yes" })
})
afterAll(() => oidc.close())

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds

describe("an ID token", () => {
  const forgeries: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ["of another issuer", { iss: "https://evil.example" }],
    ["for another client", { aud: "somebody-else" }],
    ["for several clients, issued to another", { aud: ["client", "other"], azp: "other" }],
    ["for this client, issued to another", { azp: "other" }],
    ["with another nonce", { nonce: "x".repeat(43) }],
    ["without a nonce", { nonce: undefined }],
    ["that has expired", { exp: inSeconds(-301) }],
    ["that never expires", { exp: undefined }],
    ["that is not valid yet", { nbf: inSeconds(400) }],
    ["without a subject", { sub: undefined }],
    ["whose subject cannot be kept", { sub: "a\u0000b" }],
  ]

  it.each(forgeries)("%s creates no session", async (_case, changes) => {
    const { signIn, wire, storage } = createWorld(oidc)
    wire.answers.set(
      "/token",
      withIdToken((idToken) => oidc.forge(idToken, changes)),
    )
    expect(await signIn()).toMatchObject({ kind: "refused", reason: { code: "sign_in_invalid" } })
    expect(await storage.records(sessionKind).list({ tenant: "acme", limit: 1 })).toEqual([])
  })

  it("that is signed again without a change signs in, so that the others are refused for their change", async () => {
    const { signIn, wire } = createWorld(oidc)
    wire.answers.set(
      "/token",
      withIdToken((idToken) => oidc.forge(idToken, {})),
    )
    expect((await signIn()).kind).toBe("signed_in")
  })

  verifies("identity.any-provider", "signed by another key creates no session", async () => {
    const { signIn, wire } = createWorld(oidc)
    wire.answers.set(
      "/token",
      withIdToken((idToken) => oidc.forge(idToken, {}, foreignKey)),
    )
    expect(await signIn()).toMatchObject({ reason: { code: "sign_in_invalid" } })
  })

  it.each([
    ["none", ""],
    ["HS256", "c2lnbmVk"],
  ])("with the algorithm %s creates no session", async (alg, signature) => {
    const { signIn, wire } = createWorld(oidc)
    const header = Buffer.from(JSON.stringify({ alg, kid: "test" })).toString("base64url")
    wire.answers.set(
      "/token",
      withIdToken((idToken) => `${header}.${idToken.split(".")[1]}.${signature}`),
    )
    expect(await signIn()).toMatchObject({ reason: { code: "sign_in_invalid" } })
  })

  it.each([
    ["cannot be fetched", () => new Response("", { status: 503 })],
    ["are a page", () => new Response("<h1>hi</h1>")],
  ])("whose keys %s creates no session, and may be retried later", async (_case, keys) => {
    const { signIn, wire } = createWorld(oidc)
    wire.answers.set("/jwks", keys)
    expect(await signIn()).toMatchObject({ reason: { code: "identity_provider_unavailable" } })
  })

  it("that is missing creates no session", async () => {
    const { signIn, wire } = createWorld(oidc)
    wire.answers.set("/token", async (response) => {
      const { id_token: _idToken, ...rest } = (await response.json()) as Record<string, unknown>
      return Response.json(rest)
    })
    expect(await signIn()).toMatchObject({ reason: { code: "sign_in_invalid" } })
  })

  it.each([-290, 290])("is accepted when the clocks differ by %i seconds", async (seconds) => {
    const { signIn, wire } = createWorld(oidc)
    const changes = { exp: inSeconds(seconds < 0 ? seconds : 3_600), nbf: inSeconds(seconds) }
    wire.answers.set(
      "/token",
      withIdToken((idToken) => oidc.forge(idToken, changes)),
    )
    expect((await signIn()).kind).toBe("signed_in")
  })
})

describe("userinfo", () => {
  it("of somebody else is refused", async () => {
    const { signIn, wire } = createWorld(oidc)
    wire.answers.set("/me", () => Response.json({ sub: "bob", name: "Bob", realm: { roles: ["admin"] } }))
    expect(await signIn()).toMatchObject({ reason: { code: "sign_in_invalid" } })
  })

  it("does not override signed claims", async () => {
    const { signIn, wire } = createWorld(oidc)
    wire.answers.set(
      "/token",
      withIdToken((idToken) => oidc.forge(idToken, { realm: { roles: ["reader"] } })),
    )
    wire.answers.set("/me", () => Response.json({ sub: "alice", name: "Alice", realm: { roles: ["admin"] } }))
    expect(await signIn()).toMatchObject({ session: { name: "Alice", principal: { roles: ["reader"] } } })
  })

  it("is not asked for when the ID token says everything", async () => {
    const { signIn, wire } = createWorld(oidc)
    const changes = { name: "Alice", realm: { roles: [] } }
    wire.answers.set(
      "/token",
      withIdToken((idToken) => oidc.forge(idToken, changes)),
    )
    const finished = await signIn()
    expect(finished).toMatchObject({ session: { name: "Alice" } })
    expect(wire.asked).not.toContain("/me")
  })
})

describe("an answer", () => {
  it.each([
    ["from another issuer", (parameters: URLSearchParams) => parameters.set("iss", "https://evil.example")],
    [
      "from an issuer that only looks the same",
      (parameters: URLSearchParams) => parameters.set("iss", `${oidc.issuer}/`),
    ],
    ["that lacks the issuer it should name", (parameters: URLSearchParams) => parameters.delete("iss")],
    ["with two issuers", (parameters: URLSearchParams) => parameters.append("iss", "https://evil.example")],
    ["with two codes", (parameters: URLSearchParams) => parameters.append("code", "x")],
    ["that brings its own ID token", (parameters: URLSearchParams) => parameters.set("id_token", "x")],
  ])("%s is refused before the token request", async (_case, change) => {
    const { identity, answered } = createWorld(oidc)
    const { parameters, browser } = await answered()
    change(parameters)
    const before = oidc.countTokens()
    expect(await identity.finish({ parameters, browser })).toMatchObject({ reason: { code: "sign_in_invalid" } })
    expect(oidc.countTokens()).toBe(before)
  })

  it("that is a No is refused as access_denied, and its description appears nowhere", async () => {
    oidc.settings.decision = "no"
    const { identity, answered, reports } = createWorld(oidc)
    const answer = await answered()
    expect(answer.parameters.get("error_description")).toContain("<script>")
    const finished = await identity.finish(answer)
    expect(finished).toMatchObject({ kind: "refused", reason: { code: "access_denied" }, to: "inbox" })
    expect(JSON.stringify([finished, reports])).not.toContain("script")
  })

  it.each([
    ["login_required", "sign_in_incomplete"],
    ["temporarily_unavailable", "identity_provider_unavailable"],
    ["server_error", "identity_provider_unavailable"],
    ["invalid_scope", "identity_provider_refused"],
    ["<script>alert(1)</script>", "identity_provider_refused"],
    ["constructor", "identity_provider_refused"],
  ])("with the error %s becomes %s, in our words", async (error, code) => {
    const { identity, answered, reports } = createWorld(oidc)
    const { parameters, browser } = await answered()
    parameters.delete("code")
    parameters.set("error", error)
    const finished = await identity.finish({ parameters, browser })
    expect(finished).toMatchObject({ kind: "refused", reason: { code } })
    expect(JSON.stringify([finished, reports])).not.toContain("script")
  })

  it("whose code the provider refuses is refused with a named reason", async () => {
    const { identity, answered } = createWorld(oidc)
    const { parameters, browser } = await answered()
    parameters.set("code", "made-up")
    expect(await identity.finish({ parameters, browser })).toMatchObject({
      reason: { code: "identity_provider_refused" },
    })
  })
})

describe("metadata", () => {
  it.each([
    ["of another issuer", { issuer: "https://evil.example" }],
    ["whose issuer has an extra slash", { slash: true }],
    ["that sends people to a script", { authorization_endpoint: "javascript:alert(1)" }],
    ["that sends people nowhere", { authorization_endpoint: undefined }],
  ])("%s begins no sign-in", async (_case, changes) => {
    const { begin, wire } = createWorld(oidc)
    wire.answers.set("/openid-configuration", async (response) => {
      const issuer = "slash" in changes ? { issuer: `${oidc.issuer}/` } : {}
      return Response.json({ ...((await response.json()) as object), ...changes, ...issuer })
    })
    await expect(begin()).rejects.toMatchObject({ code: "provider_unavailable" })
  })

  it("that omits PKCE and lists pushed requests signs in like any other", async () => {
    const { signIn, wire } = createWorld(oidc)
    wire.answers.set("/openid-configuration", async (response) =>
      Response.json({
        ...((await response.json()) as object),
        code_challenge_methods_supported: undefined,
        pushed_authorization_request_endpoint: `${oidc.issuer}/request`,
      }),
    )
    expect((await signIn()).kind).toBe("signed_in")
    expect(wire.asked).not.toContain("/request")
  })

  it("that does not announce iss allows answers without it, and still checks an iss that is there", async () => {
    const world = () => {
      const made = createWorld(oidc)
      made.wire.answers.set("/openid-configuration", async (response) =>
        Response.json({
          ...((await response.json()) as object),
          authorization_response_iss_parameter_supported: undefined,
        }),
      )
      return made
    }
    const [first, second] = [world(), world()]
    const without = await first.answered()
    without.parameters.delete("iss")
    expect((await first.identity.finish(without)).kind).toBe("signed_in")
    const swapped = await second.answered()
    swapped.parameters.set("iss", "https://evil.example")
    expect((await second.identity.finish(swapped)).kind).toBe("refused")
  })
})
