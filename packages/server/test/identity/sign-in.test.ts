// Signing in, and everything that must not sign anybody in: replays, other browsers, other flows, late answers.

import { createHub, isHoldpointError } from "@holdpoint/hub"
import { openBrowser } from "@holdpoint/testkit/accounts/vault/providers/person"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { signedInPeople } from "../../src/identity/people.ts"
import { sessionKind, signInKind } from "../../src/identity/records.ts"
import type { SigningOidc } from "./setup.ts"
import { callback, createWorld, dump, providerAt, publicUrl, startIdentityProvider } from "./setup.ts"

let oidc: SigningOidc
beforeAll(async () => {
  oidc = await startIdentityProvider()
})
beforeEach(() => {
  Object.assign(oidc.settings, { user: "alice", decision: "yes" })
})
afterAll(() => oidc.close())

const code = (finished: { readonly kind: string; readonly reason?: { readonly code: string } }) =>
  finished.kind === "refused" ? finished.reason?.code : finished.kind

describe("a sign-in", () => {
  verifies(
    "identity.any-provider",
    "creates a session for the person whom the identity provider names, and leads back",
    async () => {
      const { identity, signIn, clock } = createWorld(oidc)
      const finished = await signIn()
      expect(finished).toMatchObject({ kind: "signed_in", to: "inbox" })
      if (finished.kind !== "signed_in") return
      expect(finished.session).toMatchObject({
        tenant: "acme",
        principal: { tenant: "acme", issuer: oidc.issuer, subject: "alice", roles: ["admin"] },
        name: "Alice Liddell",
        createdAt: clock.now(),
      })
      expect(await identity.session(finished.token)).toEqual(finished.session)
    },
  )

  verifies("directory.verified-email-only", "stores a person's verified e-mail address, and no other", async () => {
    const { storage, clock, signIn } = createWorld(oidc)
    const people = signedInPeople({ storage, runtime: clock })
    await signIn()
    Object.assign(oidc.settings, { user: "bob" })
    await signIn()
    const addressesOf = (subject: string) => people.addresses("email", { tenant: "acme", issuer: oidc.issuer, subject })
    expect(await addressesOf("alice")).toEqual(["alice@example.com"])
    expect(await addressesOf("bob")).toEqual([])
    expect(await people.people("acme", "reader")).toMatchObject([{ subject: "bob" }])
  })

  it("sends PKCE S256, a nonce and 256 bits of state, and nothing secret", async () => {
    const { begin } = createWorld(oidc)
    const { url, browser } = await begin()
    const sent = Object.fromEntries(new URL(url).searchParams)
    expect(sent).toMatchObject({
      response_type: "code",
      client_id: "client",
      redirect_uri: callback,
      scope: "openid profile email",
      code_challenge_method: "S256",
    })
    for (const part of [sent.state, sent.nonce, sent.code_challenge, browser]) expect(part).toMatch(/^[\w-]{43}$/)
    expect(url).not.toContain(browser)
    expect(url).not.toContain("secret")
  })

  it("is recorded in the trail, and so is the sign-out", async () => {
    const { identity, signIn, storage } = createWorld(oidc)
    const finished = await signIn()
    if (finished.kind !== "signed_in") throw new Error("not signed in")
    expect(await identity.end(finished.token)).toBe(true)
    const by = { tenant: "acme", issuer: oidc.issuer, subject: "alice" }
    expect(await storage.trail.read({ id: finished.session.id, limit: 10 })).toMatchObject([
      { kind: "signed_in", tenant: "acme", detail: { by, via: "corp" } },
      { kind: "signed_out", tenant: "acme", detail: { by } },
    ])
  })

  it("leaves nothing in the database that a thief could use", async () => {
    const { begin, identity, storage } = createWorld(oidc)
    const { url, browser } = await begin()
    const { searchParams } = new URL(url)
    const during = await dump(storage)
    for (const secret of [browser, searchParams.get("state"), searchParams.get("nonce")])
      expect(during).not.toContain(secret)
    const parameters = (await openBrowser().follow(url, callback)).searchParams
    const finished = await identity.finish({ parameters, browser })
    if (finished.kind !== "signed_in") throw new Error("not signed in")
    const after = await dump(storage)
    for (const secret of [finished.token, browser, parameters.get("code"), parameters.get("state")])
      expect(after).not.toContain(secret)
    expect(after).not.toContain("sealed")
  })

  it("ends the session that the browser had before", async () => {
    const { identity, signIn, answered } = createWorld(oidc)
    const first = await signIn()
    if (first.kind !== "signed_in") throw new Error("not signed in")
    const second = await identity.finish({ ...(await answered()), session: first.token })
    expect(second.kind).toBe("signed_in")
    expect(await identity.session(first.token)).toBeUndefined()
  })

  it("may be under way in two tabs of one browser", async () => {
    const { begin, identity } = createWorld(oidc)
    const first = await begin()
    const second = await begin({ browser: first.browser, to: "account" })
    expect(second.browser).toBe(first.browser)
    for (const { url, browser } of [second, first]) {
      const parameters = (await openBrowser().follow(url, callback)).searchParams
      expect(code(await identity.finish({ parameters, browser }))).toBe("signed_in")
    }
  })

  it("asks the provider for a new login when a person wants to change the account", async () => {
    const { begin } = createWorld(oidc)
    expect(new URL((await begin()).url).searchParams.has("prompt")).toBe(false)
    expect(new URL((await begin({ prompt: "login" })).url).searchParams.get("prompt")).toBe("login")
  })

  it("refuses a return path that is longer than any id, and stores nothing", async () => {
    const { begin, storage } = createWorld(oidc)
    await expect(begin({ to: "x".repeat(201) })).rejects.toThrow("too long")
    expect(await dump(storage)).toBe("[[],[],[]]")
  })

  it("replaces a cookie value that this server cannot have set", async () => {
    const { begin } = createWorld(oidc)
    expect((await begin({ browser: "x" })).browser).toMatch(/^[\w-]{43}$/)
  })

  it("may come back to another path of ours, and to no other address", async () => {
    const { begin } = createWorld(oidc)
    const redirectUri = `${publicUrl}/oauth/login-callback`
    const { url } = await begin({ redirectUri })
    expect(new URL(url).searchParams.get("redirect_uri")).toBe(redirectUri)
    await expect(begin({ redirectUri: "https://hub.example.evil/x" })).rejects.toThrow(/an address of this server/)
  })

  it("has a redirect URI for each of several providers, and accepts no answer at another's", async () => {
    const providers = [providerAt(oidc), providerAt(oidc, { id: "guests", name: "Guests", tenant: "guests" })]
    const { begin, identity } = createWorld(oidc, { providers })
    const [own, other] = [`${callback}/corp`, `${callback}/guests`]
    for (const address of [own, other]) oidc.allowRedirect(address)
    const answered = async () => {
      const { url, browser } = await begin()
      return { parameters: (await openBrowser().follow(url, own)).searchParams, browser }
    }
    const misled = await answered()
    expect(code(await identity.finish({ ...misled, address: other }))).toBe("sign_in_invalid")
    expect(code(await identity.finish({ ...misled, address: own }))).toBe("sign_in_unknown")
    expect(code(await identity.finish({ ...(await answered()), address: callback }))).toBe("sign_in_invalid")
    expect(code(await identity.finish({ ...(await answered()), address: own }))).toBe("signed_in")
  })

  it("fetches the metadata once an hour, whatever the number of people", async () => {
    const { begin, wire, clock } = createWorld(oidc)
    await Promise.all(Array.from({ length: 10 }, () => begin()))
    expect(wire.asked).toEqual(["/.well-known/openid-configuration"])
    await clock.advance(3_600_000)
    await begin()
    expect(wire.asked).toHaveLength(2)
  })

  it("names the identity provider that was probably meant", async () => {
    const { begin } = createWorld(oidc)
    await expect(begin({ identityProvider: "crop" })).rejects.toThrow("Did you mean corp?")
  })
})

