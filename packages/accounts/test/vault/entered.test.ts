// Keys and passwords that people enter: which texts are refused, and what the provider's answer means for the rest.

import type { ApiKeyProvider, BasicProvider } from "@holdpoint/accounts"
import { createTestClock } from "@holdpoint/testing"
import { describe, expect, it } from "vitest"
import { apiKeyKind, basicKind, testCredentials } from "../../src/vault/entered-credentials.ts"

const me = { method: "GET", url: "https://api.example.org/me" } as const

const keyed: ApiKeyProvider = {
  kind: "api_key",
  id: "example",
  name: "Example",
  api: ["https://api.example.org"],
  headers: { "x-version": "2" },
  header: { name: "Authorization", prefix: "Bearer " },
  test: { method: "GET", url: "https://api.example.org/ping" },
  identity: { from: "call", call: me, id: "user.id", name: ["user.name", "user.login"] },
  help: { words: "Under Settings", url: "https://example.org/settings/keys" },
}

const basic: BasicProvider = {
  kind: "basic",
  id: "wiki",
  name: "Wiki",
  api: ["https://api.example.org"],
  test: me,
  identity: { from: "nothing" },
}

const key = "sk_example_0123456789"
const alice = { user: { id: 7, name: "Alice" } }

/** A provider that accepts one authorization, and remembers what it was asked. */
function answering(accepted: string, respond: (url: string) => Response = () => Response.json(alice)) {
  const asked: { readonly url: string; readonly headers: Headers }[] = []
  const fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    asked.push({ url: String(input), headers })
    return headers.get("authorization") === accepted ? respond(String(input)) : new Response("canary", { status: 401 })
  }
  return { asked, tools: { fetch, runtime: createTestClock() } }
}

describe("an entered key", () => {
  it("is tested at the provider, which names the account, and gets its last four characters as a hint", async () => {
    const { asked, tools } = answering(`Bearer ${key}`)
    expect(await testCredentials(keyed, { key: `  ${key}\n` }, tools)).toEqual({
      kind: "works",
      credentials: { fields: { key }, scopes: [], issuedAt: tools.runtime.now(), hint: "6789" },
      account: { id: "7", name: "Alice" },
    })
    expect(asked.map(({ url }) => url)).toEqual(["https://api.example.org/ping", "https://api.example.org/me"])
    expect(asked[0]?.headers.get("x-version")).toBe("2")
  })

  it("is tested with one request when the test also names the account", async () => {
    const { asked, tools } = answering(`Bearer ${key}`)
    const tested = await testCredentials({ ...keyed, test: me }, { key }, tools)
    expect(tested).toMatchObject({ kind: "works", account: { id: "7" } })
    expect(asked).toHaveLength(1)
  })

  it("works without an account when the provider does not name one", async () => {
    const { tools } = answering(`Bearer ${key}`)
    const tested = await testCredentials({ ...keyed, identity: { from: "nothing" } }, { key }, tools)
    expect(tested).toMatchObject({ kind: "works" })
    expect(tested).not.toHaveProperty("account")
  })

  it("gets no hint when it is so short that four characters would reveal much of it", async () => {
    const { tools } = answering("Bearer short-key-1")
    const tested = await testCredentials(keyed, { key: "short-key-1" }, tools)
    expect(tested.kind === "works" && tested.credentials).not.toHaveProperty("hint")
  })

  it.each([
    ["empty", "", "empty"],
    ["blank", "  \n", "empty"],
    ["with a line break", "abc\r\nx-evil: 1", "invalid_characters"],
    ["with a control character", "abc\u0000", "invalid_characters"],
    ["with a letter that no header can carry", "schlüssel", "invalid_characters"],
    ["longer than 4 KB", "x".repeat(4097), "too_long"],
  ])("that is %s is refused without a call", async (_what, entered, code) => {
    const { asked, tools } = answering("none")
    expect(await testCredentials(keyed, { key: entered }, tools)).toMatchObject({ kind: "refused", reason: { code } })
    expect(asked).toHaveLength(0)
  })

  it("that is missing from the form is refused", async () => {
    expect(await testCredentials(keyed, {}, answering("none").tools)).toMatchObject({ kind: "refused" })
  })

  it("that the provider does not accept is refused, in our words", async () => {
    const { tools } = answering("Bearer other")
    const tested = await testCredentials(keyed, { key }, tools)
    expect(tested).toMatchObject({ kind: "refused", reason: { code: "credentials_refused" } })
    expect(JSON.stringify(tested)).not.toMatch(new RegExp(`canary|${key}`))
  })

  it.each([
    ["too many requests", () => new Response(null, { status: 429 })],
    ["an error", () => new Response(null, { status: 503 })],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "https://evil.example" } })],
    ["a broken connection", () => Promise.reject(new TypeError("fetch failed")) as unknown as Response],
  ])("is neither kept nor called wrong after %s", async (_what, respond) => {
    const { tools } = answering(`Bearer ${key}`, respond)
    expect((await testCredentials(keyed, { key }, tools)).kind).toBe("unavailable")
  })

  it("is not kept when the identity call returns a page, and is refused when it names no account", async () => {
    const page = answering(`Bearer ${key}`, () => new Response("<html>"))
    expect((await testCredentials(keyed, { key }, page.tools)).kind).toBe("unavailable")
    const unnamed = answering(`Bearer ${key}`, () => Response.json({ ok: false }))
    expect(await testCredentials(keyed, { key }, unnamed.tools)).toMatchObject({
      kind: "refused",
      reason: { code: "account_unknown" },
    })
  })

  it("works with the statuses that the data accepts, and no others", async () => {
    const { tools } = answering(`Bearer ${key}`, () => new Response(null, { status: 404 }))
    const strange = { ...keyed, identity: { from: "nothing" }, test: { ...keyed.test, accepts: [404] } } as const
    expect((await testCredentials(strange, { key }, tools)).kind).toBe("works")
    expect((await testCredentials({ ...strange, test: keyed.test }, { key }, tools)).kind).toBe("refused")
  })

  it("is sent to the provider's own addresses only", async () => {
    const { asked, tools } = answering(`Bearer ${key}`)
    const astray = { ...keyed, test: { ...me, url: "https://api.example.org.evil.example/me" } }
    expect(await testCredentials(astray, { key }, tools)).toMatchObject({ reason: { code: "unsafe_address" } })
    expect(asked).toHaveLength(0)
  })
})

