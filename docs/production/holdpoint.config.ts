// The settings without an environment variable: who people are. Change this file, and put it where production.md says.

import { defineConfig } from "holdpoint"

export default defineConfig({
  tenant: "example",
  identityProviders: [
    {
      id: "company",
      name: "Example Company",
      issuer: "https://login.example.com/realms/main",
      client: { id: "holdpoint", secret: process.env.SIGN_IN_SECRET ?? "" },
      tenant: "example",
    },
  ],
})
