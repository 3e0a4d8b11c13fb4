// Hostile or compromised providers, and internal addresses: whatever a document or an answer says, no request goes
// where it must not.

import type { LoginFlowProvider, OAuthProvider, Provider } from "@holdpoint/accounts"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { newSecret, notesProvider, openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { flowKind } from "@holdpoint/testkit/records"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { arrivePerson, ask, connectionsOf, isCallback, type Site, startSite } from "./setup.ts"

/** The hostile provider's metadata; each test sets it. */
let metadata: (url: string) => Record<string, unknown> = () => ({})
let tokens: (url: string) => { status: number; headers?: Record<string, string>; body?: unknown } = () => ({
  status: 500,
})

const honest = (url: string): Record<string, unknown> => ({
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  registration_endpoint: `${url}/register`,
  code_challenge_methods_supported: ["S256"],
})

let hostile: Site
beforeAll(async () => {
  hostile = await startSite((request, response, url) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", url)
    if (pathname.includes(".well-known"))
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata(url)))
    if (pathname === "/authorize") {
      const back = new URL(searchParams.get("redirect_uri") ?? "")
      back.searchParams.set("state", searchParams.get("state") ?? "")
      back.searchParams.set("code", "a-code")
      return void response.writeHead(302, { location: back.href }).end()
    }
    const { status, headers = {}, body } = tokens(url)
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body ?? {}))
  })
})
afterAll(() => hostile.close())

/** Runs the work in a separate world, because discovery results are cached. */
async function inWorld<T>(more: Partial<OAuthProvider>, work: (world: World) => Promise<T>): Promise<T> {
  const provider = (at: { notes: World["notes"] }): Provider =>
    notesProvider(at.notes, {
      ...{ issuer: hostile.url, api: [hostile.url], baseScopes: [], identity: { from: "nothing" } },
      ...more,
    })
  hostile.asked.length = 0
  const world = await openWorld({ providers: (at) => [provider(at)] })
  try {
    return await work(world)
  } finally {
    await world.close()
  }
}

const click = async (world: World) => {
  const alice = await arrivePerson(world, "alice")
  const { id, link } = await ask(world, alice)
  const reached = await alice.browser.submit(await alice.browser.open(link), { do: "continue" }, { stopAt: isCallback })
  return { alice, id, reached }
}

describe("a metadata document", () => {
  it.each<[string, (url: string) => Record<string, unknown>]>([
    [
      "a script as the authorization endpoint (CVE-2025-6514, CVE-2025-58444)",
      () => ({ authorization_endpoint: "javascript:alert(1)//x" }),
    ],
    ["a data URL as the authorization endpoint", () => ({ authorization_endpoint: "data:text/html,x" })],
    [
      "a program as the authorization endpoint",
      () => ({ authorization_endpoint: "file:///c:/windows/system32/calc.exe" }),
    ],
    ["plain HTTP for the token endpoint", () => ({ token_endpoint: "http://evil.example/token" })],
    ["a password in an address", () => ({ token_endpoint: "https://a:b@evil.example/token" })],
    ["another issuer (RFC 8414 §3.3)", () => ({ issuer: "https://evil.example" })],
    ["no issuer", () => ({ issuer: undefined })],
    ["no PKCE (never downgrade)", () => ({ code_challenge_methods_supported: undefined })],
    ["only plain PKCE", () => ({ code_challenge_methods_supported: ["plain"] })],
  ])("with %s is refused, and the person is not redirected", async (_what, change) => {
    metadata = (url) => ({ ...honest(url), ...change(url) })
    await inWorld({}, async (world) => {
      const { reached, id } = await click(world)
      expect(reached.status).toBe(502)
      expect(reached.url.pathname).toBe(`/connect/${id}`)
      expect(reached.text).not.toMatch(/javascript:|data:text|file:|evil\.example/)
      expect((await world.server.hub.get(id))?.status).toBe("pending")
      expect(hostile.asked.every((line) => line.includes(".well-known"))).toBe(true)
    })
  })

  verifies(
    "provider.metadata-is-hostile",
    "with a token endpoint inside our network causes no request there (SSRF, CVE-2026-45609)",
    async () => {
      metadata = (url) => ({ ...honest(url), token_endpoint: "https://169.254.169.254/latest/meta-data" })
      await inWorld({}, async (world) => {
        const { alice, id, reached } = await click(world)
        const page = await alice.browser.open(reached.url.href)
        expect(page.text).not.toContain("Connected")
        const [flow] = await world.storage.records(flowKind).list({ tenant: "acme", owner: id, limit: 1 })
        expect(flow?.reason?.code).toBe("unsafe_address")
      })
    },
  )

  it("that offers registration gets no registration request (DCR is off)", async () => {
    metadata = honest
    tokens = () => ({ status: 200, body: { access_token: "a", token_type: "bearer" } })
    await inWorld({}, async (world) => {
      const { alice, reached } = await click(world)
      await alice.browser.open(reached.url.href)
      expect(await connectionsOf(world, alice)).toHaveLength(1)
      expect(hostile.asked.filter((line) => line.includes("/register"))).toEqual([])
    })
  })
})

