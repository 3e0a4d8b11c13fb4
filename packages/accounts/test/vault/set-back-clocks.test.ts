// Clocks that are set back while a flow is open, accounts with more scopes than a question has room for, and a provider
// whose metadata changes between requests.

import type { ApiKeyProvider, Fetch, OAuthProvider } from "@holdpoint/accounts"
import { alice } from "@holdpoint/testkit/fixtures"
import { describe, expect, it } from "vitest"
import { apiKeyKind } from "../../src/vault/entered-credentials.ts"
import { createLeaseObserver } from "../../src/vault/lease.ts"
import { loginFlowKind } from "../../src/vault/login-flow.ts"
import { oauthKind } from "../../src/vault/oauth/kind.ts"
import { flowKind } from "../../src/vault/records.ts"
import { drive, hour, need, setUp } from "./scripted.ts"

const weather: ApiKeyProvider = {
  ...{ id: "weather", name: "Weather", kind: "api_key", api: ["https://api.weather.example"] },
  ...{ header: { name: "x-key" }, test: { method: "GET", url: "https://api.weather.example/me" } },
  identity: { from: "nothing" },
}

describe("a clock that is set back by hours", () => {
  it("does not keep a person from entering the right key after wrong ones", async () => {
    const { vault, clock } = setUp({
      providers: [weather],
      fetch: async (_url, init) =>
        Response.json({}, { status: new Headers(init?.headers).get("x-key") === "right" ? 200 : 401 }),
      kinds: {
        oauth: oauthKind,
        mcp_server: oauthKind as never,
        login_flow: loginFlowKind,
        api_key: apiKeyKind,
        basic: apiKeyKind as never,
      },
    })
    const question = await vault.ask({ ...need, provider: "weather", scopes: [], lifetimeMs: hour })
    const enter = (key: string) => vault.consent.enter(question, { principal: alice, session: "hers" }, { key })
    expect(await enter("wrong")).toMatchObject({ kind: "refused" })
    clock.set(clock.now() - 3 * hour)
    expect(await enter("wrong")).toMatchObject({ kind: "refused" })
    expect(await enter("right")).toEqual({ kind: "kept" })
  })

  it("does not delay the retry of a failed refresh by those hours", async () => {
    const { vault, clock, books, connected } = setUp()
    const { id } = await connected({ lifeMs: hour })
    const handle = await vault.use(id)
    await clock.advance(hour + 1)
    const away = () => ({ kind: "unknown", reason: { code: "unavailable" } }) as const
    books.script.push(away, away)
    await expect(handle.fetch("https://api.drive.example/files")).rejects.toMatchObject({
      code: "provider_unavailable",
    })
    clock.set(clock.now() - 2 * hour)
    books.refused.add("first-access-0")
    expect((await handle.fetch("https://api.drive.example/files")).status).toBe(200)
  })

  it("does not make a caller wait those hours for a process that died while it refreshed", () => {
    const { parts, clock } = setUp()
    const leaseObserver = createLeaseObserver(parts)
    const lease = { holder: "dead", until: clock.now() + parts.vaultTimes.leaseMs }
    expect(leaseObserver.hasEnded(lease)).toBe(false)
    clock.set(clock.now() - 2 * hour)
    expect(leaseObserver.hasEnded(lease)).toBe(false)
    clock.set(clock.now() + parts.vaultTimes.leaseMs)
    expect(leaseObserver.hasEnded(lease)).toBe(true)
  })
})

describe("an account with many scopes", () => {
  it("can be asked for with 40 scopes that are written as URLs", async () => {
    const { vault } = setUp()
    const scopes = Array.from({ length: 40 }, (_, at) => `https://api.drive.example/auth/part-${at}.readonly`)
    expect(await vault.ask({ ...need, scopes })).toMatchObject({ status: "pending" })
  })
})

describe("a provider that shares its redirect URI with another and wants the other's codes (RFC 9700 §4.4)", () => {
  const client = { id: "us", authentication: { method: "none" } } as const
  const hostile: OAuthProvider = {
    ...{ ...drive, id: "hostile", name: "Hostile", api: ["https://hostile.example"], client },
    ...{ issuer: "https://hostile.example", discovery: "oauth2", redirect: "single" },
  }
  const honest: OAuthProvider = { ...hostile, id: "honest", name: "Honest", issuer: "https://honest.example" }
  const visitor = { principal: alice, session: "hers" }

  const metadata = (namesIssuer: boolean): Response =>
    Response.json({
      issuer: "https://hostile.example",
      authorization_endpoint: "https://hostile.example/authorize",
      token_endpoint: "https://hostile.example/token",
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: namesIssuer,
    })

  /** What it says about itself, one answer after the other, and then the last again; and what it was sent. */
  const saying = (...answers: (() => Response)[]) => {
    const sent: string[] = []
    const fetch: Fetch = async (url, init) => {
      if (String(url).includes("/.well-known/"))
        return (answers.length > 1 ? answers.shift() : answers[0])?.() as Response
      sent.push(`${url} ${init?.body}`)
      return Response.json({ access_token: "x", token_type: "bearer" })
    }
    return { fetch, sent }
  }
  const options = (fetch: Fetch) => ({
    providers: [hostile, honest],
    fetch,
    kinds: {
      oauth: oauthKind,
      mcp_server: oauthKind as never,
      login_flow: loginFlowKind,
      api_key: apiKeyKind,
      basic: apiKeyKind as never,
    },
  })

  it("is not used while its metadata cannot be read, so it cannot avoid naming its issuer", async () => {
    const { fetch } = saying(
      () => new Response(null, { status: 503 }),
      () => metadata(false),
    )
    const { vault } = setUp(options(fetch))
    const question = await vault.ask({ ...need, provider: "hostile", scopes: [] })
    expect(await vault.consent.begin(question, visitor)).toMatchObject({ kind: "unavailable" })
  })

  it("gets no code through different metadata at the node to which the person returns", async () => {
    const { vault, another, storage } = setUp(options(saying(() => metadata(true)).fetch))
    const question = await vault.ask({ ...need, provider: "hostile", scopes: [] })
    const begun = await vault.consent.begin(question, visitor)
    if (begun.kind !== "begun") throw new Error(begun.kind)
    const address = new URL((await vault.consent.departureUrl(question, visitor, begun.browser)) ?? "")
    const { fetch, sent } = saying(() => metadata(false))
    const parameters = new URLSearchParams({
      state: address.searchParams.get("state") ?? "",
      code: "of-the-honest-one",
    })
    await another({ fetch }).consent.arrive({
      ...{ parameters, address: begun.flow.redirectUri ?? "" },
      visitor: async () => visitor,
      browser: () => begun.browser,
    })
    expect(sent).toEqual([])
    expect(await storage.records(flowKind).get(begun.flow.id)).toMatchObject({
      status: "failed",
      reason: { code: "missing_issuer" },
    })
  })
})
