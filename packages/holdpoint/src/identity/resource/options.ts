// What a resource server is put together from, judged as a whole when it is: whatever is wrong is told then, all at
// once.

import { invalidConfig, type Problem } from "../../core/error.ts"
import { textProblem } from "../../core/text.ts"
import { checkUrl } from "../../core/url.ts"
import type { Fetch } from "../../ports/fetch.ts"
import type { Runtime } from "../../ports/runtime.ts"
import { type TokenIssuer, tokenIssuerProblems } from "./issuer.ts"
import { type Includes, scopeProblems } from "./scopes.ts"

export interface ResourceServerOptions {
  /** The address by which clients know this server, as they write it; no query, no fragment. */
  readonly resource: string
  readonly issuers: readonly TokenIssuer[]
  /** Guarded: it decides which addresses are reached. */
  readonly fetch: Fetch
  /** That clients can ask for. Told in the metadata. */
  readonly scopes?: readonly string[]
  /** Without which nobody is let in. */
  readonly requires?: readonly string[]
  /** Which scopes include others: `{ "notes.write": ["notes.read"] }`. Over several steps as well. */
  readonly includes?: Includes
  /** As people know this server. */
  readonly name?: string
  /** Address of a page for developers. */
  readonly documentation?: string
  readonly runtime?: Pick<Runtime, "now">
  /** Told why an authorization server could not be asked. Never of a token. */
  readonly report?: (doing: string, error: unknown) => void
}

export function assertOptions(options: ResourceServerOptions): void {
  const problems = [...problemsOf(options)]
  if (problems.length > 0) throw invalidConfig("The resource server", problems)
}

function* problemsOf(options: ResourceServerOptions): Generator<Problem> {
  const { resource, issuers, scopes = [], requires = [], includes = {}, name, documentation } = options
  yield* resourceProblems(resource)
  yield* scopeProblems("scopes", scopes)
  yield* scopeProblems("requires", requires)
  yield* scopeProblems("includes", Object.entries(includes).flat(2))
  if (name !== undefined && textProblem(name, 200) !== undefined)
    yield { path: "name", message: "must be a short text" }
  if (documentation !== undefined && !checkUrl(documentation).ok)
    yield { path: "documentation", message: "must be the address of a page" }
  yield* issuersProblems(issuers)
}

function* resourceProblems(resource: string): Generator<Problem> {
  const checked = checkUrl(resource)
  if (!checked.ok) for (const problem of checked.problems) yield { ...problem, path: "resource" }
  else if (/[?#]/.test(resource)) yield { path: "resource", message: "must have no query and no fragment" }
  // Clients write it in its normal form when they ask for a token, and it comes back in `aud`.
  else if (checked.url !== resource && checked.url !== `${resource}/`)
    yield { path: "resource", message: "must be in its normal form.", suggestion: `Write it as ${checked.url}` }
}

function* issuersProblems(issuers: readonly TokenIssuer[]): Generator<Problem> {
  if (issuers.length === 0) yield { path: "issuers", message: "must name at least one authorization server" }
  for (const [at, issuer] of issuers.entries())
    for (const problem of tokenIssuerProblems(issuer)) yield { ...problem, path: `issuers[${at}].${problem.path}` }
  if (new Set(issuers.map(({ issuer }) => issuer)).size < issuers.length)
    yield { path: "issuers", message: "must not name the same one twice" }
  if (issuers.filter(({ verify }) => verify?.by === "introspection").length > 1)
    yield {
      path: "issuers",
      message: "can have one that is asked by introspection: another one's tokens must not be shown to it",
    }
  const open = issuers.some(({ tenant }) => typeof tenant === "object" && tenant?.allowed === undefined)
  if (open && issuers.length > 1)
    yield {
      path: "issuers",
      message: "could name tenants of each other.",
      suggestion: "List each one's own in tenant.allowed.",
    }
}
