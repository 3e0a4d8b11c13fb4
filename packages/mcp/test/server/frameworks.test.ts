// One tool that asks, in an existing server: behind Express, Hono and route handlers, with API keys or with
// what the framework has found out. What docs/mcp.md shows of that is run here.

import type { AddressInfo } from "node:net"
import { createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import type { ClientKind, Endpoint } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { getRequestListener } from "@hono/node-server"
import { Client, InMemoryTransport } from "@modelcontextprotocol/client"
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js"
import type { AuthInfo } from "@modelcontextprotocol/server"
import { McpServer } from "@modelcontextprotocol/server"
import express from "express"
import { Hono } from "hono"
import { afterEach, describe, expect, it } from "vitest"
import type { Callers } from "../../src/server/index.ts"
import { createMcp, holdable } from "../../src/server/index.ts"

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

function createServer(): McpServer {
  const server = new McpServer({ name: "shop", version: "1" })
  const order = holdable(async (ask) => {
    const isSure = await ask.confirm("sure", "Order it?")
    return text(`${ask.caller?.subject} ${ask.context.http?.authInfo?.clientId} ${isSure}`)
  })
  server.registerTool("order", {}, order)
  server.registerTool("list", {}, async () => text("nothing"))
  return server
}

function serve(callers: Callers, server: () => McpServer = createServer) {
  const storage = createMemoryStorage()
  const hub = createHub({ storage, outlets: [inbox()] })
  const reports: string[] = []
  const report = (_doing: string, error: unknown): void => void reports.push(String(error))
  const mcp = createMcp({ hub, storage, keys: withNewKey(), name: "shop", callers, addresses: "none", server, report })
  cleanUps.push(async () => {
    await mcp.close()
    await hub.close()
  })
  return { mcp, reports }
}

// #region api-keys
/** Who has which key. Keep hashes in a real server, and compare in constant time. */
const people = new Map([["key-of-ada", "ada"]])

const byApiKey: Callers = (request) => {
  const subject = people.get(request.headers.get("x-api-key") ?? "")
  return subject === undefined ? undefined : { principal: { tenant: "shop", issuer: "api-keys", subject } }
}
// #endregion api-keys

// #region known
/** What the framework has verified: `req.auth` of the SDK's own middleware, for one. */
const byAuthInfo: Callers = (_request, { authInfo }) => {
  const subject = authInfo?.extra?.userId
  if (typeof subject !== "string") return undefined
  return { principal: { tenant: "shop", issuer: "https://shop.example", subject }, clientId: authInfo?.clientId ?? "" }
}
// #endregion known

/** Calls the tool, answers its question, and returns the result. */
async function order(kind: ClientKind, endpoint: Endpoint): Promise<unknown> {
  const client = await open(kind, endpoint, { answer: () => ({ action: "accept", content: { confirmed: true } }) })
  cleanUps.push(() => client.close())
  return client.call("order", {})
}

const kinds = ["v1.32", "v2 legacy", "v2 pinned to 2026-07-28"] as const
const toEndpoint = (url: string, headers: Readonly<Record<string, string>>): Endpoint => ({
  ...{ transport: "http", url, headers },
  fetch: (input, init) => fetch(input, init),
})

describe.each(kinds)("a tool that asks %s", (kind) => {
  verifies("mcp.in-a-framework", "works in an Express application that knows the body and the caller", async () => {
    const { mcp } = serve(byAuthInfo)
    const app = express()
    app.use(express.json())
    app.use((request, _response, next) => {
      const auth = { token: "t", clientId: "app", scopes: [], extra: { userId: request.headers["x-user"] } }
      Object.assign(request, { auth })
      next()
    })
    // #region express
    app.all("/mcp", (request, response) => {
      const { auth: authInfo, body: parsedBody } = request as typeof request & { auth?: AuthInfo }
      const known = { parsedBody, ...(authInfo === undefined ? {} : { authInfo }) }
      return getRequestListener((web) => mcp.fetch(web, known))(request, response)
    })
    // #endregion express
    const http = app.listen(0, "127.0.0.1")
    cleanUps.push(
      () => http.closeAllConnections(),
      () => http.close(),
    )
    await new Promise((resolve) => http.once("listening", resolve))
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
    expect(await order(kind, toEndpoint(url, { "x-user": "ada" }))).toMatchObject({
      isError: false,
      text: "ada app true",
    })
  })

  verifies("mcp.in-a-framework", "works behind Hono, with an API key", async () => {
    const { mcp } = serve(byApiKey)
    // #region hono
    const app = new Hono()
    app.all("/mcp", (context) => mcp.fetch(context.req.raw))
    // #endregion hono
    const endpoint = (key: string): Endpoint => ({
      ...{ transport: "http", url: "http://localhost/mcp", headers: { "x-api-key": key } },
      fetch: async (input, init) => app.fetch(new Request(input, init)),
    })
    expect(await order(kind, endpoint("key-of-ada"))).toMatchObject({ isError: false, text: "ada undefined true" })
    await expect(order(kind, endpoint("another"))).rejects.toThrow()
  })

  verifies("mcp.in-a-framework", "works in route handlers, as in Next.js", async () => {
    const { mcp } = serve(byApiKey)
    // #region next
    const handle = (request: Request): Promise<Response> => mcp.fetch(request)
    const route = { GET: handle, POST: handle, DELETE: handle }
    // #endregion next
    const endpoint: Endpoint = {
      ...{ transport: "http", url: "http://localhost/mcp", headers: { "x-api-key": "key-of-ada" } },
      fetch: async (input, init) => route[(init?.method ?? "GET") as keyof typeof route](new Request(input, init)),
    }
    expect(await order(kind, endpoint)).toMatchObject({ isError: false, text: "ada undefined true" })
  })
})

// #region state
/** What a person has ordered lasts longer than a request, so it is kept outside of the server and by person. */
const carts = new Map<string, string[]>()

function createShop(): McpServer {
  const server = new McpServer({ name: "shop", version: "1" })
  const add = holdable(async (ask) => {
    const person = ask.caller?.subject ?? ""
    if (await ask.confirm("sure", "Add a lamp?")) carts.set(person, [...(carts.get(person) ?? []), "lamp"])
    return { content: [{ type: "text" as const, text: `${carts.get(person)?.length ?? 0} in the cart` }] }
  })
  server.registerTool("add", {}, add)
  return server
}
// #endregion state

describe("state of a server", () => {
  it("is kept across requests and transports when it is stored by person", async () => {
    const { mcp } = serve(byApiKey, createShop)
    const yes = { action: "accept", content: { confirmed: true } } as const
    const endpoint: Endpoint = {
      ...{ transport: "http", url: "http://localhost/mcp", headers: { "x-api-key": "key-of-ada" } },
      fetch: async (input, init) => mcp.fetch(new Request(input, init)),
    }
    const overHttp = await open("v2 legacy", endpoint, { answer: () => yes })
    cleanUps.push(() => overHttp.close())
    expect(await overHttp.call("add", {})).toMatchObject({ text: "1 in the cart" })

    const client = new Client({ name: "desk", version: "1" }, { capabilities: { elicitation: { form: {} } } })
    client.setRequestHandler("elicitation/create", async () => yes)
    // #region transport
    const [here, there] = InMemoryTransport.createLinkedPair()
    mcp.stdio({ transport: there, caller: { tenant: "shop", issuer: "api-keys", subject: "ada" } })
    await client.connect(here)
    // #endregion transport
    cleanUps.push(() => client.close())
    const { content } = await client.callTool({ name: "add" })
    expect(content).toEqual([{ type: "text", text: "2 in the cart" }])
  })
})

describe("a check of who calls", () => {
  it("refuses with 401, or with its own response", async () => {
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }
    const unknown = await serve(byApiKey).mcp.fetch(new Request("http://localhost/mcp", post))
    expect([unknown.status, await unknown.json()]).toMatchObject([
      401,
      { error: { message: expect.stringMatching(/Unauthorized/) } },
    ])
    const own = serve(() => new Response("pay first", { status: 402 })).mcp
    expect((await own.fetch(new Request("http://localhost/mcp", post))).status).toBe(402)
  })
})

describe("a server of the previous generation of the SDK", () => {
  verifies("mcp.other-generation", "is refused with an error that says what to import", async () => {
    const { mcp, reports } = serve(byApiKey, () => new McpServerV1({ name: "old", version: "1" }) as never)
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } }
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })
    const request = new Request("http://localhost/mcp", {
      ...{ method: "POST", body },
      headers: { ...headers, "x-api-key": "key-of-ada" },
    })
    expect((await mcp.fetch(request)).status).toBe(500)
    expect(reports).toEqual([expect.stringMatching(/Import McpServer from “@modelcontextprotocol\/server”/)])
  })

  it("that calls a holdable handler directly gets an error that says what to use", async () => {
    const handler = holdable(async (ask) => text(`${ask.caller}`)) as unknown as (extra: object) => Promise<unknown>
    await expect(handler({ requestId: 1 })).rejects.toThrow(/createMcp.*@modelcontextprotocol\/server 2\.x/)
  })
})
