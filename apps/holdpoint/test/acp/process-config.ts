// The configuration of `holdpoint acp` in a separate process. Its file and its tools print on standard output, and its
// agent uses an MCP server that needs an account.

import type { ApiKeyProvider } from "@holdpoint/accounts"
import type { AgentConfig, AgentsConfig } from "@holdpoint/agents"
import { deskAgents } from "./desk-agents.ts"

console.log("The settings print.")

const desk: AgentsConfig = deskAgents({
  push(deed: string) {
    console.log(`A tool prints: ${deed}`)
    return 0
  },
})
const desktop = desk.agents.helper as AgentConfig
const policies = { ...desktop.policies, list_notes: "always" } as const
const helper: AgentConfig = { ...desktop, policies, mcpServers: ["notes"] }

/** The provider of the MCP server that the test runs, as JSON in the environment. */
const provider = JSON.parse(process.env.ACP_NOTES_PROVIDER ?? "{}") as ApiKeyProvider

export default {
  providers: [provider],
  network: { allowLoopback: true },
  agents: {
    ...{ ...desk, agents: { ...desk.agents, helper } },
    mcpServers: {
      notes: {
        ...{ url: process.env.ACP_NOTES_URL, credentialScope: "user", provider: "notes" },
        tools: [{ name: "list_notes", inputSchema: { type: "object" } }],
      },
    },
  },
}
