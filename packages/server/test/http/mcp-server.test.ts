// Foreign MCP servers with OAuth of their own: a real server of the official SDK behind a real authorization server,
// connected on the pages, used by the official client, refreshed and revoked.

import type { ConnectionHandle, Fetch } from "@holdpoint/accounts"
import { apiLimits, createGuardedFetch, metadataLimits, toOwner } from "@holdpoint/accounts"
import { mcpServer } from "@holdpoint/accounts/providers"
import type { Runtime } from "@holdpoint/hub"
import { systemRuntime } from "@holdpoint/hub"
import { type GuardedMcp, mcpScopes, startGuardedMcp } from "@holdpoint/testkit/accounts/vault/providers/guarded-mcp"
import { type OidcOptions, oidcClient } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { openBrowser } from "@holdpoint/testkit/accounts/vault/providers/person"
import { verifies } from "@holdpoint/testkit/verifies"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { afterEach, describe, expect, it } from "vitest"
import { oauthClientKind } from "../../../accounts/src/vault/records.ts"
import type { McpServerProvider } from "../../../hub/src/core/provider.ts"
import { csrfIn, departureIn, fieldIn, openSite, publicUrl, type SiteOptions } from "./local-site.ts"

const redirectUri = `${publicUrl}/oauth/callback/notes`
const documentUrl = `${publicUrl}/oauth/client/notes`
const loopback = createGuardedFetch({ ...metadataLimits, allowLoopback: true })

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** The real clock, which a test puts forward: the authorization server's clock is the real one. */
function createShiftedClock(): Runtime & { shift(ms: number): void } {
  let ahead = 0
  return {
    ...systemRuntime,
    now: () => Date.now() + ahead,
    shift: (ms) => {
      ahead += ms
    },
  }
}

type Site = ReturnType<typeof openSite>

async function startMcp(options: OidcOptions = {}): Promise<GuardedMcp> {
  const mcp = await startGuardedMcp({ redirectUris: [redirectUri], ...options })
  closing.push(mcp.close)
  return mcp
}

function open(provider: McpServerProvider, options: Partial<SiteOptions> = {}): Site {
  const site = openSite({ provider, fetch: loopback, ...options })
  closing.push(site.close)
  return site
}

/** An authorization server that fetches client documents from these pages. */
async function startWithDocuments(pages: () => Site): Promise<GuardedMcp> {
  const fetch = (url: string | URL, init?: RequestInit) =>
    pages().pages.fetch(new Request(url, { ...init, headers: { host: "hub.example" } } as RequestInit))
  return startMcp({
    features: { clientIdMetadataDocument: { enabled: true, ack: "draft-02" } },
    configuration: { fetch } as NonNullable<OidcOptions["configuration"]>,
  })
}

const need = ({ me }: Site, scopes: readonly string[] = []) => ({
  ...{ owner: toOwner(me), provider: "notes", scopes, requester: { id: "agent", name: "Agent" } },
})

/** Presses the button on the page; returns where the browser is sent. */
async function press({ browser }: Site, asked: string): Promise<{ readonly text: string; readonly leaving: string }> {
  const page = await browser.get(`/connect/${asked}`)
  const fields = { csrf: csrfIn(page.text), shown: fieldIn(page.text, "shown"), do: "continue" }
  const posted = await browser.post(`/connect/${asked}`, fields)
  if (posted.location === "") return { text: posted.text, leaving: "" }
  const next = await browser.get(posted.location)
  return { text: next.text, leaving: departureIn(next.text) }
}

async function connect(site: Site, scopes: readonly string[] = []): Promise<ConnectionHandle> {
  const waiting = site.vault.connect(need(site, scopes))
  const asked = await site.browser.firstQuestion()
  const { leaving } = await press(site, asked)
  const back = await openBrowser().follow(leaving, redirectUri)
  await site.browser.get(`${back.pathname}${back.search}`)
  return waiting
}

/** The words on the page after the button was pressed, where no browser was sent anywhere. */
async function refusal(site: Site): Promise<string> {
  const ended = new AbortController()
  const waiting = site.vault.connect(need(site), { signal: ended.signal }).catch(() => {})
  const { text, leaving } = await press(site, await site.browser.firstQuestion())
  expect(leaving).toBe("")
  ended.abort()
  await waiting
  return text
}

async function callTool(url: string, handle: ConnectionHandle): Promise<unknown> {
  const client = new Client({ name: "agent", version: "1" })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: (to, init) => handle.fetch(to, init) }))
  try {
    const { content } = await client.callTool({ name: "list_notes", arguments: {} })
    return content
  } finally {
    await client.close()
  }
}

const publicClient: NonNullable<OidcOptions["clients"]>[number] = {
  client_id: "public",
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code", "refresh_token"],
  token_endpoint_auth_method: "none",
}
const notesOfAlice = [{ type: "text", text: "Notes of alice" }]
const withClient = { client: oidcClient }

