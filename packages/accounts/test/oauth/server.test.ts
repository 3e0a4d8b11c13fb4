// Which servers are used: metadata counts as hostile until it is checked.

import type { Fetch } from "@holdpoint/accounts"
import { createGuardedFetch } from "@holdpoint/accounts"
import { describe, expect, it } from "vitest"
import type { ServerData } from "../../src/oauth/registration.ts"
import { judgeMetadata, resolveServer } from "../../src/oauth/server.ts"
import { github, oidc } from "../../src/vault/presets/index.ts"
import { createTools } from "../vault/oauth/setup.ts"

const issuer = "https://id.example.com"
const provider = oidc({ id: "oidc", name: "Test", issuer, clientId: "client" })
const document = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  revocation_endpoint: `${issuer}/revoke`,
  code_challenge_methods_supported: ["plain", "S256"],
  mtls_endpoint_aliases: { token_endpoint: "https://elsewhere.example" },
}

function counting(answer: () => Response): { readonly fetch: Fetch; readonly asked: string[] } {
  const asked: string[] = []
  const fetch: Fetch = async (url) => {
    asked.push(String(url))
    return answer()
  }
  return { asked, fetch }
}

describe("a metadata document", () => {
  it("is reduced to the members that are used", () => {
    const resolved = judgeMetadata(provider, document)
    expect(resolved).toMatchObject({ kind: "server", server: { issuer, namesIssuer: false } })
    expect(JSON.stringify(resolved)).not.toContain("elsewhere")
  })

  it.each([`${issuer}/`, "https://ID.example.com", "https://evil.example", undefined, 7])(
    "of the issuer %s is refused (RFC 8414 3.3)",
    (other) => {
      const resolved = judgeMetadata(provider, { ...document, issuer: other })
      expect(resolved).toMatchObject({ kind: "refused", reason: { code: "unfit_provider" } })
    },
  )

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "http://id.example.com/authorize",
    "http://127.0.0.1/authorize",
    "ms-settings:x$(calc)",
    "//id.example.com",
    "https://user:secret@id.example.com/",
    "https://id.example.com/#x",
    "",
    7,
    null,
  ])("with the address %s is refused (CVE-2025-6514)", (address) => {
    for (const member of ["authorization_endpoint", "token_endpoint", "revocation_endpoint"])
      expect(judgeMetadata(provider, { ...document, [member]: address })).toMatchObject({ kind: "refused" })
  })

  it.each<[unknown, ServerData["pkce"], string]>([
    [["S256"], "S256", "server"],
    [["plain"], "S256", "refused"],
    [[], "S256", "refused"],
    [undefined, "S256", "refused"],
    ["S256", "S256", "refused"],
    [undefined, "none", "server"],
    [undefined, "unlisted", "server"],
  ])("that lists %j for PKCE results, with pkce %s, in: %s", (methods, pkce, kind) => {
    const resolved = judgeMetadata({ ...provider, pkce }, { ...document, code_challenge_methods_supported: methods })
    expect(resolved.kind).toBe(kind)
    if (resolved.kind === "refused") expect(resolved.reason.message).toMatch(/discovery: "none".*pkce: "none"/)
  })

  it("must have the members that are used, and may have anything in the others", () => {
    const keysOnly = { ...provider, uses: { jwks_uri: true } }
    expect(judgeMetadata(keysOnly, document)).toMatchObject({ kind: "refused" })
    const { token_endpoint: _token, ...rest } = document
    const withKeys = { ...rest, jwks_uri: `${issuer}/keys`, authorization_endpoint: "javascript:alert(1)" }
    const resolved = judgeMetadata(keysOnly, withKeys)
    expect(resolved).toMatchObject({ kind: "server", server: { metadata: { issuer, jwks_uri: `${issuer}/keys` } } })
    expect(JSON.stringify(resolved)).not.toContain("javascript")
  })

  it.each([undefined, null, "page", 7, []])("that is %j is refused", (other) => {
    expect(judgeMetadata(provider, other)).toMatchObject({ kind: "refused" })
  })
})

