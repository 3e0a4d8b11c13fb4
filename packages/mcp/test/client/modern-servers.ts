// A server on the bare official SDK 2.x, over HTTP without authentication. It asks as in 2026-07-28, and keeps what it
// needs in the request state.

import type { Transport } from "@modelcontextprotocol/client"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import type { InputRequest } from "@modelcontextprotocol/server"
import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"

export interface ModernServer {
  open(): Transport
  /** The requests for tools, in order: the tool and what came with it. */
  readonly requests: { readonly tool: string; readonly state: string | undefined; readonly responses: unknown }[]
  /** What the tool “scripted” answers, in order; then it is done. */
  script: readonly { readonly requests?: Readonly<Record<string, object>>; readonly state?: string }[]
  /** Whether requests fail as if the network did. */
  isDown: boolean
  /** How many of the next requests fail as if the network did. */
  losses: number
  close(): Promise<void>
}

export const modernAddress = "http://127.0.0.1:9/mcp"

export function createModernServer(): ModernServer {
  const handler = createMcpHandler(() => createServer(modern), { legacy: "reject" })
  const modern: ModernServer = {
    requests: [],
    script: [],
    ...{ isDown: false, losses: 0 },
    open: () =>
      new StreamableHTTPClientTransport(new URL(modernAddress), {
        fetch: async (input, init) => {
          const isLost = modern.losses > 0
          if (isLost) modern.losses--
          if (modern.isDown || isLost) throw new TypeError("fetch failed")
          return handler.fetch(new Request(input, init))
        },
      }),
    close: () => handler.close(),
  }
  return modern
}

function createServer(modern: ModernServer): McpServer {
  const server = new McpServer({ name: "modern", version: "1" })
  server.registerTool("scripted", { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
    const { inputResponses } = mcpReq
    const number = modern.requests.length
    modern.requests.push({ tool: "scripted", state: mcpReq.requestState<string>(), responses: inputResponses })
    const next = modern.script[number]
    if (next === undefined) return { content: [{ type: "text" as const, text: "Done." }] }
    const { requests, state = `state ${number}` } = next
    return inputRequired({
      ...(requests === undefined ? {} : { inputRequests: requests as Record<string, InputRequest> }),
      requestState: state,
    })
  })
  return server
}

export const askForm = (message: string, properties: object, more: object = {}) => ({
  method: "elicitation/create",
  params: { mode: "form", message, requestedSchema: { type: "object", properties }, ...more },
})

export const askUrl = (message: string, url: string) => ({
  method: "elicitation/create",
  params: { mode: "url", message, url },
})
