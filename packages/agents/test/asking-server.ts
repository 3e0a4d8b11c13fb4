// A foreign MCP server of revision 2025-11-25 over HTTP, with sessions: its tools push questions in the middle of a call.

import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { onTestFinished } from "vitest"

/** Asks the person, and returns their action. */
export type AskPerson = (message: string) => Promise<string>

export interface AskingServer {
  readonly url: string
  /** The number of sessions that are open. */
  readonly sessions: () => number
}

/** `tools` are called with a function that pushes a question. */
export async function startAskingServer(
  tools: Readonly<Record<string, (ask: AskPerson) => Promise<string>>>,
): Promise<AskingServer> {
  const transports = new Map<string, StreamableHTTPServerTransport>()
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const mcp = new McpServer({ name: "asking", version: "1" })
    for (const [name, run] of Object.entries(tools))
      mcp.registerTool(name, { description: name }, async (extra) => {
        const ask: AskPerson = async (message) => {
          const requestedSchema = { type: "object", properties: { ok: { type: "boolean" } } } as const
          const options = { timeout: 600_000, relatedRequestId: extra.requestId }
          return (await mcp.server.elicitInput({ message, requestedSchema }, options)).action
        }
        return { content: [{ type: "text", text: await run(ask) }] }
      })
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
    })
    await mcp.connect(transport as never)
    return transport
  }
  const http = createServer(async (request, response) => {
    const session = request.headers["mcp-session-id"]
    const transport = typeof session === "string" ? transports.get(session) : await open()
    if (transport === undefined) return void response.writeHead(404).end()
    await transport.handleRequest(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, sessions: () => transports.size }
}