describe("an entered login", () => {
  const entered = { username: " älice ", password: " p:ä ss " }
  const header = `Basic ${Buffer.from("älice: p:ä ss ").toString("base64")}`

  it("is tested with the password unchanged, and its user name is the account if nothing else names one", async () => {
    const { tools } = answering(header)
    expect(await testCredentials(basic, entered, tools)).toEqual({
      kind: "works",
      credentials: {
        fields: { username: "älice", password: " p:ä ss " },
        scopes: [],
        issuedAt: tools.runtime.now(),
      },
      account: { id: "älice", name: "älice" },
    })
  })

  it.each([
    ["without a name", { password: "b" }, "user_name_missing"],
    ["without a password", { username: "a" }, "empty"],
    ["whose name has a colon", { username: "a:b", password: "c" }, "user_name_with_colon"],
    ["with a line break inside", { username: "a", password: "b\nc" }, "invalid_characters"],
    ["with an endless name", { username: "ä".repeat(2049), password: "b" }, "user_name_too_long"],
    ["with an endless password", { username: "a", password: "b".repeat(4097) }, "too_long"],
  ])("%s is refused without a call", async (_what, fields, code) => {
    const { asked, tools } = answering("none")
    expect(await testCredentials(basic, fields, tools)).toMatchObject({ kind: "refused", reason: { code } })
    expect(asked).toHaveLength(0)
  })
})

describe("what was entered", () => {
  it("is sent in the header that the provider's data names", () => {
    const named = { ...keyed, header: { name: "X-Api-Key" } }
    expect(apiKeyKind.authorize(keyed, { key })).toEqual({ authorization: `Bearer ${key}` })
    expect(apiKeyKind.authorize(named, { key })).toEqual({ "x-api-key": key })
    expect(basicKind.authorize(basic, { username: "a", password: "b" })).toEqual({ authorization: "Basic YTpi" })
  })

  it("has nothing to refresh, and can only be removed at the provider", async () => {
    const { tools } = answering("none")
    expect(await apiKeyKind.refresh(keyed, { key }, tools)).toEqual({ kind: "nothing" })
    expect(await basicKind.refresh(basic, {}, tools)).toEqual({ kind: "nothing" })
    const settings = "https://example.org/settings/keys"
    expect(await apiKeyKind.revoke(keyed, { key }, tools)).toEqual({ kind: "impossible", settings })
    expect(await basicKind.revoke(basic, {}, tools)).toEqual({ kind: "impossible" })
  })

  it("can be used to look up the account again", async () => {
    const { tools } = answering(`Bearer ${key}`)
    const account = { id: "7", name: "Alice" }
    expect(await apiKeyKind.identify(keyed, { key }, tools)).toEqual({ kind: "known", account })
    expect((await apiKeyKind.identify(keyed, { key: "other" }, tools)).kind).toBe("refused")
    expect(await apiKeyKind.identify({ ...keyed, identity: { from: "nothing" } }, { key }, tools)).toEqual({
      kind: "silent",
    })
  })
})
