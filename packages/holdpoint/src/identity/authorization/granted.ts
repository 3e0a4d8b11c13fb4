// What an access token came of. It proves itself by its signature, so whether its grant still stands is looked up at each
// use here; servers elsewhere take it until it expires.

import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from "jose"
import type { Claims } from "../claims.ts"
import { ofGrant } from "./adapter.ts"
import type { ArtifactStore } from "./artifact-store.ts"

/** The claim of our access tokens that names their grant. It is no authority. */
export const grantClaim = "grant"

/** Of the claims of a token whose signature was verified. */
export async function isStanding(artifacts: ArtifactStore, claims: Claims): Promise<boolean> {
  const grant = claims[grantClaim]
  return typeof grant === "string" && (await artifacts.read("Grant", grant)) !== undefined
}

/**
 * RFC 7009 §2.1: a token of this client ends together with its grant, and so do the refresh token and all others of it.
 * What is not a valid token of this client is left as it is, and the client is not told so (§2.2).
 */
export async function revokeSigned(
  artifacts: ArtifactStore,
  { token, client, keys, now }: { token: string; client: string; keys: JSONWebKeySet; now: number },
): Promise<void> {
  const claims = await verified(token, keys, now)
  const grant = claims?.[grantClaim]
  if (claims?.client_id === client && typeof grant === "string") await artifacts.removeGroup(ofGrant(grant))
}

async function verified(token: string, keys: JSONWebKeySet, now: number): Promise<Claims | undefined> {
  try {
    return (await jwtVerify(token, createLocalJWKSet(keys), { typ: "at+jwt", currentDate: new Date(now) })).payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
