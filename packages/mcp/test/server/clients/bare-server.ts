// A server on the bare SDK that asks as in 2026-07-28; the SDK itself asks older clients by request.

import { acceptedContent, inputRequired, inputResponse, McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"

export function bareServer(): McpServer {
  const server = new McpServer({ name: "bare", version: "1" }, { inputRequired: { legacyShim: true } })
  server.registerTool("echo", { inputSchema: z.object({ word: z.string() }) }, async ({ word }) => text(word))
  server.registerTool("greet", { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
    const answered = inputResponse(mcpReq.inputResponses, "name")
    if (answered.kind === "elicit" && answered.action !== "accept") return text(answered.action)
    const given = acceptedContent<{ name: string }>(mcpReq.inputResponses, "name")
    if (given !== undefined) return text(`Hello, ${given.name}!`)
    const requestedSchema = z.object({ name: z.string() })
    return inputRequired({ inputRequests: { name: inputRequired.elicit({ message: "Your name?", requestedSchema }) } })
  })
  server.registerTool("slow", { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    if (progressToken !== undefined)
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1, message: "one" } })
    return text("done")
  })
  return server
}

const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] })