describe("a callback", () => {
  it("works once: a replay is refused without a request to the provider", async () => {
    const { identity, answered } = createWorld(oidc)
    const answer = await answered()
    expect(code(await identity.finish(answer))).toBe("signed_in")
    const before = oidc.countTokens()
    expect(await identity.finish(answer)).toMatchObject({ kind: "refused", reason: { code: "sign_in_unknown" } })
    expect(oidc.countTokens()).toBe(before)
  })

  verifies(
    "identity.sign-in-once",
    "lets exactly one of 20 concurrent replays win, with one token request",
    async () => {
      const { identity, answered, storage } = createWorld(oidc)
      const answer = await answered()
      const before = oidc.countTokens()
      const finished = await Promise.all(Array.from({ length: 20 }, () => identity.finish(answer)))
      expect(finished.filter(({ kind }) => kind === "signed_in")).toHaveLength(1)
      expect(oidc.countTokens()).toBe(before + 1)
      expect(await storage.records(sessionKind).list({ tenant: "acme", limit: 100 })).toHaveLength(1)
    },
  )

  it.each([
    ["without the cookie", () => undefined],
    ["with another browser's cookie", (other: string) => other],
  ])("is refused %s, reveals nothing, and is then useless even to the browser that began", async (_case, pick) => {
    const { identity, answered, begin } = createWorld(oidc)
    const { parameters, browser } = await answered()
    const before = oidc.countTokens()
    const refused = await identity.finish({ parameters, browser: pick((await begin()).browser) })
    expect(refused).toMatchObject({ kind: "refused", reason: { code: "sign_in_other_browser" } })
    expect(refused).not.toHaveProperty("to")
    expect(oidc.countTokens()).toBe(before)
    expect(code(await identity.finish({ parameters, browser }))).toBe("sign_in_unknown")
    expect(oidc.countTokens()).toBe(before)
  })

  it("is refused with the state of another flow of the same browser, because the verifier differs", async () => {
    const { identity, begin } = createWorld(oidc)
    const [mine, other] = [await begin(), await begin()]
    const parameters = (await openBrowser().follow(mine.url, callback)).searchParams
    parameters.set("state", new URL(other.url).searchParams.get("state") ?? "")
    expect(code(await identity.finish({ parameters, browser: other.browser }))).toBe("identity_provider_refused")
  })

  it.each([
    ["without state", (parameters: URLSearchParams) => parameters.delete("state")],
    ["with an unknown state", (parameters: URLSearchParams) => parameters.set("state", "x".repeat(43))],
    ["with two states", (parameters: URLSearchParams) => parameters.append("state", parameters.get("state") ?? "")],
  ])("is refused %s", async (_case, change) => {
    const { identity, answered } = createWorld(oidc)
    const { parameters, browser } = await answered()
    change(parameters)
    expect(code(await identity.finish({ parameters, browser }))).toBe("sign_in_unknown")
  })

  it("is refused when it took too long, and names the destination for a new sign-in", async () => {
    const { identity, answered, clock, storage } = createWorld(oidc)
    const answer = await answered()
    await clock.advance(600_000)
    expect(await identity.finish(answer)).toMatchObject({ reason: { code: "sign_in_expired" }, to: "inbox" })
    expect(await dump(storage)).toBe("[[],[],[]]")
  })

  it("is refused when sealed fields were swapped in the database", async () => {
    const { identity, begin, storage, reports } = createWorld(oidc)
    const [mine, other] = [await begin(), await begin()]
    const [first, second] = await storage.records(signInKind).list({ tenant: "", limit: 2 })
    if (first?.sealed === undefined || second?.sealed === undefined) throw new Error("not sealed")
    await storage.records(signInKind).replace({ ...first, version: 2, sealed: second.sealed })
    await storage.records(signInKind).replace({ ...second, version: 2, sealed: first.sealed })
    for (const { url, browser } of [mine, other]) {
      const parameters = (await openBrowser().follow(url, callback)).searchParams
      expect(code(await identity.finish({ parameters, browser }))).not.toBe("signed_in")
    }
    expect(reports.join()).toContain("cannot be opened")
  })

  it("is refused when its identity provider was replaced meanwhile", async () => {
    const world = createWorld(oidc)
    const answer = await world.answered()
    const [signIn] = await world.storage.records(signInKind).list({ tenant: "", limit: 1 })
    if (signIn === undefined) throw new Error("no sign-in")
    await world.storage.records(signInKind).replace({ ...signIn, version: 2, issuer: "https://old.example" })
    expect(code(await world.identity.finish(answer))).toBe("sign_in_unknown")
  })
})

