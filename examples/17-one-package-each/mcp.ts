// An MCP server on stdio with one tool, which asks the person before it acts.
import { createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createMcp, holdable } from "@holdpoint/mcp"
import { McpServer } from "@modelcontextprotocol/server"

const [storage, local] = [createMemoryStorage(), { tenant: "local", issuer: "local", subject: "me" }]
const hub = createHub({ storage, outlets: [inbox()] })
const toResult = (isYes: boolean) => ({ content: [{ type: "text" as const, text: isYes ? "Refunded." : "Kept." }] })
const refund = holdable(async (ask) => toResult(await ask.confirm("sure", "Refund order 7?")))
const server = (): McpServer => {
  const shop = new McpServer({ name: "shop", version: "1.0.0" })
  shop.registerTool("refund", { description: "Refunds order 7." }, refund)
  return shop
}
createMcp({ hub, storage, keys: withNewKey(), name: "shop", server, callers: { local }, addresses: "none" }).stdio()
