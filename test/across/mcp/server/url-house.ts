// Everything that a link question needs, in one process and without a network: an MCP server whose tools ask, its pages
// with two signed-in people, an account to connect, and a foreign page to visit.

import type { ApiKeyProvider, Fetch } from "@holdpoint/accounts"
import { createVault, toOwner } from "@holdpoint/accounts"
import type { Principal } from "@holdpoint/hub"
import { createAddresses, createHub, createMemoryStorage, inbox, systemRuntime } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import type { McpOptions } from "@holdpoint/mcp"
import { createMcp, holdable } from "@holdpoint/mcp"
import { createPages } from "@holdpoint/server/http"
import { createIdentity } from "@holdpoint/server/identity"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { alice, bob } from "@holdpoint/testkit/fixtures"
import { createCallers, resource } from "@holdpoint/testkit/mcp/server/tokens"
import type { UrlModeTarget } from "@holdpoint/url-mode-conformance"
import { McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"
import { defaultIdentityTimes } from "../../../../packages/server/src/identity/identity.ts"
import { sessionKind } from "../../../../packages/server/src/identity/records.ts"
import { createSessions } from "../../../../packages/server/src/identity/sessions.ts"

const addresses = createAddresses("https://hub.example")
const paying = "https://pay.example/orders"
const key = "weather-key-4711-0815"
noteCanary("entered", key)

const weather: ApiKeyProvider = {
  ...{ kind: "api_key", id: "weather", name: "Weather", api: ["https://api.weather.example"] },
  header: { name: "X-Api-Key" },
  test: { method: "GET", url: "https://api.weather.example/me" },
  identity: { from: "nothing" },
}

export interface House {
  readonly target: UrlModeTarget
  readonly problems: readonly string[]
  close(): Promise<void>
}

export async function openHouse(tool: "pay" | "forecast", settings: Partial<McpOptions>): Promise<House> {
  const storage = createMemoryStorage()
  const keys = withNewKey()
  const sealer = createSealer(keys)
  const problems: string[] = []
  const report = (doing: string, error: unknown): void => void problems.push(`${doing}: ${error}`)
  let ageMs = 0
  let places = 0
  const later = { ...systemRuntime, now: () => systemRuntime.now() + ageMs }
  const limits = { pendingPerPerson: 1_000, pendingPerTenant: 10_000 }
  const hub = createHub({ storage, outlets: [inbox()], limits, report })
  const base = { storage, sealer, addresses, fetch: outside, runtime: systemRuntime, report }
  const vault = createVault({ ...base, apiFetch: outside, questions: hub, providers: [weather] })
  const identity = createIdentity({ ...base, providers: [people] })
  const pages = createPages({ hub, vault, identity, addresses, report })
  const callers = await createCallers()
  const mcp = createMcp({
    ...{ hub, storage, keys, vault, addresses, report, runtime: later, server: askingServer },
    ...{ name: "asking", callers: callers.server, hosts: ["server.example"], holdMs: 400 },
    ...settings,
  })

  const fetch: Fetch = async (input, init) => {
    const request = new Request(input, init)
    const { hostname, pathname } = new URL(request.url)
    if (hostname === "server.example") return mcp.fetch(request)
    if (hostname === "hub.example") return pages.fetch(request)
    if (hostname === "pay.example" && request.method === "POST") await hub.complete(pathname.split("/").at(-1) ?? "")
    return new Response(hostname === "pay.example" ? "Please pay." : "Please sign in.")
  }
  const sessions = createSessions(storage.records(sessionKind), systemRuntime, defaultIdentityTimes)
  const browserOf = async (principal: Principal) => {
    const { token } = await sessions.begin({ principal })
    noteCanary("cookie", token)
    return createBrowser(fetch, `__Host-hp_session=${token}`)
  }
  const browsers = { first: await browserOf(alice), second: await browserOf(bob) }
  return {
    problems,
    target: {
      url: resource,
      fetch,
      people: { first: await callers.headersOf(alice), second: await callers.headersOf(bob) },
      personal: ["alice"],
      urlTool: () => ({ name: tool, arguments: { place: `Place ${++places}` } }),
      formTool: { name: "colour", arguments: {} },
      done: "All done.",
      finish: (link, who) => finish(browsers[who], link),
      async reset() {
        for (const principal of [alice, bob]) {
          const connections = await vault.list(toOwner(principal))
          for (const { id } of connections) await vault.disconnect(id, { by: principal })
        }
      },
      expire: async () => {
        ageMs += 48 * 3_600_000
      },
      legMs: 3_000,
      quietMs: 30,
    },
    async close() {
      await mcp.close()
      await vault.close()
      await hub.close()
      await storage.close()
    },
  }
}

/** The servers that this one calls: the identity provider, and the provider that tests a key. */
const outside: Fetch = async (input) =>
  String(input).startsWith(alice.issuer) ? Response.json(metadata) : new Response()

const metadata = {
  issuer: alice.issuer,
  authorization_endpoint: `${alice.issuer}/authorize`,
  token_endpoint: `${alice.issuer}/token`,
  jwks_uri: `${alice.issuer}/jwks`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["ES256"],
  code_challenge_methods_supported: ["S256"],
}

const people = {
  id: "people",
  name: "People",
  issuer: alice.issuer,
  client: { id: "hub", secret: "unused" },
  tenant: "acme",
}

const doneResult = { content: [{ type: "text" as const, text: "All done." }] }

function askingServer(): McpServer {
  const server = new McpServer({ name: "asking", version: "1" })
  const inputSchema = z.object({ place: z.string() })
  server.registerTool(
    "pay",
    { inputSchema },
    holdable(async (_, ask) => {
      await ask.url("pay", "Please pay for your order.", (id) => `${paying}/${id}`)
      return doneResult
    }),
  )
  server.registerTool(
    "forecast",
    { inputSchema },
    holdable(async (_, ask) => {
      await ask.connection("weather")
      return doneResult
    }),
  )
  server.registerTool(
    "colour",
    { inputSchema: z.object({}) },
    holdable(async (_, ask) => {
      const { colour } = await ask.form("colour", "Which colour?", z.object({ colour: z.enum(["red", "green"]) }))
      return { content: [{ type: "text", text: `You chose ${colour}.` }] }
    }),
  )
  return server
}

type Browser = (
  url: string,
  fields?: Readonly<Record<string, string>>,
) => Promise<{ readonly url: string; readonly text: string }>

/** Accepts on the page, enters a key where one is asked for, and pays where the page links to another server. */
async function finish(browser: Browser, link: string): Promise<void> {
  const page = await browser(link)
  const hidden = [...page.text.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)]
    .map(([input]) => input)
    // What the script of a page removes.
    .filter((input) => !input.includes('name="rendered"'))
  const fields = Object.fromEntries(hidden.map((input) => [attributeOf(input, "name"), attributeOf(input, "value")]))
  if (Object.keys(fields).length === 0) return
  const isVisit = new URL(link).pathname.startsWith("/visit/")
  const after = await browser(page.url, { ...fields, do: isVisit ? "yes" : "continue", ...(isVisit ? {} : { key }) })
  const onward = /https:\/\/pay\.example\/[\w/-]+/.exec(after.text)?.[0]
  if (onward !== undefined) await browser(onward, {})
}

const attributeOf = (input: string, name: string): string => new RegExp(`${name}="([^"]*)"`).exec(input)?.[1] ?? ""

function createBrowser(fetch: Fetch, cookie: string): Browser {
  return async (first, fields) => {
    let url = first
    let init: RequestInit = fields === undefined ? {} : { method: "POST", body: new URLSearchParams(fields) }
    for (;;) {
      const origin = { origin: "null", "sec-fetch-site": "same-origin" }
      const response = await fetch(url, {
        ...init,
        headers: { cookie, ...(init.method === "POST" ? origin : {}) },
        redirect: "manual",
      })
      const location = response.headers.get("location")
      const text = await response.text()
      if (location === null) return { url, text }
      url = new URL(location, url).href
      init = {}
    }
  }
}