describe("a foreign MCP server", () => {
  verifies(
    "connection.mcp-server",
    "is connected on the page by its own metadata, used by the official client, refreshed and revoked",
    async () => {
      const mcp = await startMcp()
      const clock = createShiftedClock()
      const provider = mcpServer({ id: "notes", url: mcp.url, issuer: mcp.oidc.issuer, ...withClient })
      const site = open(provider, { runtime: clock })
      const handle = await connect(site)
      expect(handle.scopes).toEqual(expect.arrayContaining([...mcpScopes]))
      expect(await callTool(mcp.url, handle)).toEqual(notesOfAlice)
      const [before] = mcp.presented.slice(-1)
      clock.shift(3_590_000)
      expect(await callTool(mcp.url, handle)).toEqual(notesOfAlice)
      expect(mcp.oidc.countTokens("refresh_token")).toBe(1)
      expect(mcp.presented.at(-1)).not.toBe(before)
      const last = mcp.presented.at(-1) ?? ""
      expect(await site.vault.disconnect(handle.id, { by: site.me })).toMatchObject({ upstream: "revoked" })
      expect(await mcp.oidc.provider.AccessToken.find(last)).toBeUndefined()
      await expect(handle.fetch(mcp.url)).rejects.toMatchObject({ code: expect.stringMatching(/^connection/) })
    },
  )

  it("identifies us by our client ID metadata document, which the pages serve", async () => {
    const mcp = await startWithDocuments(() => site)
    const site: Site = open(mcpServer({ id: "notes", url: mcp.url }))
    const handle = await connect(site)
    expect(await callTool(mcp.url, handle)).toEqual(notesOfAlice)
    const token = await mcp.oidc.provider.AccessToken.find(mcp.presented.at(-1) ?? "")
    expect(token).toMatchObject({ clientId: documentUrl, aud: mcp.url })
    const served = await site.browser.get("/oauth/client/notes")
    expect(JSON.parse(served.text)).toMatchObject({ client_id: documentUrl, redirect_uris: [redirectUri] })
    expect((await site.browser.get("/oauth/client/other")).status).toBe(404)
  })

  it("registers us once when registration is enabled, and the client is stored sealed", async () => {
    const mcp = await startMcp({ features: { registration: { enabled: true } } })
    const site = open(mcpServer({ id: "notes", url: mcp.url, registration: true }))
    const first = await connect(site)
    expect(await callTool(mcp.url, first)).toEqual(notesOfAlice)
    await site.vault.disconnect(first.id, { by: site.me })
    const second = await connect(site)
    expect(await callTool(mcp.url, second)).toEqual(notesOfAlice)
    const kept = await site.storage.records(oauthClientKind).list({ tenant: "", limit: 10 })
    expect(kept).toHaveLength(1)
    const token = await mcp.oidc.provider.AccessToken.find(mcp.presented.at(-1) ?? "")
    expect(JSON.stringify(kept)).not.toContain(token?.clientId)
  })

  it("registers us again after it forgot us", async () => {
    const mcp = await startMcp({ features: { registration: { enabled: true } } })
    const site = open(mcpServer({ id: "notes", url: mcp.url, registration: true }))
    const ended = new AbortController()
    const waiting = site.vault.connect(need(site), { signal: ended.signal }).catch(() => {})
    const asked = await site.browser.firstQuestion()
    const { leaving } = await press(site, asked)
    const back = await openBrowser().follow(leaving, redirectUri)
    const clientId = new URL(leaving).searchParams.get("client_id") ?? ""
    const { adapter } = mcp.oidc.provider.Client as unknown as { adapter: { destroy(id: string): Promise<void> } }
    await adapter.destroy(clientId)
    await site.browser.get(`${back.pathname}${back.search}`)
    expect((await site.browser.get(`/connect/${asked}`)).text).toContain("does not accept this server as a client")
    const again = await press(site, asked)
    expect(new URL(again.leaving).searchParams.get("client_id")).not.toBe(clientId)
    ended.abort()
    await waiting
  })

  it("gets no client ID metadata document from pages without https", async () => {
    const mcp = await startWithDocuments(() => site)
    const site: Site = open(mcpServer({ id: "notes", url: mcp.url }), { at: "http://127.0.0.1:4650" })
    expect(await refusal(site)).toContain("does not accept a client id metadata document from here")
  })

  it("gets no registration when that is not enabled, and the page says how to enable it", async () => {
    const mcp = await startMcp({ features: { registration: { enabled: true } } })
    const site = open(mcpServer({ id: "notes", url: mcp.url }))
    expect(await refusal(site)).toContain("registration: true")
    expect(await site.storage.records(oauthClientKind).list({ tenant: "", limit: 10 })).toEqual([])
  })

  it("is asked for the configured scopes, else those of its challenge, else those of its metadata", async () => {
    const mcp = await startMcp()
    const asked = async (more: Partial<Parameters<typeof mcpServer>[0]> = {}): Promise<string[]> => {
      const site = open(mcpServer({ id: "notes", url: mcp.url, issuer: mcp.oidc.issuer, ...withClient, ...more }))
      const ended = new AbortController()
      const waiting = site.vault.connect(need(site), { signal: ended.signal }).catch(() => {})
      const { leaving } = await press(site, await site.browser.firstQuestion())
      ended.abort()
      await waiting
      const { searchParams } = new URL(leaving)
      expect(searchParams.get("resource")).toBe(mcp.url)
      return (searchParams.get("scope") ?? "").split(" ").filter((scope) => scope !== "offline_access")
    }
    expect(await asked()).toEqual(mcpScopes)
    mcp.challenge = 'Bearer error="invalid_token", scope="notes.read"'
    expect(await asked()).toEqual(["notes.read"])
    expect(await asked({ scopes: ["notes.write"] })).toEqual(["notes.write"])
  })

  it("shows authors the access token, and nothing of our client", async () => {
    const mcp = await startMcp({ features: { registration: { enabled: true } } })
    const site = open(mcpServer({ id: "notes", url: mcp.url, registration: true }))
    const { fields } = await (await connect(site)).credentials()
    expect(Object.keys(fields).sort()).toEqual(["access_token", "scope", "token_type"])
  })

  verifies("connection.time-limits", "may take longer than other providers, because it may ask a person", async () => {
    const mcp = await startMcp({ clients: [publicClient] })
    const apiFetch = createGuardedFetch({ ...apiLimits, timeoutMs: 1_000, allowLoopback: true })
    const data = { id: "notes", url: mcp.url, client: { id: "public" } }
    const patient = await connect(open(mcpServer(data), { apiFetch }))
    const usual = await connect(open(mcpServer({ ...data, timeoutMs: 1_000 }), { apiFetch }))
    const held = Promise.withResolvers<void>()
    mcp.hold = held.promise
    const called = callTool(mcp.url, patient)
    const { length } = mcp.requests
    await expect.poll(() => mcp.requests.length).toBeGreaterThan(length)
    // The usual one begins later and is given up first.
    await expect(usual.fetch(mcp.url, { method: "POST" })).rejects.toMatchObject({ code: "provider_unavailable" })
    held.resolve()
    expect(await called).toEqual(notesOfAlice)
  })

  it("gets no request before a person presses the button, and then one lookup for two consents", async () => {
    const mcp = await startMcp()
    const site = open(mcpServer({ id: "notes", url: mcp.url, issuer: mcp.oidc.issuer, ...withClient }))
    expect(await site.vault.find(need(site))).toBeUndefined()
    expect(mcp.requests).toEqual([])
    const handle = await connect(site)
    await site.vault.disconnect(handle.id, { by: site.me })
    await connect(site)
    expect(mcp.requests).toEqual(["/mcp", "/.well-known/oauth-protected-resource/mcp"])
  })
})

