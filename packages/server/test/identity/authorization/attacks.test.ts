// Attacks on the authorization server by a program, or by somebody in between; each row ends without a token.

import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { artifactKind } from "../../../src/identity/authorization/records.ts"
import {
  type Authority,
  alice,
  answer,
  authorize,
  authorizeUrl,
  type Client,
  challengeOf,
  desk,
  newVerifier,
  notes,
  openAuthority,
  openVisitor,
  redeem,
  refresh,
  writer,
} from "./setup.ts"

let authority: Authority
const files = { resource: "https://files.example/mcp", name: "Files", scopes: { "files.read": "read your files" } }
beforeAll(async () => {
  const clients = [
    { clientId: desk.id, name: "Desk", redirectUris: [desk.redirectUri] },
    {
      clientId: "web",
      name: "Web",
      redirectUris: ["https://web.example/callback"],
      secret: "secret-of-the-web-client",
    },
  ]
  authority = await openAuthority({ resources: [notes, files], clients })
})
afterAll(async () => {
  expect(authority.problems).toEqual([])
  await authority.close()
})

describe("at the authorization endpoint", () => {
  const pageCases: readonly (readonly [string, Client, Readonly<Record<string, string | undefined>>])[] = [
    ["an address that is not the program's", writer, { redirect_uri: "https://evil.example/callback" }],
    ["its address with something added", writer, { redirect_uri: `${writer.redirectUri}/more` }],
    ["its address with a query", writer, { redirect_uri: `${writer.redirectUri}?to=evil` }],
    ["no address at all", writer, { redirect_uri: undefined }],
    ["another port where it is not this machine", writer, { redirect_uri: "https://writer.example:444/callback" }],
    ["another host of this machine", desk, { redirect_uri: "http://localhost/callback" }],
    ["an unknown program", { id: "unknown", redirectUri: desk.redirectUri }, {}],
  ]
  it.each(pageCases)("%s gets an error page, and no redirect", async (_name, client, more) => {
    const { status, location, text } = await openVisitor().get(authorizeUrl(authority, client, newVerifier(), more))
    expect([status, location]).toEqual([400, undefined])
    expect(text).not.toContain("evil")
  })

  const redirectCases: readonly (readonly [string, Readonly<Record<string, string | undefined>>, string])[] = [
    ["without PKCE", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    ["with PKCE in plain", { code_challenge_method: "plain" }, "invalid_request"],
    ["without a PKCE method", { code_challenge_method: undefined }, "invalid_request"],
    ["for a token in the address", { response_type: "token" }, "unsupported_response_type"],
    ["for code and token", { response_type: "code token" }, "unsupported_response_type"],
    ["for an ID token", { response_type: "id_token", nonce: "n" }, "unsupported_response_type"],
    ["for a server that is not ours", { resource: "https://evil.example/mcp" }, "invalid_target"],
    ["for no server, where there are two", { resource: undefined }, "invalid_target"],
    ["by a form that posts itself", { response_mode: "form_post" }, "unsupported_response_mode"],
    ["without a prompt for the person", { prompt: "none" }, "login_required"],
  ]
  it.each(redirectCases)(
    "asking %s is refused, and the program learns which server refused it",
    async (_name, more, error) => {
      const { location } = await openVisitor().get(authorizeUrl(authority, desk, newVerifier(), more))
      expect(location?.href.startsWith(desk.redirectUri)).toBe(true)
      const parameters = new URLSearchParams(location?.search || location?.hash.slice(1))
      expect(parameters.get("error")).toBe(error)
      expect(parameters.get("iss")).toBe(authority.issuer)
      expect(parameters.has("code")).toBe(false)
    },
  )

  it("a request for two servers is refused", async () => {
    const url = `${authorizeUrl(authority, desk, newVerifier())}&resource=${encodeURIComponent(files.resource)}`
    const { location } = await openVisitor().get(url)
    expect(location?.searchParams.get("error")).toBe("invalid_target")
  })

  it("a program on the person's machine may choose its port (RFC 8252 §7.3)", async () => {
    const client = { ...desk, redirectUri: "http://127.0.0.1:43211/callback" }
    const granted = await authorize(authority, client)
    expect(granted.back.port).toBe("43211")
    expect((await redeem(authority, granted)).status).toBe(200)
    expect((await redeem(authority, { ...(await authorize(authority, client)), client: desk })).status).toBe(400)
  })

  it("a request gets only scopes of the server, and all of them when it names none", async () => {
    const some = await redeem(authority, await authorize(authority, writer, { scope: "notes.read files.read openid" }))
    expect(some.tokens.scope).toBe("notes.read")
    const all = await redeem(authority, await authorize(authority, writer, { scope: undefined }))
    expect(all.tokens.scope).toBe("notes.read notes.write")
    expect(all.tokens).not.toHaveProperty("id_token")
  })
})

describe("a request under way", () => {
  const begin = async () => {
    const visitor = openVisitor()
    const verifier = newVerifier()
    const begun = await visitor.get(authorizeUrl(authority, writer, verifier))
    return { visitor, verifier, id: begun.location?.pathname.split("/").at(-1) ?? "" }
  }
  const requests = () => authority.nodes[0]?.requests ?? expect.fail("there is no node")

  verifies("authority.browser-bound", "is visible only to the browser that began it", async () => {
    const { visitor, id } = await begin()
    const other = await begin()
    expect(await requests().find(id, null)).toBeUndefined()
    expect(await requests().find(id, other.visitor.header())).toBeUndefined()
    const [name] = [...visitor.cookies.keys()].filter((key) => key.startsWith("hp_authorize_"))
    expect(await requests().find(id, `${name}=${challengeOf(id)}`)).toBeUndefined()
    expect(await requests().find(id, visitor.header())).toBeDefined()
  })

  it("that was answered continues only in the browser that began it", async () => {
    const { visitor, id } = await begin()
    await answer(authority, visitor, id, alice)
    const again = await begin()
    const asked = await requests().find(again.id, again.visitor.header())
    if (asked !== undefined) await requests().allow(asked, { principal: alice, signedInAt: Date.now() })
    const stranger = await openVisitor().get(`${authority.issuer}/oauth/authorize/${again.id}`)
    expect([stranger.status, stranger.location]).toEqual([400, undefined])
  })

  it("that was declined returns access_denied to the program, and no code", async () => {
    const { visitor, id } = await begin()
    const back = await answer(authority, visitor, id, "no")
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: "access_denied",
      state: "s-1",
      iss: authority.issuer,
    })
    expect(back.searchParams.has("code")).toBe(false)
  })

  it("does not continue before it is answered", async () => {
    const { visitor, id } = await begin()
    const early = await visitor.get(`${authority.issuer}/oauth/authorize/${id}`)
    expect(early.location?.href ?? "").not.toContain("code=")
  })
})

