// Access tokens as an authorization server signs them, and a resource server that knows the keys.

import type { ResourceServer } from "@holdpoint/server/identity"
import { createResourceServer } from "@holdpoint/server/identity"
import { exportJWK, generateKeyPair, SignJWT } from "jose"

export const resource = "https://bench.example/mcp"

const issuer = "https://login.example.com"

export async function createTokens(
  subject: string,
): Promise<{ readonly token: string; readonly callers: ResourceServer }> {
  const { publicKey, privateKey } = await generateKeyPair("ES256")
  const jwk = { ...(await exportJWK(publicKey)), kid: "bench", alg: "ES256", use: "sig" }
  const set = { keys: [jwk] }
  const token = await new SignJWT({ client_id: "bench", scope: "mcp" })
    .setProtectedHeader({ alg: "ES256", kid: "bench", typ: "at+jwt" })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience(resource)
    .setIssuedAt()
    .setExpirationTime("2h")
    .sign(privateKey)
  const callers = createResourceServer({
    resource,
    issuers: [{ issuer, tenant: "bench", verify: { by: "keys", keys: () => set } }],
    fetch: () => Promise.reject(new Error("No request is needed: the keys are known.")),
  })
  return { token, callers }
}
