// The configuration of every node of a storm: agents whose tools tell the ledger what they do, and who the people are.

import type { AgentsConfig } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"
import { type Ask, createMcp, holdable } from "@holdpoint/mcp"
import { McpServer } from "@modelcontextprotocol/server"
import { defineConfig } from "holdpoint"
import { z } from "zod"
import { type StormSettings, settingsVariable } from "./settings.ts"

const { ledger, issuer, clientSecret, tokenKey, roles, command, tools } = JSON.parse(
  process.env[settingsVariable] ?? "{}",
) as StormSettings

/** Tells the ledger. The response says nothing: the effect is done when the ledger has it. */
async function carryOut(key: string): Promise<void> {
  await fetch(ledger, { method: "POST", body: key })
}

/** For the tool that is a script, and tells the ledger by itself. */
const port = new URL(ledger).port

const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] })

/** An MCP server inside of the node, whose tool asks. */
function createDesk(): McpServer {
  const server = new McpServer({ name: "desk", version: "1.0.0" })
  const order = holdable(async ({ key }: { readonly key: string }, ask: Ask) => {
    if (!(await ask.confirm("sure", `Order ${key}?`))) return text(`not done ${key}`)
    await ask.once("ordered", () => carryOut(key))
    return text(`done ${key}`)
  })
  server.registerTool("order", { description: "Orders", inputSchema: z.object({ key: z.string() }) }, order)
  return server
}

const keyInput = { type: "object", properties: { key: { type: "string" } }, required: ["key"] }

/** “pay k7x” calls the tool pay with the key k7x, and the reply repeats what the tool returned. */
const clerk = scriptedModel(
  ({ message, step, results }) => {
    const [, tool = "", key = ""] = /^(\w+) (k\d+x)/.exec(message) ?? []
    if (tool === "story") return { text: Array.from({ length: 40 }, (_, at) => `word${at} `).join("") + key }
    if (step === 0) return { text: "One moment, please. ", calls: [{ tool, input: { key, port } }] }
    return {
      text: `The result is: ${results.map(({ output }) => (typeof output === "string" ? output : JSON.stringify(output))).join(" and ")}`,
    }
  },
  { wordsPerSecond: 60 },
)

const agents: AgentsConfig = {
  default: "clerk",
  agents: {
    clerk: {
      model: clerk,
      tools: {
        pay: {
          ...{ description: "Pays", inputSchema: keyInput },
          execute: async ({ key }: { readonly key: string }) => {
            await carryOut(key)
            return `done ${key}`
          },
        },
        transfer: {
          ...{ description: "Transfers money after two questions", inputSchema: keyInput },
          handle: async ({ key }: { readonly key: string }, ask) => {
            if (!(await ask.confirm("sure", `Transfer ${key}?`))) return `not done ${key}`
            const purpose = {
              type: "object",
              properties: { purpose: { type: "string" } },
              required: ["purpose"],
            } as const
            await ask.form("purpose", `What is ${key} for?`, purpose)
            await ask.once("transferred", () => carryOut(key))
            return `done ${key}`
          },
        },
      },
      mcpServers: ["desk"],
      // It asks by itself.
      policies: { pay: "ask", order: "always" },
    },
    // By itself, because its server is a process that each node has to start first.
    courier: { model: clerk, mcpServers: ["scripts"], policies: { deliver: "always" } },
  },
  mcpServers: {
    desk: {
      credentialScope: "none",
      mcp: (site) => createMcp({ ...site, name: "desk", callers: "anonymous", server: createDesk }),
    },
    scripts: {
      ...{ credentialScope: "none", command: process.execPath },
      args: [...command, "shell", tools, "--database", `scripts-${process.pid}.db`],
    },
  },
  issuers: [{ issuer, tenant: "storm", roles: { fixed: roles }, verify: { by: "keys", keys: () => tokenKeys } }],
}

const tokenKeys = { keys: [tokenKey] }

export default defineConfig({
  tenant: "storm",
  identityProviders: [
    {
      ...{ id: "people", name: "People", issuer, tenant: "storm", roles: { fixed: roles } },
      client: { id: "client", secret: clientSecret },
    },
  ],
  network: { allowLoopback: true },
  email: { from: "Storm <storm@example.com>", sayWhenOver: true },
  ladder: [
    { outlet: "slack", after: "0s" },
    { outlet: "email", after: "1s" },
  ],
  limits: { pendingPerPerson: 500 },
  agents: agents as never,
})