describe("at the token endpoint", () => {
  const rows: readonly (readonly [string, Readonly<Record<string, string | undefined>>, string])[] = [
    ["without the verifier", { code_verifier: undefined }, "invalid_grant"],
    ["with an empty verifier", { code_verifier: "" }, "invalid_grant"],
    ["with another verifier", { code_verifier: "v".repeat(43) }, "invalid_grant"],
    ["with another address", { redirect_uri: "https://evil.example/callback" }, "invalid_grant"],
    ["without its address", { redirect_uri: undefined }, "invalid_request"],
    ["by another program", { client_id: desk.id }, "invalid_grant"],
    ["for another server", { resource: files.resource }, "invalid_target"],
    ["for a server that is not ours", { resource: "https://evil.example/mcp" }, "invalid_target"],
    ["by password", { grant_type: "password" }, "unsupported_grant_type"],
    ["in the program's own name", { grant_type: "client_credentials" }, "unsupported_grant_type"],
  ]
  it.each(rows)("a code is not redeemed %s", async (_name, more, error) => {
    const granted = await authorize(authority, writer)
    const { status, error: errorCode, tokens } = await redeem(authority, granted, more)
    expect([status, errorCode]).toEqual([400, error])
    expect(tokens).not.toHaveProperty("access_token")
  })

  it("a second use of a code revokes the tokens of the first", async () => {
    const refreshTokens = async () =>
      (await authority.storage.records(artifactKind).list({ tenant: "authorization", limit: 1_000 })).filter(
        ({ kind }) => kind === "RefreshToken",
      ).length
    const before = await refreshTokens()
    const granted = await authorize(authority, writer)
    const { tokens } = await redeem(authority, granted)
    expect(await refreshTokens()).toBe(before + 1)
    expect(await redeem(authority, granted)).toMatchObject({ status: 400, error: "invalid_grant" })
    expect(await refreshTokens()).toBe(before)
    expect(await refresh(authority, writer, tokens.refresh_token)).toMatchObject({ status: 400 })
  })

  it("a refresh token works only for the server that it was issued for", async () => {
    const { tokens } = await redeem(authority, await authorize(authority, writer))
    const other = await refresh(authority, writer, tokens.refresh_token, { resource: files.resource })
    expect(other).toMatchObject({ status: 400, error: "invalid_target" })
  })

  it("a program with a secret has to know it", async () => {
    const web = { id: "web", redirectUri: "https://web.example/callback" }
    const granted = await authorize(authority, web)
    expect(await redeem(authority, granted)).toMatchObject({ error: "invalid_client" })
    expect(await redeem(authority, granted, { client_secret: "another-secret-altogether" })).toMatchObject({
      error: "invalid_client",
    })
  })
})

describe("every answer", () => {
  it("forbids framing, caching and referrers", async () => {
    const visitor = openVisitor()
    for (const url of [
      authorizeUrl(authority, writer, newVerifier()),
      `${authority.issuer}/oauth/authorize?client_id=no`,
    ]) {
      const { headers } = await visitor.get(url)
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
      expect(headers.get("x-frame-options")).toBe("DENY")
      expect(headers.get("referrer-policy")).toBe("no-referrer")
      expect(headers.get("cache-control")).toContain("no-store")
      expect(headers.has("access-control-allow-origin")).toBe(false)
    }
  })

  it("is for our own host only", async () => {
    const { get } = await import("node:http")
    const url = new URL(`${authority.issuer}/oauth/jwks`)
    const status = await new Promise((resolve) => {
      get({ host: url.hostname, port: url.port, path: url.pathname, headers: { host: "evil.example" } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
    })
    expect(status).toBe(421)
  })
})
