// A foreign MCP server over HTTP whose tools the test changes, and which notes the tools that were called.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { onTestFinished } from "vitest"

export interface ToolServer {
  readonly url: string
  /** The descriptions of the tools by name. Change them as a server would. */
  tools: Readonly<Record<string, string>>
  readonly called: string[]
}

export async function startToolServer(tools: ToolServer["tools"]): Promise<ToolServer> {
  const called: string[] = []
  const http = createServer(async (request, response) => {
    const server = new McpServer({ name: "tools", version: "1" })
    for (const [name, description] of Object.entries(toolServer.tools))
      server.registerTool(name, { description }, async () => {
        called.push(name)
        return { content: [{ type: "text", text: `${name}: done` }] }
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
  const toolServer: ToolServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    tools,
    called,
  }
  return toolServer
}
