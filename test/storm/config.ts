// The configuration of every node of a storm: agents whose tools tell the ledger what they do, and who the people are.

import type { AgentsConfig } from "../../apps/server/src/agents/definition.ts"
import { scriptedModel } from "../../apps/server/src/agents/scripted-model.ts"
import { defineConfig } from "../../apps/server/src/index.ts"
import { type StormSettings, settingsVariable } from "./settings.ts"

const { ledger, issuer, clientSecret, tokenKey, roles } = JSON.parse(
  process.env[settingsVariable] ?? "{}",
) as StormSettings

/** Tells the ledger. The response says nothing: the effect is done when the ledger has it. */
async function carryOut(key: string): Promise<void> {
  await fetch(ledger, { method: "POST", body: key })
}

const keyInput = { type: "object", properties: { key: { type: "string" } }, required: ["key"] }

/** “pay k7x” calls the tool pay with the key k7x, and the reply repeats what the tool returned. */
const clerk = scriptedModel(
  ({ message, step, results }) => {
    const [, tool = "", key = ""] = /^(\w+) (k\d+x)/.exec(message) ?? []
    if (tool === "story") return { text: Array.from({ length: 40 }, (_, at) => `word${at} `).join("") + key }
    if (step === 0) return { text: "One moment, please. ", calls: [{ tool, input: { key } }] }
    return { text: `The result is: ${results.map(({ output }) => String(output)).join(" and ")}` }
  },
  { wordsPerSecond: 60 },
)

const agents: AgentsConfig = {
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
      policies: { pay: "ask" },
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
