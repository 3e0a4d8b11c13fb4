// Scopes: what a token has, what an operation needs, and which of them include others. Pure.

import type { Problem } from "../../core/error.ts"
import type { Claims } from "../claims.ts"

/** RFC 6749 §3.3. */
const scope = /^[\x21\x23-\x5b\x5d-\x7e]+$/

export type Includes = Readonly<Record<string, readonly string[]>>

/** `scope` is the standard's; `scp` is what Microsoft (text) and Okta (a list) call it. */
export function scopesOf({ scope: standard, scp }: Claims): readonly string[] {
  const said = [standard ?? scp].flat().flatMap((one) => (typeof one === "string" ? one.split(" ") : []))
  return [...new Set(said.filter((one) => scope.test(one)))]
}

/** Whether what is held, with all that it includes, covers what is needed. */
export function covers(held: readonly string[], needed: readonly string[], includes: Includes): boolean {
  const all = new Set(held)
  for (const one of all) if (Object.hasOwn(includes, one)) for (const more of includes[one] ?? []) all.add(more)
  return needed.every((one) => all.has(one))
}

export function* scopeProblems(path: string, scopes: readonly string[]): Generator<Problem> {
  for (const one of scopes) {
    if (typeof one !== "string" || !scope.test(one))
      yield { path, message: "must hold scopes of visible ASCII characters without quotes, spaces and backslashes" }
    // MCP, authorization (SEP-2207): refresh tokens are between the client and its authorization server.
    else if (one === "offline_access")
      yield { path, message: "must not hold offline_access, which is no right on this server" }
  }
}