describe("sweeping", () => {
  it("removes abandoned sign-ins, and keeps those under way", async () => {
    const { begin, clock, storage } = createWorld(oidc)
    const hub = createHub({ storage, outlets: [], runtime: clock })
    await begin()
    await clock.advance(300_000)
    await begin()
    await clock.advance(300_000)
    expect((await hub.sweep()).recordsForgotten).toBe(1)
    await hub.close()
    expect(await storage.records(signInKind).list({ tenant: "", limit: 10 })).toHaveLength(1)
  })
})

describe("signing out at the identity provider", () => {
  it("uses the address that the provider offers, for people of this provider", async () => {
    const { identity, signIn } = createWorld(oidc)
    const finished = await signIn()
    if (finished.kind !== "signed_in") throw new Error("not signed in")
    const { principal } = finished.session
    const url = new URL((await identity.signOutAddress(principal)) ?? "")
    expect(url.origin).toBe(oidc.issuer)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "client",
      post_logout_redirect_uri: `${publicUrl}/signin`,
    })
    expect(await identity.signOutAddress({ ...principal, issuer: "local" })).toBeUndefined()
  })

  it("is skipped when the provider offers no address, or an unsafe one", async () => {
    for (const end_session_endpoint of [undefined, "javascript:alert(1)"]) {
      const { identity, wire } = createWorld(oidc)
      wire.answers.set("/openid-configuration", async (response) =>
        Response.json({ ...((await response.json()) as object), end_session_endpoint }),
      )
      expect(await identity.signOutAddress({ tenant: "acme", issuer: oidc.issuer, subject: "x" })).toBeUndefined()
    }
  })
})

