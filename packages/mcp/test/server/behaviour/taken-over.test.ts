// A held call of 2025-11-25 over real HTTP: another connection resumes its stream by Last-Event-ID while the original one
// hangs, and the original one drops only then.

import { once } from "node:events"
import type { IncomingMessage } from "node:http"
import { createServer, request as httpRequest } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { createHouse, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { JsonObject } from "@holdpoint/testkit/mcp/server/clients/client"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { getRequestListener } from "@hono/node-server"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect } from "vitest"
import { callKind } from "../../../../calls/src/records.ts"
import { holdable } from "../../../src/server/index.ts"

let house: House
let payments = 0
/** The server's ends of the connections, in the order in which they were opened. */
const sockets: Socket[] = []
const web = createServer(getRequestListener((request) => house.nodes[0]!.mcp.fetch(request)))
web.on("connection", (socket) => sockets.push(socket))

beforeEach(async () => {
  payments = 0
  house = await createHouse({ server })
  web.listen(0, "127.0.0.1")
  await once(web, "listening")
})
afterEach(async () => {
  web.closeAllConnections()
  for (const socket of sockets.splice(0)) socket.destroy()
  await new Promise((resolve) => web.close(resolve))
  await house.close()
})

function server(): McpServer {
  const made = new McpServer({ name: "taken-over", version: "1" })
  const pay = holdable(async (ask) => {
    await ask.confirm("pay", "Pay?")
    return text(`payment ${await ask.once("charge", () => ++payments)}`)
  })
  made.registerTool("pay", {}, pay)
  return made
}

interface Connected {
  readonly response: IncomingMessage
  /** All that was received. */
  received(): string
  /** Resets the connection. */
  drop(): void
}

/** Sends each request over a connection of its own. */
async function connect() {
  const { headers } = await house.endpoint()
  const { port } = web.address() as AddressInfo
  const base = { ...headers, host: "server.example", accept: "application/json, text/event-stream" }
  let session: string | undefined
  const send = async (method: "GET" | "POST", body?: JsonObject, more: Record<string, string> = {}) => {
    const own = { ...base, ...more, ...(session === undefined ? {} : { "mcp-session-id": session }) }
    const type = body === undefined ? {} : { "content-type": "application/json" }
    const options = { port, host: "127.0.0.1", path: "/mcp", method, agent: false, headers: { ...own, ...type } }
    const request = httpRequest(options)
    request.end(body === undefined ? undefined : JSON.stringify({ jsonrpc: "2.0", ...body }))
    const [response] = (await once(request, "response")) as [IncomingMessage]
    let received = ""
    response.on("data", (chunk: Buffer) => {
      received += chunk.toString()
    })
    // The test itself drops a connection.
    response.on("error", () => {})
    session ??= response.headers["mcp-session-id"] as string | undefined
    return { response, received: () => received, drop: () => request.socket?.resetAndDestroy() } satisfies Connected
  }
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: { form: {} } },
    clientInfo: { name: "taking-over", version: "0" },
  }
  await until(async () => (await send("POST", { id: 0, method: "initialize", params })).response.statusCode === 200)
  await send("POST", { method: "notifications/initialized" })
  return {
    post: (body: JsonObject) => send("POST", body),
    get: (last: string) => send("GET", undefined, { "last-event-id": last }),
  }
}

const calls = () => house.storage.records(callKind).list({ tenant: "acme", limit: 9 })

/** The request with which the client was asked on this stream. */
async function questionOn({ received }: Connected): Promise<{ readonly request: string; readonly event: string }> {
  await until(() => received().includes("elicitation/create"))
  const event = received()
    .split("\n\n")
    .find((one) => one.includes("elicitation/create"))
  const { id } = JSON.parse(/^data: (.*)$/m.exec(event ?? "")?.[1] ?? "{}") as { readonly id: string }
  return { request: id, event: /^id: (.*)$/m.exec(event ?? "")?.[1] ?? "" }
}

describe("a stream that another connection has resumed", () => {
  verifies("mcp.resumed", "delivers the result there, although the original connection drops afterwards", async () => {
    const client = await connect()
    const call = (id: number) => ({ id, method: "tools/call", params: { name: "pay", arguments: {} } })
    const yes = (id: string) => ({ id, result: { action: "accept", content: { confirmed: true } } })
    const original = await client.post(call(1))
    const socket = sockets.at(-1)
    const asked = await questionOn(original)
    // From here on the connection hangs: the network takes no more bytes of the server.
    if (socket !== undefined) Object.assign(socket, { _write: () => {}, _writev: null })
    const resumed = await client.get(asked.event)
    expect(resumed.response.statusCode).toBe(200)
    original.drop()
    await until(() => socket?.closed === true)
    // The call is waited for, so the same call, made beside it, is another one and asks for itself.
    const beside = await client.post(call(2))
    const second = await questionOn(beside)
    expect(second.request).not.toBe(asked.request)
    await client.post(yes(asked.request))
    await until(() => resumed.response.readableEnded)
    expect(resumed.received()).toContain("payment 1")
    expect(resumed.received()).not.toContain("elicitation/create")
    // The first call was delivered and is over.
    await until(async () => (await calls()).length === 1)
    await client.post(yes(second.request))
    await until(() => beside.response.readableEnded)
    expect(beside.received()).toContain("payment 2")
    await until(async () => (await calls()).length === 0)
    expect(payments).toBe(2)
  })
})
