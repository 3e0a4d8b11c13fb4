// A server whose tools each ask in one way, and return what was answered. Each cell of the matrix passes its own
// argument, so that no call continues another cell's.

import { holdable } from "@holdpoint/mcp"
import { McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"

export const publicUrl = "https://hub.example"
export const payUrl = "https://pay.example/orders/42"

const inputSchema = z.object({ cell: z.string() })
export const colours = z.object({ colour: z.enum(["red", "green"]) })

export function askingServer(): McpServer {
  const server = new McpServer({ name: "asking", version: "1" })
  server.registerTool(
    "ask_form",
    { inputSchema },
    holdable(async (_args, ask) => {
      const { colour } = await ask.form("colour", "Which colour?", colours)
      return text(`You chose ${colour}.`)
    }),
  )
  server.registerTool(
    "ask_url",
    { inputSchema },
    holdable(async (_args, ask) => {
      await ask.url("pay", "Please pay for your order.", payUrl)
      return text("Paid.")
    }),
  )
  server.registerTool(
    "ask_connection",
    { inputSchema },
    holdable(async (_args, ask) => {
      const { account } = await ask.connection("drive", { scopes: ["files"] })
      return text(`Connected as ${account?.name}.`)
    }),
  )
  return server
}

export const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] })
