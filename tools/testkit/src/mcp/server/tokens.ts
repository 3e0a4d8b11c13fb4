// Tokens for pairs of a person and a program, from an authorization server that the resource trusts.

import type { PrincipalId } from "@holdpoint/hub"
import type { ResourceServer } from "@holdpoint/hub/internal"
import { createResourceServer } from "@holdpoint/server/identity"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { noteCanary } from "../../canaries/note.ts"
import { alice } from "../../fixtures.ts"

export const resource = "https://server.example/mcp"

export interface Callers {
  readonly server: ResourceServer
  /** The request headers for this person and program. */
  headersOf(person: PrincipalId, clientId?: string): Promise<Record<string, string>>
}

export async function createCallers(): Promise<Callers> {
  const { publicKey, privateKey } = await generateKeyPair("ES256")
  const keySet = { keys: [{ ...(await exportJWK(publicKey)), kid: "1", alg: "ES256" }] }
  const { issuer, tenant } = alice
  return {
    server: createResourceServer({
      resource,
      issuers: [{ issuer, tenant, verify: { by: "keys", keys: () => keySet } }],
      fetch: () => Promise.reject(new Error("nothing is fetched here")),
    }),
    async headersOf({ subject }, clientId = "test-client") {
      const token = await new SignJWT({ client_id: clientId })
        .setProtectedHeader({ alg: "ES256", kid: "1", typ: "at+jwt" })
        .setIssuer(issuer)
        .setSubject(subject)
        .setAudience(resource)
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(privateKey)
      noteCanary("access_token", token)
      return { authorization: `Bearer ${token}` }
    },
  }
}
