// A foreign MCP server that answers 401 to every request without the right key, and counts the requests.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { ApiKeyProvider } from "@holdpoint/hub/internal"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { onTestFinished } from "vitest"

export interface GuardedServer {
  readonly url: string
  /** The provider of its keys. */
  readonly provider: ApiKeyProvider
  /** The methods that were called with the right key. */
  readonly calls: string[]
  unauthorized(): number
  /** Replaces the valid key. */
  changeKey(key: string): void
}

export const goodKey = "key-of-alice-0123456789"

export async function startGuardedServer(): Promise<GuardedServer> {
  const calls: string[] = []
  let unauthorized = 0
  let rightKey = goodKey
  const http = createServer(async (request, response) => {
    const isFine = request.headers.authorization === `Bearer ${rightKey}`
    if (request.url === "/me") return void response.writeHead(isFine ? 200 : 401).end("{}")
    if (!isFine) {
      unauthorized++
      return void response.writeHead(401).end()
    }
    const server = new McpServer({ name: "notes", version: "1" })
    server.registerTool("list_notes", { title: "List notes", description: "Lists the notes" }, async () => {
      calls.push("list_notes")
      return { content: [{ type: "text", text: "Milk, Bread" }] }
    })
    // Without sessions: each request gets a new server.
    const transport = new StreamableHTTPServerTransport({})
    await server.connect(transport as never)
    await transport.handleRequest(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return {
    url: `${origin}/mcp`,
    calls,
    unauthorized: () => unauthorized,
    changeKey: (key) => {
      rightKey = key
    },
    provider: {
      ...{ kind: "api_key", id: "notes", name: "Example Notes", api: [origin] },
      header: { name: "Authorization", prefix: "Bearer " },
      test: { method: "GET", url: `${origin}/me` },
      identity: { from: "nothing" },
    },
  }
}
