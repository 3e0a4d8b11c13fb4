// Refreshing when things go wrong at the token endpoint: only the provider's own word ends a grant, and no reason holds
// a secret.

import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import type { OAuthProvider } from "@holdpoint/accounts"
import { createGuardedFetch } from "@holdpoint/accounts"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { redeem } from "../../../src/vault/oauth/callback.ts"
import { oauthKind } from "../../../src/vault/oauth/kind.ts"
import { defineProvider } from "../../../src/vault/presets/index.ts"
import { createTools } from "./setup.ts"

const secrets = [
  "client-canary",
  "access-canary",
  "refresh-canary",
  "code-canary",
  "verifier-canary",
  "words-of-the-provider",
]
const fields = { access_token: "access-canary", refresh_token: "refresh-canary", scope: "read", token_type: "Bearer" }
const tokens = { access_token: "new-access", token_type: "bearer", expires_in: 60, refresh_token: "new-refresh" }

let answer: (response: ServerResponse) => void
const heard: string[] = []
const forms: URLSearchParams[] = []
const server = createServer(async (request, response) => {
  heard.push(`${request.method} ${request.url}`)
  forms.push(new URLSearchParams(await text(request)))
  answer(response)
})
let provider: OAuthProvider
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider = defineProvider({
    kind: "oauth",
    id: "odd",
    name: "Odd",
    api: [at],
    discovery: "none",
    endpoints: { authorization: `${at}/authorize`, token: `${at}/token`, revocation: `${at}/revoke` },
    client: { id: "client", authentication: { method: "post", secret: "client-canary" } },
    pkce: "S256",
    redirect: "context",
    identity: { from: "nothing" },
    revocation: { by: "rfc7009" },
  })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const exchange = {
  parameters: new URLSearchParams({ code: "code-canary", state: "s" }),
  state: "s",
  redirectUri: "https://hub.example/callback",
  secrets: { verifier: "verifier-canary" },
  scopes: ["read"],
}

const send =
  (status: number, body: string, headers: Readonly<Record<string, string>> = { "content-type": "application/json" }) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body)
const json = (body: unknown, status = 200) => send(status, JSON.stringify(body))
const refuse = (error: string, status = 400) => json({ error, error_description: secrets.join(" ") }, status)

const limits = { allowLoopback: true, maxBytes: 2000, until: "body" } as const
const tools = createTools(createGuardedFetch({ ...limits, timeoutMs: 5000 }))
/** Long enough that a busy machine still brings the request to the server. */
const impatient = createTools(createGuardedFetch({ ...limits, timeoutMs: 2_000 }))

interface Fault {
  readonly name: string
  readonly does: (response: ServerResponse) => void
  readonly code: string
  readonly waits?: typeof tools
}

const faults: readonly Fault[] = [
  { name: "answers with 500", does: send(500, "oops"), code: "provider_unavailable" },
  { name: "answers with 500 and invalid_grant", does: refuse("invalid_grant", 500), code: "provider_unavailable" },
  {
    name: "shows a page",
    does: send(200, "<h1>words-of-the-provider</h1>", { "content-type": "text/html" }),
    code: "provider_unintelligible",
  },
  {
    name: "stops in the middle of its JSON",
    does: send(200, '{"access_token":"access-ca'),
    code: "provider_unintelligible",
  },
  { name: "answers with nothing", does: send(200, ""), code: "provider_unintelligible" },
  { name: "sends elsewhere", does: send(307, "", { location: "/elsewhere" }), code: "provider_redirected" },
  { name: "gives a token of another kind", does: json({ ...tokens, token_type: "mac" }), code: "unfit_token" },
  { name: "does not know us", does: refuse("invalid_client", 401), code: "client_refused" },
  { name: "says no in words of its own", does: refuse("words-of-the-provider"), code: "provider_error" },
  { name: "says no without words", does: json({}, 403), code: "provider_unintelligible" },
  { name: "hangs up", does: (response) => void response.destroy(), code: "provider_unavailable" },
  {
    name: "hangs up in the middle of the body",
    does: (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "500" })
      response.write(JSON.stringify(tokens).slice(0, 20), () => response.destroy())
    },
    code: "provider_unavailable",
  },
  { name: "never answers", does: () => {}, code: "provider_unavailable", waits: impatient },
  { name: "answers without end", does: json({ ...tokens, more: "x".repeat(5000) }), code: "provider_unavailable" },
]

