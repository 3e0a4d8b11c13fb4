// A process that calls one tool of an MCP server in a run, on the given database. Tests kill it. What came of the call is
// a line in a file.

import { appendFileSync } from "node:fs"
import { createAsking } from "@holdpoint/calls"
import { createHub, inbox } from "@holdpoint/hub"
import { createSealer, parseKeyRing } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { createMcp, holdable } from "@holdpoint/mcp"
import type { McpPeer, ToolCall } from "@holdpoint/mcp/client"
import { connectMcp, inProcess } from "@holdpoint/mcp/client"
import { createJobs } from "@holdpoint/testkit/calls/plain/carrier"
import { alice } from "@holdpoint/testkit/fixtures"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { McpServer } from "@modelcontextprotocol/server"
import { createFirstServer } from "./first-servers.ts"

export interface ProgramSettings {
  readonly database: string
  readonly keys: string
  readonly deeds: string
  /** The address of a server, a server of this process, or one that pushes and dies with this process. */
  readonly server: { readonly url: string } | "in-process" | "first"
  readonly call: Omit<ToolCall, "signal" | "onProgress">
}

const { database, keys, deeds, server, call } = JSON.parse(process.argv[2] ?? "{}") as ProgramSettings
const storage = await openSqlite(database)
const hub = createHub({ storage, outlets: [inbox()] })
const ring = parseKeyRing(keys, "the test")
const asking = createAsking({ hub, storage, sealer: createSealer(ring), strict: true })
const note = (line: string): void => appendFileSync(deeds, `${line}\n`)

function openPeer(): McpPeer {
  if (server === "in-process")
    return inProcess(
      createMcp({ hub, storage, keys: ring, name: "notes", callers: "anonymous", addresses: "none", server: notes }),
      { name: "notes", caller: alice },
    )
  if (server !== "first")
    return connectMcp({ name: "server", transport: () => new StreamableHTTPClientTransport(new URL(server.url)) })
  return connectMcp({ name: "first", transport: () => createFirstServer().open() })
}

function notes(): McpServer {
  const made = new McpServer({ name: "notes", version: "1" })
  made.registerTool(
    "delete_note",
    {},
    holdable(async (ask) => {
      await ask.once("looked", () => note("looked"))
      const isSure = await ask.confirm("sure", "Delete it?")
      await ask.once("deleted", () => note(isSure ? "deleted" : "kept"))
      return { content: [{ type: "text", text: isSure ? "Deleted." : "Kept." }] }
    }),
  )
  return made
}

const peer = openPeer()
const jobs = createJobs(asking, alice, async (_input, ask) => {
  try {
    const { content } = await peer.callTool(ask.scope("tool"), call)
    note(`result ${content.map((part) => ("text" in part ? part.text : part.type)).join(" ")}`)
  } catch (error) {
    note(`failed ${error instanceof Error && "code" in error ? String(error.code) : String(error)}`)
  }
})
process.stdout.write("ready\n")
process.stdin.on("data", () => void jobs.start({}).then(() => process.stdout.write("started\n")))
process.stdin.on("end", async () => {
  await peer.close()
  await jobs.close()
  await asking.close()
  await hub.close()
  await storage.close()
  process.exit(0)
})
