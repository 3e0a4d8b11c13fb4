// Checks the ID token of a code exchange with the library: issuer, audience, times, nonce. The token comes directly
// from the token endpoint over TLS, which may replace the signature check (OpenID Connect Core §3.1.3.7, 6).

import { toReason } from "@holdpoint/fetching/internal"
import type { Reason } from "@holdpoint/hub"
import { isHoldpointError } from "@holdpoint/hub"
import * as oauth from "oauth4webapi"
import { toClient, toOptions } from "./client.ts"
import { reasons, refuse } from "./reasons.ts"
import type { OAuthTools, Registration } from "./registration.ts"
import type { Server } from "./server.ts"

export type Claims = Readonly<Record<string, unknown>>

export type ClaimsResult =
  | { readonly kind: "claims"; readonly claims: Claims }
  | { readonly kind: "refused" | "unavailable"; readonly reason: Reason }

export interface PresentedToken {
  readonly idToken: string
  readonly nonce: string
  /**
   * `verified`: the signature is checked with the server's published keys. `trusted`: it is not checked, because the
   * token came from the token endpoint.
   */
  readonly signature: "verified" | "trusted"
}

/**
 * Reads an ID token. `refused`: the token is for another client, from another attempt, or not readable. `unavailable`:
 * the keys cannot be fetched.
 */
export async function readIdToken(
  registration: Registration,
  server: Server,
  { idToken, nonce, signature }: PresentedToken,
  tools: OAuthTools,
): Promise<ClaimsResult> {
  try {
    const issuer = await issuerFor(server, idToken)
    if (issuer === undefined) return refuse(reasons.wrongIdToken)
    // Uses the same object if possible, because the library caches a server's keys by object identity.
    const metadata = issuer === server.metadata.issuer ? server.metadata : { ...server.metadata, issuer }
    // The library only accepts whole token responses, so the ID token is wrapped in one.
    const answer = Response.json({ access_token: "unused", token_type: "bearer", id_token: idToken })
    const options = { expectedNonce: nonce, requireIdToken: true }
    const client = toClient(registration, tools)
    const result = await oauth.processAuthorizationCodeResponse(metadata, client, answer, options)
    if (signature === "verified")
      await oauth.validateApplicationLevelSignature(metadata, answer, toOptions(metadata.jwks_uri, tools))
    return { kind: "claims", claims: { ...oauth.getValidatedIdTokenClaims(result) } }
  } catch (error) {
    // The library's errors contain the server's response, so only the code is read.
    const code = error instanceof oauth.OperationProcessingError ? error.code : undefined
    if (isHoldpointError(error)) return { kind: "unavailable", reason: toReason(error) }
    const isAboutKeys = code === oauth.RESPONSE_IS_NOT_CONFORM || code === oauth.RESPONSE_IS_NOT_JSON
    return isAboutKeys ? { kind: "unavailable", reason: reasons.unintelligible } : refuse(reasons.wrongIdToken)
  }
}

/** The expected issuer. Microsoft's issuer contains the account's tenant, which only the token names. */
async function issuerFor({ issuer }: Server, idToken: string): Promise<string | undefined> {
  if (issuer?.includes("{tenantid}") !== true) return issuer
  const payload = Buffer.from(idToken.split(".")[1] ?? "", "base64url")
  const { tid } = (await new Response(payload).json()) as { readonly tid?: unknown }
  return typeof tid === "string" && /^[0-9a-f-]{36}$/i.test(tid) ? issuer.replace("{tenantid}", tid) : undefined
}
