// A small MCP client: starts the server, calls the tool, and asks you what the tool asks.

import { createInterface } from "node:readline/promises"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"

const terminal = createInterface({ input: process.stdin, output: process.stdout })
const client = new Client({ name: "try", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } })
client.setRequestHandler("elicitation/create", async ({ params }) => {
  const answer = await terminal.question(`${params.message} (yes, no) `)
  return { action: "accept", content: { confirmed: answer === "yes" ? "yes" : "no" } }
})
await client.connect(new StdioClientTransport({ command: process.execPath, args: ["server.ts"], stderr: "inherit" }))
console.log(`The server has ${(await client.listTools()).tools.length} tools.`)
const { content } = await client.callTool({ name: "refund_order", arguments: { order: "1001" } })
for (const part of content) if (part.type === "text") console.log(part.text)
terminal.close()
await client.close()
