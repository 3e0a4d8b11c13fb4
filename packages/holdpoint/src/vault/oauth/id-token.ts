// The id token of a code exchange, checked by the library: issuer, audience, times, nonce. It came straight from the
// token endpoint over TLS, which stands for its signature (OpenID Connect Core §3.1.3.7, 6).

import * as oauth from "oauth4webapi"
import type { Server } from "./server.ts"

export type Claims = Readonly<Record<string, unknown>>

/** Undefined when it is not for us, not of this attempt, or not readable. */
export async function readIdToken(
  idToken: string,
  { client, server, nonce }: { readonly client: oauth.Client; readonly server: Server; readonly nonce: string },
): Promise<Claims | undefined> {
  try {
    const issuer = await issuerFor(server, idToken)
    if (issuer === undefined) return undefined
    // The library judges whole answers; this one holds nothing but what there is to judge.
    const answer = Response.json({ access_token: "unused", token_type: "bearer", id_token: idToken })
    const options = { expectedNonce: nonce, requireIdToken: true }
    const judged = await oauth.processAuthorizationCodeResponse({ ...server.metadata, issuer }, client, answer, options)
    return oauth.getValidatedIdTokenClaims(judged)
  } catch {
    return undefined
  }
}

/** Microsoft's issuer names the tenant of the account, which only the token itself tells. */
async function issuerFor({ issuer }: Server, idToken: string): Promise<string | undefined> {
  if (issuer?.includes("{tenantid}") !== true) return issuer
  const payload = Buffer.from(idToken.split(".")[1] ?? "", "base64url")
  const { tid } = (await new Response(payload).json()) as { readonly tid?: unknown }
  return typeof tid === "string" && /^[0-9a-f-]{36}$/i.test(tid) ? issuer.replace("{tenantid}", tid) : undefined
}
