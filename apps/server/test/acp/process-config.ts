// The configuration of `holdpoint acp` as a process of its own: agents that print, as careless ones do, and that use
// notes which need an account.

import type { ApiKeyProvider } from "@holdpoint/sdk/vault"
import type { AgentConfig, AgentsConfig } from "../../src/agents/definition.ts"
import { deskAgents } from "./desk-agents.ts"

console.log("The settings print.")

const desk: AgentsConfig = deskAgents({
  push(deed: string) {
    console.log(`A tool prints: ${deed}`)
    return 0
  },
})
const helper: AgentConfig = { ...(desk.agents.helper as AgentConfig), mcpServers: ["notes"] }

/** As JSON in the environment: the test serves the notes. */
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