describe("several tenants", () => {
  it("come from a claim whose value is on the list", async () => {
    const tenant = { claim: "org", allowed: ["acme", "globex"] }
    const { signIn } = createWorld(oidc, { providers: [providerAt(oidc, { tenant })] })
    expect(await signIn()).toMatchObject({ session: { principal: { tenant: "acme", subject: "alice" } } })
    oidc.settings.user = "bob"
    expect(await signIn()).toMatchObject({ session: { principal: { tenant: "globex", roles: ["reader"] } } })
  })

  verifies("identity.tenants-apart", "that are not on the list are refused", async () => {
    const tenant = { claim: "org", allowed: ["globex"] }
    const { signIn } = createWorld(oidc, { providers: [providerAt(oidc, { tenant })] })
    expect(code(await signIn())).toBe("tenant_not_allowed")
  })

  it("do not see or end each other's sessions", async () => {
    const tenant = { claim: "org", allowed: ["acme", "globex"] }
    const { signIn, identity } = createWorld(oidc, { providers: [providerAt(oidc, { tenant })] })
    const alice = await signIn()
    if (alice.kind !== "signed_in") throw new Error("not signed in")
    const { id, principal } = alice.session
    const namesake = { ...principal, tenant: "globex" }
    expect(await identity.list(principal)).toHaveLength(1)
    expect(await identity.list(namesake)).toEqual([])
    expect(await identity.endById(id, namesake)).toBe(false)
    expect(await identity.endAll(namesake)).toBe(0)
    expect(await identity.session(alice.token)).toBeDefined()
  })
})

describe("an identity provider that is down", () => {
  it("is reported as unavailable when a sign-in begins, and is asked again at the next sign-in", async () => {
    const gone = { ...oidc, issuer: "http://127.0.0.1:1" }
    const { begin, wire, reports } = createWorld(oidc, { providers: [providerAt(gone)] })
    const error = await begin().catch((thrown: unknown) => thrown)
    expect(isHoldpointError(error) && error.code).toBe("provider_unavailable")
    await begin().catch(() => {})
    expect(wire.asked).toHaveLength(2)
    expect(reports[0]).toContain("looking up corp")
  })

  it.each([
    ["answers 503", () => new Response("down", { status: 503 })],
    ["answers HTML", () => new Response("<h1>hi</h1>", { headers: { "content-type": "text/html" } })],
    ["breaks off its JSON", () => new Response("{", { headers: { "content-type": "application/json" } })],
    ["redirects", () => new Response(null, { status: 307, headers: { location: "https://evil.example" } })],
    [
      "cannot be reached",
      () => {
        throw new TypeError("fetch failed")
      },
    ],
  ])("is reported as unavailable when its token endpoint %s", async (_case, answer) => {
    const { identity, answered, wire } = createWorld(oidc)
    const given = await answered()
    wire.answers.set("/token", answer)
    expect(code(await identity.finish(given))).toBe("identity_provider_unavailable")
  })
})
