// One tool on two servers with the same token check: the SDK's own handler, which calls with a fixed token, and ours,
// which uses the caller's connection. There is no network behind them.

import type { Fetch } from "@holdpoint/accounts"
import { createVault } from "@holdpoint/accounts"
import type { Hub } from "@holdpoint/hub"
import { createAddresses, createHub, inbox, systemRuntime } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { createMcp, holdable } from "@holdpoint/mcp"
import { type CallToolResult, createMcpHandler, McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"
import { connectionKind } from "../../packages/accounts/src/vault/records.ts"
import type { StoreLocation } from "../core/store-locations.ts"
import { openStorage } from "../core/store-locations.ts"
import { newConnection } from "../vault/connections.ts"
import { calendar } from "../vault/fetch.ts"
import { createTokens, resource } from "./tokens.ts"

export type Serve = (request: Request) => Promise<Response>

export interface Servers {
  readonly bare: Serve
  readonly ours: Serve
  readonly token: string
  readonly hub: Hub
  close(): Promise<void>
}

const url = "https://api.calendar.example/v1/events"
const stub: Fetch = async () => new Response("{}")
const inputSchema = z.object({ day: z.string() })
const sureForm = z.object({ sure: z.boolean() })
const answer = (day: string) => ({ content: [{ type: "text" as const, text: `Nothing on ${day}.` }] })
const held: ((result: CallToolResult) => void)[] = []
const limits = { pendingPerPerson: 1e9, pendingPerTenant: 1e9 }

export async function openServers(location: StoreLocation): Promise<Servers> {
  const storage = await openStorage(location)
  const hub = createHub({ storage, outlets: [inbox()], limits })
  const keys = withNewKey()
  const sealer = createSealer(keys)
  const addresses = createAddresses(new URL(resource).origin)
  const parts = { storage, questions: hub, sealer, providers: [calendar], fetch: stub, addresses }
  const vault = createVault({ ...parts, runtime: systemRuntime })
  const { token, callers } = await createTokens("person")
  await storage.records(connectionKind).insert(newConnection(sealer, "person"))
  const hosts = ["127.0.0.1"]
  const mcp = createMcp({ hub, storage, keys, vault, callers, addresses, hosts, name: "bench", server: createOurs })
  const handler = createMcpHandler(createBare)
  return {
    token,
    hub,
    ours: mcp.fetch,
    async bare(request) {
      const caller = await callers.authenticate(request)
      if (caller instanceof Response) return caller
      const { clientId, scopes, expiresAt } = caller
      return handler.fetch(request, { authInfo: { token, clientId, scopes: [...scopes], expiresAt } })
    },
    async close() {
      await handler.close()
      await mcp.close()
      await vault.close()
      await hub.close()
      await storage.close()
    },
  }
}

function createBare(): McpServer {
  const server = new McpServer({ name: "bench", version: "1.0.0" })
  server.registerTool("events", { inputSchema }, async ({ day }) => {
    await stub(url, { headers: { authorization: "Bearer of-the-server" } })
    return answer(day)
  })
  // A promise that could still resolve holds the call open, as in every real wait.
  server.registerTool("ask", {}, async (ctx) => {
    await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken: 1, progress: 0 } })
    return new Promise<CallToolResult>((resolve) => held.push(resolve))
  })
  // Never called: a server is created for each request, and both should create the same number of tools.
  server.registerTool("open", {}, async () => answer("Sunday"))
  return server
}

function createOurs(): McpServer {
  const server = new McpServer({ name: "bench", version: "1.0.0" })
  server.registerTool(
    "events",
    { inputSchema },
    holdable(async ({ day }, ask) => {
      const connection = await ask.connection("calendar", { scopes: ["read"] })
      await connection.fetch(url)
      return answer(day)
    }),
  )
  server.registerTool(
    "ask",
    {},
    holdable(async (ask) => {
      const { sure } = await ask.form("sure", "Sure?", sureForm)
      return { content: [{ type: "text", text: String(sure) }] }
    }),
  )
  server.registerTool(
    "open",
    {},
    holdable(async (ask) => {
      await ask.url("open", "Look at this", "https://pay.example/")
      return { content: [{ type: "text", text: "Done." }] }
    }),
  )
  return server
}
