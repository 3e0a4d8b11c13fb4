// Example settings of `holdpoint serve` for a small company: who people are, and what they can connect. Secrets come from
// the environment.

import { apiKey, github, google, nextcloudLogin } from "@holdpoint/accounts/providers"
import { defineConfig } from "holdpoint"

export default defineConfig({
  publicUrl: "https://hub.example.com",
  tenant: "example",
  identityProviders: [
    {
      id: "company",
      name: "Example Company",
      issuer: "https://login.example.com/realms/main",
      client: { id: "holdpoint", secret: fromEnvironment("SIGN_IN_SECRET") },
      tenant: "example",
      roles: { claim: "realm_access.roles" },
    },
  ],
  providers: [
    google({ clientId: "1234.apps.googleusercontent.com", clientSecret: fromEnvironment("GOOGLE_SECRET") }),
    github({ clientId: "Iv1.0123456789abcdef", clientSecret: fromEnvironment("GITHUB_SECRET") }),
    nextcloudLogin({ server: "https://cloud.example.com", name: "Our cloud" }),
    apiKey({
      id: "weather",
      name: "Example Weather",
      test: "https://api.weather.example/v1/me",
      account: { id: "id", name: ["email"] },
      header: { name: "X-Api-Key" },
      help: { words: "Your key is on the page “API” of your profile.", url: "https://weather.example/profile/api" },
    }),
  ],
  returnTargets: { chat: { name: "the chat", href: "https://chat.example.com/" } },
  openers: { chat: "https://chat.example.com" },
})

function fromEnvironment(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === "") throw new Error(`Set ${name}.`)
  return value
}