describe("a token endpoint that", () => {
  it.each(faults)(
    "$name leaves the grant as it was, and no secret in the reason",
    async ({ does, code, waits = tools }) => {
      answer = does
      heard.length = 0
      const refreshed = await oauthKind.refresh(provider, fields, waits)
      expect(refreshed).toMatchObject({ kind: "unknown", reason: { code } })
      expect(heard).toEqual(["POST /token"])
      for (const secret of secrets) expect(JSON.stringify(refreshed)).not.toContain(secret)
    },
  )

  it.each(faults)(
    "$name at the exchange grants nothing, and the reason contains no secret",
    async ({ does, waits = tools }) => {
      answer = does
      const exchanged = await redeem(provider, exchange, waits)
      expect(exchanged.kind).toMatch(/^(?:unknown|refused)$/)
      for (const secret of secrets) expect(JSON.stringify(exchanged)).not.toContain(secret)
    },
  )

  it.each<[number, string, number | undefined]>([
    [429, "7", 7000],
    [503, "120", 120_000],
    [503, "soon", undefined],
    [429, "", undefined],
  ])("answers %i with Retry-After “%s” is asked again after %s ms", async (status, value, retryAfterMs) => {
    answer = send(status, "", { "retry-after": value })
    const refreshed = await oauthKind.refresh(provider, fields, tools)
    expect(refreshed.kind).toBe("unknown")
    expect(refreshed.kind === "unknown" && refreshed.retryAfterMs).toBe(retryAfterMs)
    const revoked = await oauthKind.revoke(provider, fields, tools)
    expect(revoked.kind).toBe("later")
    expect(revoked.kind === "later" && revoked.retryAfterMs).toBe(retryAfterMs)
  })

  it("names a date in Retry-After is asked again on that date", async () => {
    const at = new Date(Math.ceil(tools.runtime.now() / 1000) * 1000 + 30_000)
    answer = send(503, "", { "retry-after": at.toUTCString() })
    const refreshed = await oauthKind.refresh(provider, fields, tools)
    expect(refreshed.kind === "unknown" && refreshed.retryAfterMs).toBe(at.getTime() - tools.runtime.now())
  })

  it("belongs to another issuer than the attempt began with gets no code", async () => {
    heard.length = 0
    const begun = { ...exchange, issuer: "https://another.example" }
    const exchanged = await redeem(provider, begun, tools)
    expect(exchanged).toMatchObject({ kind: "refused", reason: { code: "wrong_issuer" } })
    expect(heard).toEqual([])
  })

  it("has a revocation endpoint beside it leads to revoking the refresh token, then the access token", async () => {
    answer = send(200, "")
    forms.length = 0
    expect(await oauthKind.revoke(provider, fields, tools)).toEqual({ kind: "revoked" })
    expect(forms.map((form) => [form.get("token"), form.get("token_type_hint")])).toEqual([
      ["refresh-canary", "refresh_token"],
      ["access-canary", "access_token"],
    ])
  })

  it("says invalid_grant has ended the grant", async () => {
    answer = refuse("invalid_grant")
    expect(await oauthKind.refresh(provider, fields, tools)).toMatchObject({ kind: "dead" })
  })

  it("sends good tokens with a wrong content type has granted them: they would be lost otherwise", async () => {
    answer = send(200, JSON.stringify(tokens), { "content-type": "text/html" })
    expect(await oauthKind.refresh(provider, fields, tools)).toMatchObject({
      kind: "refreshed",
      credentials: { scopes: ["read"], fields: { access_token: "new-access", refresh_token: "new-refresh" } },
    })
  })

  it("needs a refresh token gets no request without one, or when the provider issues none", async () => {
    heard.length = 0
    const { refresh_token: _none, ...without } = fields
    expect(await oauthKind.refresh(provider, without, tools)).toEqual({ kind: "nothing" })
    const never = { ...provider, quirks: { refresh: "never" } } as const
    expect(await oauthKind.refresh(never, fields, tools)).toEqual({ kind: "nothing" })
    expect(heard).toEqual([])
  })

  it("needs a signed assertion leaves the grant unchanged when the client's key is unreadable", async () => {
    const authentication = { method: "private_key_jwt", key: { kty: "EC", d: "client-canary" } } as const
    const signing = { ...provider, client: { id: "client", authentication } }
    const refreshed = await oauthKind.refresh(signing, fields, tools)
    expect(refreshed).toMatchObject({ kind: "unknown", reason: { code: "client_key_unreadable" } })
    expect(JSON.stringify(refreshed)).not.toContain("canary")
  })
})