describe("a token endpoint", () => {
  it.each([301, 302, 303, 307, 308])(
    "that redirects with %d is refused: neither the code nor the secret is sent on",
    async (status) => {
      metadata = honest
      const catcher = await startSite((_request, response) => void response.end("{}"))
      tokens = () => ({ status, headers: { location: `${catcher.url}/token` } })
      await inWorld({}, async (world) => {
        const { alice, id, reached } = await click(world)
        await alice.browser.open(reached.url.href)
        const [flow] = await world.storage.records(flowKind).list({ tenant: "acme", owner: id, limit: 1 })
        expect(flow?.reason?.code).toBe("provider_redirected")
        expect(await connectionsOf(world, alice)).toEqual([])
      })
      expect(catcher.asked).toEqual([])
      await catcher.close()
    },
  )

  it("that answers with a script is not quoted on the page", async () => {
    metadata = honest
    tokens = () => ({
      status: 400,
      body: { error: "<script>alert(1)</script>", error_description: "<script>2</script>" },
    })
    await inWorld({}, async (world) => {
      const { alice, reached } = await click(world)
      const page = await alice.browser.open(reached.url.href)
      expect(page.text).not.toMatch(/alert\(1\)|<script>2/)
      expect(page.text).toContain("Example Notes")
    })
  })

  it("that returns an ID token of another attempt is refused (nonce)", async () => {
    const now = Math.floor(Date.now() / 1000)
    const claims = (url: string) => ({
      iss: url,
      sub: "alice",
      aud: "client",
      iat: now,
      exp: now + 60,
      nonce: "another",
    })
    const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url")
    metadata = (url) => ({ ...honest(url), id_token_signing_alg_values_supported: ["RS256"] })
    tokens = (url) => ({
      status: 200,
      body: {
        ...{ access_token: "a", token_type: "bearer" },
        id_token: `${encode({ alg: "RS256" })}.${encode(claims(url))}.c2lnbmF0dXJl`,
      },
    })
    const openid = { baseScopes: ["openid"], identity: { from: "id_token", id: "sub", name: ["sub"] } } as const
    await inWorld(openid, async (world) => {
      const { alice, id, reached } = await click(world)
      await alice.browser.open(reached.url.href)
      const [flow] = await world.storage.records(flowKind).list({ tenant: "acme", owner: id, limit: 1 })
      expect(flow?.reason?.code).toBe("wrong_id_token")
      expect(await connectionsOf(world, alice)).toEqual([])
    })
  })
})

describe("our own server", () => {
  it("registers no clients and is not an authorization server (DCR, arXiv 2605.22333)", async () => {
    await inWorld({}, async (world) => {
      for (const path of [
        "/register",
        "/oauth/register",
        "/.well-known/oauth-authorization-server",
        "/token",
        "/authorize",
      ])
        for (const method of ["GET", "POST"]) {
          const answer = await openJarBrowser().ask(`${world.server.publicUrl}${path}`, { method })
          expect(answer.status).toBe(404)
        }
    })
  })

  it("never passes on a bearer token that it receives (token passthrough)", async () => {
    metadata = honest
    await inWorld({}, async (world) => {
      const headers = { authorization: "Bearer inbound-token" }
      const answer = await openJarBrowser().ask(`${world.server.publicUrl}/inbox`, { headers })
      expect(answer.status).toBe(303)
      expect(hostile.asked).toEqual([])
    })
  })
})

describe("an address on this machine or inside the network (SSRF)", () => {
  let inside: Site
  beforeAll(async () => {
    inside = await startSite((_request, response) => void response.end("secret of the inside"))
  })
  afterAll(() => inside.close())

  it.each([
    "http://127.0.0.1:PORT",
    "http://localhost:PORT",
    "http://sub.localhost:PORT",
    "http://127.1:PORT",
    "http://2130706433:PORT",
    "http://0x7f.1:PORT",
    "http://0177.0.0.1:PORT",
    "http://[::ffff:127.0.0.1]:PORT",
    "http://[::ffff:7f00:1]:PORT",
    "http://0.0.0.0:PORT",
    "https://10.0.0.1",
    "https://169.254.169.254",
    "https://[fd00::1]",
    "https://[::1]",
    "https://100.64.0.1",
  ])("%s gets no request from any kind of provider", async (literal) => {
    const address = literal.replace("PORT", new URL(inside.url).port)
    const kinds: readonly Provider[] = [
      { ...(notesProvider({ issuer: address } as World["notes"]) as OAuthProvider), id: "found" },
      { kind: "login_flow", id: "cloud", name: "Cloud", api: [address], server: address } satisfies LoginFlowProvider,
      {
        ...{ kind: "api_key", id: "key", name: "Key", api: [new URL(address).origin], header: { name: "x-key" } },
        ...{ test: { method: "GET", url: `${address}/me` }, identity: { from: "nothing" } },
      },
    ]
    const local = { from: "local", user: "alice", secret: newSecret() } as const
    const world = await openWorld({ providers: () => kinds, people: local, network: { allowLoopback: false } })
    try {
      const owner = {
        kind: "person",
        ...("principal" in world.server.identity ? world.server.identity.principal : raise()),
      } as const
      for (const { id: provider } of kinds) {
        const { link } = await ask(world, { subject: "alice" }, { owner, provider })
        const browser = openJarBrowser()
        const page = await browser.submit(await browser.open(link), { do: "continue", key: "k".repeat(20) })
        expect([502, 422], `${provider} at ${address}`).toContain(page.status)
        expect(page.text).not.toContain("secret of the inside")
      }
      expect(inside.asked).toEqual([])
    } finally {
      await world.close()
    }
  })
})

const raise = (): never => {
  throw new Error("the server is not in local mode")
}