describe("a hostile MCP server", () => {
  const attempt = async (
    lie: (mcp: GuardedMcp) => void,
    options: Partial<SiteOptions> = {},
  ): Promise<{ readonly words: string; readonly mcp: GuardedMcp }> => {
    const mcp = await startMcp()
    lie(mcp)
    const site = open(mcpServer({ id: "notes", url: mcp.url, client: { id: oidcClient.id } }), options)
    return { words: await refusal(site), mcp }
  }

  it("whose metadata is about another resource is refused (RFC 9728 §3.3)", async () => {
    const { words } = await attempt((mcp) => {
      mcp.metadata = { resource: "https://bank.example/mcp" }
    })
    expect(words).toContain("is about a resource other than")
  })

  it("whose challenge names a document elsewhere is refused, and that document is not fetched", async () => {
    const elsewhere = await startMcp()
    const { words } = await attempt((mcp) => {
      mcp.challenge = `Bearer resource_metadata="${new URL(elsewhere.url).origin}/.well-known/oauth-protected-resource"`
    })
    expect(words).toContain("on another origin")
    expect(elsewhere.requests).toEqual([])
  })

  it("whose authorization server is inside our network is refused, without a request to it", async () => {
    const asked: string[] = []
    const watched: Fetch = (url, init) => {
      asked.push(new URL(url).hostname)
      return loopback(url, init)
    }
    const { words } = await attempt(
      (mcp) => {
        mcp.metadata = { authorization_servers: ["https://169.254.169.254/latest"] }
      },
      { fetch: watched },
    )
    expect(words).toContain("The request to 169.254.169.254 was not made")
    expect(asked.filter((host) => host !== "127.0.0.1" && host !== "169.254.169.254")).toEqual([])
  })

  it("that no longer names the configured authorization server is refused", async () => {
    const mcp = await startMcp()
    const other = await startMcp()
    mcp.metadata = { authorization_servers: [other.oidc.issuer] }
    const site = open(mcpServer({ id: "notes", url: mcp.url, issuer: mcp.oidc.issuer, ...withClient }))
    expect(await refusal(site)).toContain("no longer names")
  })

  it("whose authorization server has no https address is refused", async () => {
    const { words } = await attempt((mcp) => {
      mcp.metadata = { authorization_servers: ["http://login.example"] }
    })
    expect(words).toContain("without a usable https address")
  })

  it("whose authorization server speaks for another issuer is refused (RFC 8414 §3.3)", async () => {
    const { words } = await attempt((mcp) => {
      mcp.metadata = { authorization_servers: [mcp.oidc.issuer.replace("127.0.0.1", "localhost")] }
    })
    expect(words).toContain("names another issuer")
  })

  it("whose authorization server has no PKCE is refused", async () => {
    const without: Fetch = async (url, init) => {
      const response = await loopback(url, init)
      if (!String(url).includes("/.well-known/o")) return response
      const { code_challenge_methods_supported: _pkce, ...rest } = (await response.json()) as Record<string, unknown>
      return Response.json(rest, { status: response.status })
    }
    const { words } = await attempt(() => {}, { fetch: without })
    expect(words).toContain("An authorization server without PKCE is not used")
  })

  it("that later names another authorization server does not move the tokens there", async () => {
    const mcp = await startMcp({ clients: [publicClient] })
    const evil = await startMcp({ clients: [publicClient] })
    const clock = createShiftedClock()
    const site = open(mcpServer({ id: "notes", url: mcp.url, client: { id: "public" } }), { runtime: clock })
    const handle = await connect(site)
    mcp.metadata = { authorization_servers: [evil.oidc.issuer] }
    // Past the hour for which metadata is cached, and past the token's life.
    clock.shift(2 * 3_600_000)
    expect(await callTool(mcp.url, handle)).toEqual(notesOfAlice)
    expect(await site.vault.disconnect(handle.id, { by: site.me })).toMatchObject({ upstream: "revoked" })
    expect(mcp.oidc.countTokens("refresh_token")).toBe(1)
    expect(evil.oidc.countTokens()).toBe(0)
  })

  it("whose authorization server answers for another one is refused before any token request (mix-up)", async () => {
    const mcp = await startMcp({ clients: [publicClient] })
    const evil = await startMcp({ clients: [publicClient] })
    const site = open(mcpServer({ id: "notes", url: mcp.url, client: { id: "public" } }))
    const ended = new AbortController()
    const waiting = site.vault.connect(need(site), { signal: ended.signal }).catch(() => {})
    const asked = await site.browser.firstQuestion()
    const { leaving } = await press(site, asked)
    const back = await openBrowser().follow(leaving, redirectUri)
    back.searchParams.set("iss", evil.oidc.issuer)
    await site.browser.get(`${back.pathname}${back.search}`)
    expect((await site.browser.get(`/connect/${asked}`)).text).toContain("from a different provider")
    expect([mcp, evil].map(({ oidc }) => oidc.countTokens())).toEqual([0, 0])
    ended.abort()
    await waiting
  })

  it("gets its token, and no other server does", async () => {
    const mcp = await startMcp({ clients: [publicClient] })
    const other = await startMcp()
    const site = open(mcpServer({ id: "notes", url: mcp.url, client: { id: "public" } }))
    const handle = await connect(site)
    await expect(handle.fetch(other.url)).rejects.toMatchObject({ code: "unsafe_address" })
    expect(other.presented).toEqual([])
  })
})

describe("the data of a foreign MCP server", () => {
  it("may have a secret only together with the issuer that the secret is for", () => {
    const data = { id: "notes", url: "https://mcp.example/mcp", client: oidcClient }
    expect(() => mcpServer(data)).toThrow("A client with a secret needs the issuer that the secret is for.")
    expect(mcpServer({ ...data, issuer: "https://login.example" })).toMatchObject({
      ...{ kind: "mcp_server", name: "mcp.example", api: ["https://mcp.example"], timeoutMs: 900_000 },
    })
  })

  it.each([
    [{ url: "http://mcp.example/mcp" }, "Write an https address."],
    [{ url: "https://mcp.example/mcp", resource: "https://bank.example/" }, "Write an address at the server's origin."],
    [{ url: "https://mcp.example/mcp", client: { id: "a" }, registration: true }, "the configured client is used"],
  ])("%o is refused", (data, words) => {
    expect(() => mcpServer({ id: "notes", ...data })).toThrow(words)
  })
})
