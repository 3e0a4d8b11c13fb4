// Scopes: what a token has, what an operation needs, and which scopes include others. Pure.

import type { Problem } from "@holdpoint/hub"
import type { Claims } from "../claims.ts"

/** The characters of a scope (RFC 6749 §3.3). */
const scopePattern = /^[\x21\x23-\x5b\x5d-\x7e]+$/

export type Includes = Readonly<Record<string, readonly string[]>>

/** `scope` is the standard claim; Microsoft (text) and Okta (a list) use `scp`. */
export function scopesOf({ scope: standard, scp }: Claims): readonly string[] {
  const words = [standard ?? scp].flat().flatMap((claim) => (typeof claim === "string" ? claim.split(" ") : []))
  return [...new Set(words.filter((word) => scopePattern.test(word)))]
}

/** Whether the granted scopes, with all scopes that they include, contain every required scope. */
export function covers(
  grantedScopes: readonly string[],
  requiredScopes: readonly string[],
  includes: Includes,
): boolean {
  const allScopes = new Set(grantedScopes)
  for (const grantedScope of allScopes)
    if (Object.hasOwn(includes, grantedScope))
      for (const includedScope of includes[grantedScope] ?? []) allScopes.add(includedScope)
  return requiredScopes.every((requiredScope) => allScopes.has(requiredScope))
}

export function* scopeProblems(path: string, scopes: readonly string[]): Generator<Problem> {
  for (const one of scopes) {
    if (typeof one !== "string" || !scopePattern.test(one))
      yield { path, message: "must hold scopes of visible ASCII characters without quotes, spaces and backslashes" }
    // MCP authorization (SEP-2207): refresh tokens concern only the client and its authorization server.
    else if (one === "offline_access")
      yield { path, message: "must not hold offline_access, which is not a scope of this server" }
  }
}
