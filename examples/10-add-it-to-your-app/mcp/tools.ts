// The tools of an MCP server for a shop: twenty-nine that look things up, and one that gives money back.

import { holdable } from "@holdpoint/mcp"
import { McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"

const lists = ["orders", "invoices", "payments", "customers", "products", "suppliers", "parcels", "returns", "coupons"]
const counts = [...lists, "reviews", "baskets", "visits", "newsletters", "gift_cards", "warehouses", "shelves", "staff"]
const dates = ["sale", "delivery", "stocktaking"]

export function createShop(): McpServer {
  const server = new McpServer({ name: "shop", version: "1.0.0" })
  // These stand for the tools that you have. Nothing changes for them.
  const look = (name: string) => server.registerTool(name, { description: name }, async () => text(`${name}: none`))
  for (const name of lists) look(`list_${name}`)
  for (const name of counts) look(`count_${name}`)
  for (const name of dates) look(`next_${name}`)
  // #region refund
  server.registerTool(
    "refund_order",
    { description: "Gives the money for an order back.", inputSchema: z.object({ order: z.string() }) },
    holdable(async ({ order }, ask) => {
      const isSure = await ask.confirm("sure", `Refund order ${order}?`, { yes: "Refund it", no: "Keep the money" })
      if (!isSure) return text(`Order ${order} is not refunded.`)
      await ask.once("refunded", () => refund(order))
      return text(`Order ${order} is refunded.`)
    }),
  )
  // #endregion
  return server
}

function refund(_order: string): void {}

const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] })
