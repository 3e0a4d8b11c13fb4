// The Holdpoint server beside your site, with one agent. Its model follows a script, so that no key is needed.

import { oidc } from "@holdpoint/accounts/providers"
import type { AgentsConfig } from "@holdpoint/agents"
import { createAgents, readAgents, scriptedModel } from "@holdpoint/agents"
import { createMemoryStorage, type Runtime, systemRuntime } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createMcp, holdable } from "@holdpoint/mcp"
import { McpServer } from "@modelcontextprotocol/server"
import { type Server, startServer } from "holdpoint/serve"
import type { Notes } from "../5-connect-an-account/notes.ts"

export interface HoldpointPlan {
  /** The origin of your site, whose pages have the chat. */
  readonly site: string
  /** The SHA-256 of your server's API key, in hexadecimal. */
  readonly keyDigest: string
  readonly notes: Notes
  readonly runtime?: Runtime
}

/** The scripted model. Depending on the person's message, it asks by buttons, by fields or by a link. */
const model = scriptedModel(({ message, step, results: [result] }) => {
  if (step > 0 && result?.tool === "read_notes") return { text: `Your notes: ${result.output}.` }
  if (step > 0) return { text: `I heard: ${wordsOf(result?.output)}` }
  if (/notes/i.test(message)) return { text: "Let me look. ", calls: [{ tool: "read_notes", input: {} }] }
  if (/trip/i.test(message)) return { text: "Gladly. ", calls: [{ tool: "plan_trip", input: {} }] }
  if (/expense/i.test(message)) return { text: "I have it here. ", calls: [{ tool: "fill_in_form", input: oslo }] }
  return { text: "I follow a script. Say “List my notes”, “Plan a trip” or “Fill in my expenses”." }
})

const oslo = { purpose: "Visit to Oslo", date: "2026-09-14", amount: 312.5 }

const wordsOf = (output: unknown): string => (typeof output === "string" ? output : "it is in the form.")

const agents: AgentsConfig["agents"] = {
  assistant: {
    model,
    instructions: "You help with trips, expenses and notes.",
    mcpServers: ["notes"],
    tools: {
      plan_trip: {
        description: "Plans a trip. The person says where to and when.",
        inputSchema: { type: "object", properties: {} },
        handle: async (_: unknown, ask) => {
          const { where, when } = await ask.form("trip", "Where to, and when?", tripForm)
          return `to ${where} on ${when}.`
        },
      },
      // #region tool
      fill_in_form: {
        description: "Fills in the expense form that the person has before them, if they want that.",
        inputSchema: expenseSchema(),
        handle: async (expense: typeof oslo, ask) => {
          const { purpose, date, amount } = expense
          const message = `Fill in the form?\n${purpose}, ${date}: ${amount.toFixed(2)}`
          const isWanted = await ask.confirm("fill in", message, { yes: "Fill it in", no: "Leave it" })
          // The page puts `fields` into its form; what the model reads is the same.
          return isWanted ? { fields: expense } : "the form stays as it is."
        },
      },
      // #endregion
    },
  },
}

const tripForm = {
  type: "object",
  properties: { where: { type: "string", title: "Where" }, when: { type: "string", format: "date", title: "When" } },
  required: ["where", "when"],
} as const

function expenseSchema() {
  const properties = { purpose: { type: "string" }, date: { type: "string" }, amount: { type: "number" } }
  return { type: "object", properties, required: ["purpose", "date", "amount"] }
}

export async function startHoldpoint(plan: HoldpointPlan): Promise<Server> {
  const { site, keyDigest, notes, runtime = systemRuntime } = plan
  const scopes = { baseScopes: ["openid", "email", "offline_access"], scopeWords: { "notes.read": "Read your notes" } }
  const mcpServers: AgentsConfig["mcpServers"] = {
    notes: {
      ...{ credentialScope: "user", provider: "notes", scopes: ["notes.read"] },
      mcp: (here) => createMcp({ ...here, name: "notes", callers: "anonymous", server: () => noteServer(notes) }),
    },
  }
  const access = (publicUrl: string): Pick<AgentsConfig, "origins" | "apiKeys"> => ({
    origins: [site],
    apiKeys: [{ id: "intranet", sha256: keyDigest, actsFor: { issuer: `${publicUrl}/idp`, tenant: "local" } }],
  })
  const server = await startServer({
    ...{ storage: createMemoryStorage(), keys: withNewKey(), runtime },
    ...{ people: { from: "embedded" }, host: "127.0.0.1", port: 0 },
    providers: [oidc({ id: "notes", name: "Example Notes", issuer: notes.issuer, ...notes.client, ...scopes })],
    mounts: (here) => [createAgents(here, readAgents({ agents, mcpServers, ...access(here.addresses.publicUrl) }))],
  })
  await notes.allowRedirect(`${server.publicUrl}/oauth/callback/notes`)
  return server
}

function noteServer({ issuer }: Notes): McpServer {
  const server = new McpServer({ name: "notes", version: "1.0.0" })
  const readNotes = holdable(async (ask) => {
    const account = await ask.connection("notes", { scopes: ["notes.read"] })
    const { notes } = (await (await account.fetch(`${issuer}/notes`)).json()) as { readonly notes: readonly string[] }
    return { content: [{ type: "text" as const, text: notes.join(", ") }] }
  })
  server.registerTool("read_notes", { description: "Reads the person's notes." }, readNotes)
  return server
}
