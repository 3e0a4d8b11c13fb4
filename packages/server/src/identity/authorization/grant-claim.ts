// Links an access token to its grant. A signature does not show a revocation, so this process looks up the grant at
// each use; other servers accept the token until it expires.

import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from "jose"
import type { Claims } from "../claims.ts"
import { ofGrant } from "./adapter.ts"
import type { ArtifactStore } from "./artifact-store.ts"

/** The claim with the id of the token's grant. The id alone grants no access. */
export const grantClaim = "grant"

/** Whether the token's grant still exists. Its signature must already be verified. */
export async function isGrantValid(artifacts: ArtifactStore, claims: Claims): Promise<boolean> {
  const grant = claims[grantClaim]
  return typeof grant === "string" && (await artifacts.read("Grant", grant)) !== undefined
}

/**
 * Revokes a token of this client together with its grant and all other tokens of the grant (RFC 7009 §2.1). A token of
 * another client is ignored, and the response is the same (§2.2).
 */
export async function revokeSignedToken(
  artifacts: ArtifactStore,
  { token, client, keys, now }: { token: string; client: string; keys: JSONWebKeySet; now: number },
): Promise<void> {
  const claims = await verifyToken(token, keys, now)
  const grant = claims?.[grantClaim]
  if (claims?.client_id === client && typeof grant === "string") await artifacts.removeGroup(ofGrant(grant))
}

async function verifyToken(token: string, keys: JSONWebKeySet, now: number): Promise<Claims | undefined> {
  try {
    return (await jwtVerify(token, createLocalJWKSet(keys), { typ: "at+jwt", currentDate: new Date(now) })).payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
