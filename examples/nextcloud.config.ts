// Example settings of `holdpoint nextcloud` for a small company: who people are, which tools their assistants get, and when
// they are asked. Secrets come from the environment.

import { defineConfig } from "holdpoint"

export default defineConfig({
  publicUrl: "https://mcp.example.org",
  nextcloud: {
    host: "https://cloud.example.org",
    name: "Our assistants",
    tools: ["default", "deck", "talk"],
    confirm: { "*": "always", files: "once", nc_notifications_dismiss_all: "never" },
    oidc: {
      clientId: "holdpoint",
      clientSecret: fromEnvironment("OIDC_CLIENT_SECRET"),
      discoveryUrl: "https://login.example.org/realms/main/.well-known/openid-configuration",
    },
  },
})

function fromEnvironment(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === "") throw new Error(`Set ${name}.`)
  return value
}
