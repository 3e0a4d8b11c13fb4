// People who sign in with your identity provider, in place of the one person at this machine.

import type { Audience } from "@holdpoint/hub"
import type { People } from "@holdpoint/server"

export const people: People = {
  from: "providers",
  providers: [
    {
      id: "company",
      name: "Company account",
      issuer: "https://id.example.com",
      client: { id: "shop", secret: process.env.OIDC_CLIENT_SECRET ?? "" },
      tenant: "shop",
      roles: { claim: "roles" },
    },
  ],
}

/** Everybody with the role “support” may answer, and the first answer counts. */
export const approver: Audience = { kind: "role", tenant: "shop", role: "support" }
