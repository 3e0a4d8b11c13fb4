// A 2025 server over HTTP with sessions, made with the official SDK 1.32: it pushes over the stream of the call, and may
// forget its sessions.

import { randomUUID } from "node:crypto"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Caller } from "@holdpoint/testkit/mcp/client/caller"
import { createCaller } from "@holdpoint/testkit/mcp/client/caller"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { McpPeer } from "../../src/client/index.ts"
import { connectMcp } from "../../src/client/index.ts"
import { createServerOf } from "./first-servers.ts"

let caller: Caller
let http: Server
let peer: McpPeer
const sessions = new Map<string, StreamableHTTPServerTransport>()

beforeEach(async () => {
  caller = createCaller()
  http = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`)
  peer = connectMcp({ name: "old", transport: () => new StreamableHTTPClientTransport(url) })
})
afterEach(async () => {
  await peer.close()
  sessions.clear()
  http.close()
  http.closeAllConnections()
  await caller.close()
})

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = request.headers["mcp-session-id"]
  const known = typeof id === "string" ? sessions.get(id) : await openSession()
  if (known === undefined) response.writeHead(404).end()
  else await known.handleRequest(request, response)
}

async function openSession(): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  })
  // The types of that generation do not allow for `exactOptionalPropertyTypes`.
  await createServerOf().connect(transport as unknown as Parameters<McpServer["connect"]>[0])
  return transport
}

describe("A 2025 server over HTTP", () => {
  it("pushes a question over the stream of its call, and receives the answer", async () => {
    const called = caller.call(peer, { name: "paint" })
    await caller.refuse((await caller.questions())[0])
    expect(await called).toBe("Not painted: decline")
  })

  it("that has forgotten the session gets the call in a new one", async () => {
    expect(await caller.call(peer, { name: "connect" })).toBe("Connected.")
    sessions.clear()
    expect(await caller.call(peer, { name: "connect" })).toBe("Connected.")
    expect(sessions.size).toBe(1)
  })
})
