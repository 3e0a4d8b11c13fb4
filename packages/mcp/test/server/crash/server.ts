// An MCP server in its own process, on the given storage. Tests start and kill it. Prints its port, or serves stdio.
// Each effect of its tools is a line in a file, so that repeated effects are visible.

import { appendFileSync, existsSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createHub, inbox } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { parseKeyRing } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { alice } from "@holdpoint/testkit/fixtures"
import { getRequestListener } from "@hono/node-server"
import { McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"
import { createMcp, holdable } from "../../../src/server/index.ts"

export interface ServerSettings {
  readonly database: string
  /** The schema, for Postgres. */
  readonly schema?: string
  readonly keys: string
  /** The file in which the tools record their effects. */
  readonly deeds: string
  /** Slow effects finish when this file exists. */
  readonly go: string
  /** Whether it serves its parent process over stdio. */
  readonly isStdio?: boolean
}

const { database, schema, keys, deeds, go, isStdio } = JSON.parse(process.argv[2] ?? "{}") as ServerSettings
const storage = await (schema === undefined ? openSqlite(database) : openPostgres(database, { schema }))
const hub = createHub({ storage, outlets: [inbox()] })

const inputSchema = z.object({ id: z.string() })
const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] })
const note = (deed: string) => (): void => appendFileSync(deeds, `${deed}\n`)

function server(): McpServer {
  const made = new McpServer({ name: "mortal", version: "1" })
  made.registerTool(
    "ship",
    { inputSchema },
    holdable(async ({ id }, ask) => {
      await ask.once("reserved", note(`reserved ${id}`))
      const { size } = await ask.form("size", "Which size?", z.object({ size: z.enum(["small", "large"]) }))
      await ask.once("shipped", note(`shipped ${id}`))
      return text(`Shipped ${id}, ${size}.`)
    }),
  )
  made.registerTool(
    "pay",
    { inputSchema },
    holdable(async ({ id }, ask) => {
      await ask.once("reserved", note(`reserved ${id}`))
      await ask.url("pay", "Please pay.", (order) => `https://pay.example/${order}`)
      await ask.once("booked", note(`booked ${id}`))
      return text(`Paid ${id}.`)
    }),
  )
  made.registerTool(
    "hang",
    { inputSchema },
    holdable(async ({ id }, ask) => {
      await ask.confirm("sure", "Sure?")
      await ask.once("charged", async () => {
        note(`charged ${id}`)()
        await new Promise(() => {})
      })
      return text("never")
    }),
  )
  made.registerTool(
    "charge",
    { inputSchema },
    holdable(async ({ id }, ask) => {
      await ask.once("charged", async () => {
        note(`charged ${id}`)()
        while (!existsSync(go)) await new Promise((resolve) => setTimeout(resolve, 20))
      })
      return text(`Charged ${id}.`)
    }),
  )
  return made
}

const mcp = createMcp({
  ...{ hub, storage, server },
  keys: parseKeyRing(keys, "the test"),
  name: "mortal",
  callers: { local: alice },
  addresses: "none",
})
const close = async (): Promise<void> => {
  await mcp.close()
  await hub.close()
  await storage.close()
}
if (isStdio === true) {
  mcp.stdio()
  process.stdin.on("end", close)
} else {
  const http = createServer(getRequestListener((request) => mcp.fetch(request)))
  http.listen(0, "127.0.0.1", () => process.stdout.write(`${(http.address() as AddressInfo).port}\n`))
  process.stdin.on("end", async () => {
    http.close()
    await close()
    http.closeAllConnections()
  })
  process.stdin.resume()
}
