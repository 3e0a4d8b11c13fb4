// Scopes: what a token has, what an operation needs, and which scopes include others. Pure.

import type { Problem } from "../../core/error.ts"
import type { Claims } from "../claims.ts"

/** RFC 6749 §3.3. */
const scope = /^[\x21\x23-\x5b\x5d-\x7e]+$/

export type Includes = Readonly<Record<string, readonly string[]>>

/** `scope` is the standard claim; Microsoft (text) and Okta (a list) use `scp`. */
export function scopesOf({ scope: standard, scp }: Claims): readonly string[] {
  const words = [standard ?? scp].flat().flatMap((one) => (typeof one === "string" ? one.split(" ") : []))
  return [...new Set(words.filter((one) => scope.test(one)))]
}

/** Whether the held scopes, and those they include, cover the needed ones. */
export function covers(held: readonly string[], needed: readonly string[], includes: Includes): boolean {
  const all = new Set(held)
  for (const one of all) if (Object.hasOwn(includes, one)) for (const more of includes[one] ?? []) all.add(more)
  return needed.every((one) => all.has(one))
}

export function* scopeProblems(path: string, scopes: readonly string[]): Generator<Problem> {
  for (const one of scopes) {
    if (typeof one !== "string" || !scope.test(one))
      yield { path, message: "must hold scopes of visible ASCII characters without quotes, spaces and backslashes" }
    // MCP authorization (SEP-2207): refresh tokens concern only the client and its authorization server.
    else if (one === "offline_access")
      yield { path, message: "must not hold offline_access, which is not a scope of this server" }
  }
}
