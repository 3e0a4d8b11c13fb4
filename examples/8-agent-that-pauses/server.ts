// The server of the example: one agent with two MCP servers. Its model follows a script, so that no key is needed. It
// is a process of its own, because main.ts kills it.

import { join } from "node:path"
import { oidc } from "@holdpoint/accounts/providers"
import { type AgentsConfig, createAgents, readAgents, scriptedModel } from "@holdpoint/agents"
import { parseKeyRing } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { createMcp, holdable } from "@holdpoint/mcp"
import { McpServer } from "@modelcontextprotocol/server"
import { startServer } from "holdpoint/serve"
import type { Notes } from "../5-connect-an-account/notes.ts"

/** The settings from main.ts. */
export interface Plan {
  readonly folder: string
  readonly keys: string
  readonly port: number
  readonly notes: Pick<Notes, "issuer" | "client">
}

const { folder, keys, port, notes } = JSON.parse(process.argv[2] ?? "{}") as Plan

function createNoteServer(): McpServer {
  const server = new McpServer({ name: "notes", version: "1.0.0" })
  const readNotes = holdable(async (ask) => {
    const account = await ask.connection("notes", { scopes: ["notes.read"] })
    const response = await account.fetch(`${notes.issuer}/notes`)
    const { notes: list } = (await response.json()) as { readonly notes: readonly string[] }
    return { content: [{ type: "text" as const, text: list.join(", ") }] }
  })
  server.registerTool("read_notes", { description: "Reads the user's notes." }, readNotes)
  return server
}

function createClockServer(): McpServer {
  const server = new McpServer({ name: "clock", version: "1.0.0" })
  const tell = async () => ({ content: [{ type: "text" as const, text: "Monday" }] })
  server.registerTool("which_day", { description: "Tells the day of the week." }, tell)
  return server
}

// #region agents
const agents: AgentsConfig = {
  agents: {
    secretary: {
      model: scriptedModel(({ step, results }) => {
        if (step === 0) return { text: "Let me look. ", calls: [{ tool: "which_day", input: {} }] }
        if (step === 1) return { calls: [{ tool: "read_notes", input: {} }] }
        return { text: `It is ${results[0]?.output}. Your notes: ${results[1]?.output}.` }
      }),
      instructions: "You help with notes.",
      mcpServers: ["clock", "notes"],
    },
  },
  mcpServers: {
    notes: {
      ...{ credentialScope: "user", provider: "notes", scopes: ["notes.read"] },
      mcp: (site) => createMcp({ ...site, name: "notes", callers: "anonymous", server: createNoteServer }),
    },
    clock: {
      credentialScope: "none",
      mcp: (site) => createMcp({ ...site, name: "clock", callers: "anonymous", server: createClockServer }),
    },
  },
}
// #endregion

const scopes = { baseScopes: ["openid", "email", "offline_access"], scopeWords: { "notes.read": "Read your notes" } }
await startServer({
  ...{ storage: await openSqlite(join(folder, "agents.sqlite")), keys: parseKeyRing(keys, "main.ts") },
  ...{ people: { from: "embedded" }, host: "127.0.0.1", port },
  providers: [oidc({ id: "notes", name: "Example Notes", issuer: notes.issuer, ...notes.client, ...scopes })],
  mounts: (site) => [createAgents(site, readAgents({ ...agents }))],
})
process.on("disconnect", () => process.exit())
process.send?.("ready")