describe("discovery", () => {
  it("asks once for a hundred callers, and again after an hour", async () => {
    const { fetch, asked } = counting(() => Response.json(document))
    const tools = createTools(fetch)
    await Promise.all(Array.from({ length: 100 }, () => resolveServer(provider, tools)))
    await tools.runtime.advance(3_599_000)
    await resolveServer(provider, tools)
    expect(asked).toEqual([`${issuer}/.well-known/openid-configuration`])
    await tools.runtime.advance(2000)
    expect(await resolveServer(provider, tools)).toMatchObject({ kind: "server" })
    expect(asked).toHaveLength(2)
  })

  it("inserts the well-known path as RFC 8414 defines", async () => {
    const { fetch, asked } = counting(() => Response.json({ ...document, issuer: `${issuer}/tenant` }))
    const below = { ...provider, issuer: `${issuer}/tenant`, discovery: "oauth2" } as const
    expect(await resolveServer(below, createTools(fetch))).toMatchObject({ kind: "server" })
    expect(asked).toEqual([`${issuer}/.well-known/oauth-authorization-server/tenant`])
  })

  const leading = (location: string) => new Response("", { status: 301, headers: { location } })

  it("follows a redirect within the origin, as web servers have for well-known addresses", async () => {
    const places = new Map([
      [`${issuer}/.well-known/openid-configuration`, () => leading("/index.php/.well-known/openid-configuration")],
      [`${issuer}/index.php/.well-known/openid-configuration`, () => Response.json(document)],
    ])
    const tools = createTools(async (url) => places.get(String(url))?.() ?? new Response("", { status: 404 }))
    expect(await resolveServer(provider, tools)).toMatchObject({ kind: "server", server: { issuer } })
  })

  it.each([
    ["another host", () => leading("https://evil.example/.well-known/openid-configuration")],
    ["plain http", () => leading("http://id.example.com/.well-known/openid-configuration")],
    ["itself, without end", () => leading("/.well-known/openid-configuration")],
  ])("does not follow a redirect to %s", async (_name, answer) => {
    const { fetch, asked } = counting(answer)
    expect(await resolveServer(provider, createTools(fetch))).toMatchObject({ kind: "refused" })
    expect(new Set(asked)).toEqual(new Set([`${issuer}/.well-known/openid-configuration`]))
    expect(asked.length).toBeLessThan(10)
  })

  it.each<[string, () => Response, string]>([
    ["a 404", () => new Response("", { status: 404 }), "refused"],
    ["a redirect", () => new Response("", { status: 302, headers: { location: "https://evil.example" } }), "refused"],
    ["a page", () => new Response("<h1>Hello</h1>", { headers: { "content-type": "text/html" } }), "refused"],
    ["a 503", () => new Response("", { status: 503 }), "unavailable"],
    ["a network error", () => Response.error(), "refused"],
  ])("that finds %s is not cached", async (_name, answer, kind) => {
    let next = answer
    const { fetch, asked } = counting(() => next())
    const tools = createTools(fetch)
    expect(await resolveServer(provider, tools)).toMatchObject({ kind })
    next = () => Response.json(document)
    expect(await resolveServer(provider, tools)).toMatchObject({ kind: "server" })
    expect(asked).toHaveLength(2)
  })

  it("does not go to addresses that the guarded fetch refuses", async () => {
    const guarded = createGuardedFetch({ timeoutMs: 5000, until: "body" })
    const inside = { ...provider, issuer: "https://169.254.169.254" }
    expect(await resolveServer(inside, createTools(guarded))).toMatchObject({
      kind: "refused",
      reason: { code: "unsafe_address" },
    })
  })

  it("is not needed when endpoints are configured, which are checked too", async () => {
    const given = github({ clientId: "client", clientSecret: "secret" })
    const tools = createTools(() => Promise.reject(new Error("no request is expected")))
    expect(await resolveServer(given, tools)).toMatchObject({ kind: "server", server: { issuer: given.issuer } })
    const wrong = { ...given, endpoints: { ...given.endpoints!, token: "http://github.com/token" } }
    expect(await resolveServer(wrong, tools)).toMatchObject({ kind: "refused" })
  })
})
