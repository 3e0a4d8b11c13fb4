// Exchanging a caller's token at its provider: what is sent, how long the answer counts, and why there is none.

import type { Fetch } from "@holdpoint/accounts"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { describe, expect, it } from "vitest"
import type { TokenExchangeResult } from "../../src/identity/token-exchange.ts"
import { createTokenExchange } from "../../src/identity/token-exchange.ts"

const issuer = "https://login.example.org"
const grant = "urn:ietf:params:oauth:grant-type:token-exchange"
const token = "token-of-the-caller-in-these-tests"
noteCanary("access_token", token)

type Answer = () => Response | Promise<Response>

const granted =
  (seconds: number | null = 300): Answer =>
  () => {
    const access_token = `exchanged-${crypto.randomUUID()}`
    noteCanary("access_token", access_token)
    return Response.json({
      access_token,
      token_type: "Bearer",
      ...(seconds === null ? {} : { expires_in: seconds }),
    })
  }

function setUp(given: { readonly metadata?: object; readonly target?: string; readonly secret?: string } = {}) {
  const asked: { readonly body: URLSearchParams; readonly authorization: string | null }[] = []
  const state: { answer: Answer; now: number } = { answer: granted(), now: 1_000_000 }
  const fetch: Fetch = async (input, init = {}) => {
    const url = new URL(String(input))
    if (url.pathname.startsWith("/.well-known/"))
      return Response.json({ issuer, token_endpoint: `${issuer}/token`, ...given.metadata })
    const headers = new Headers(init.headers)
    asked.push({ body: new URLSearchParams(String(init.body)), authorization: headers.get("authorization") })
    return state.answer()
  }
  const { target = "nextcloud", secret = "secret" } = given
  const options = { issuer, target, fetch, client: { id: "us", secret }, runtime: { now: () => state.now } }
  return { ...createTokenExchange(options), asked, state }
}

const tokenIn = (exchanged: TokenExchangeResult): string => (exchanged.ok ? exchanged.token : exchanged.reason)

describe("a token exchange", () => {
  it("sends the caller's token with our own credentials, and names the audience", async () => {
    const { exchange, asked } = setUp()
    expect(await exchange(token)).toMatchObject({ ok: true, isNew: true })
    expect(Object.fromEntries(asked[0]?.body ?? [])).toEqual({
      grant_type: grant,
      subject_token: token,
      subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
      requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
      audience: "nextcloud",
    })
    expect(asked[0]?.authorization).toMatch(/^Basic /)
  })

  it("names an address as the resource", async () => {
    const { exchange, asked } = setUp({ target: "https://cloud.example.org" })
    await exchange(token)
    expect(asked[0]?.body.get("resource")).toBe("https://cloud.example.org")
    expect(asked[0]?.body.has("audience")).toBe(false)
  })

  it("is made once for concurrent callers, and cached until shortly before it expires", async () => {
    const { exchange, asked, state } = setUp()
    const all = await Promise.all([exchange(token), exchange(token), exchange(token)])
    expect(new Set(all.map(tokenIn)).size).toBe(1)
    state.now += 269_000
    expect(await exchange(token)).toMatchObject({ ok: true, isNew: false })
    expect(asked).toHaveLength(1)
    state.now += 2_000
    expect(await exchange(token)).toMatchObject({ ok: true, isNew: true })
    expect(asked).toHaveLength(2)
  })

  it("is made for each caller, and again once the cache has dropped it", async () => {
    const { exchange, forget, asked } = setUp()
    const mine = tokenIn(await exchange(token))
    expect(tokenIn(await exchange("token-of-another-caller"))).not.toBe(mine)
    forget(token)
    expect(tokenIn(await exchange(token))).not.toBe(mine)
    expect(asked).toHaveLength(3)
  })

  it("is cached for a short while when its lifetime is unknown", async () => {
    const { exchange, asked, state } = setUp()
    state.answer = granted(null)
    await exchange(token)
    state.now += 50_000
    await exchange(token)
    expect(asked).toHaveLength(1)
    state.now += 50_000
    await exchange(token)
    expect(asked).toHaveLength(2)
  })

  const refused =
    (error: string, status = 400): Answer =>
    () =>
      Response.json({ error, error_description: token }, { status })

  it.each([
    ["not_offered", refused("unsupported_grant_type")],
    ["client", refused("invalid_client", 401)],
    ["client", refused("unauthorized_client")],
    ["client", refused("access_denied", 403)],
    ["client", () => new Response("", { status: 401, headers: { "www-authenticate": 'Basic realm="x"' } })],
    ["target", refused("invalid_target")],
    ["token", refused("invalid_grant")],
    ["token", refused("something_new")],
    ["unavailable", refused("server_error", 500)],
    ["unavailable", () => new Response("<html>", { status: 200, headers: { "content-type": "text/html" } })],
    ["unavailable", () => Response.json({ token_type: "Bearer" })],
    ["unavailable", () => Promise.reject(new Error("no network"))],
  ] as const)("reports why it failed (%s), and is tried again the next time", async (reason, answer) => {
    const { exchange, state } = setUp()
    state.answer = answer
    expect(await exchange(token)).toEqual({ ok: false, reason })
    state.answer = granted()
    expect(await exchange(token)).toMatchObject({ ok: true })
  })

  it("is not tried with a provider whose metadata does not list the grant type", async () => {
    const { exchange, isOffered, asked } = setUp({ metadata: { grant_types_supported: ["authorization_code"] } })
    expect(await isOffered()).toBe("no")
    expect(await exchange(token)).toEqual({ ok: false, reason: "not_offered" })
    expect(asked).toEqual([])
    expect(await setUp().isOffered()).toBe("unsaid")
    expect(await setUp({ metadata: { grant_types_supported: [grant] } }).isOffered()).toBe("yes")
  })

  it("is never sent to an address without https", async () => {
    const { exchange, asked } = setUp({ metadata: { token_endpoint: "http://login.example.org/token" } })
    expect(await exchange(token)).toEqual({ ok: false, reason: "unavailable" })
    expect(asked).toEqual([])
  })
})
