// Example settings of `holdpoint serve` for a site with the chat on its pages. Secrets come from the environment.

import { type AgentsConfig, openAiCompatible } from "@holdpoint/agents"
import { defineConfig } from "holdpoint"

/** Where the people of your site sign in. */
const issuer = "https://login.example.com/realms/main"

// #region agents
const agents: AgentsConfig = {
  agents: {
    assistant: {
      model: openAiCompatible({ url: "https://models.example.com/v1", model: "large", apiKey: env("MODEL_KEY") }),
      instructions: "You help with trips, expenses and notes.",
    },
  },
  origins: ["https://intranet.example.com"],
  apiKeys: [{ id: "intranet", sha256: env("INTRANET_KEY_SHA256"), actsFor: { issuer, tenant: "example" } }],
}
// #endregion

export default defineConfig({
  publicUrl: "https://holdpoint.example.com",
  tenant: "example",
  identityProviders: [
    {
      id: "company",
      name: "Example Company",
      issuer,
      client: { id: "holdpoint", secret: env("SIGN_IN_SECRET") },
      tenant: "example",
    },
  ],
  agents: { ...agents },
})

function env(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === "") throw new Error(`Set ${name}.`)
  return value
}
