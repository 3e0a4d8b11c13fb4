// The options of a resource server, checked when it is created: every problem is reported at once.

import type { Problem, Runtime } from "@holdpoint/hub"
import type { Fetch } from "@holdpoint/hub/internal"
import { checkUrl, invalidConfig, textProblem } from "@holdpoint/hub/internal"
import { type TokenIssuer, tokenIssuerProblems } from "./issuer.ts"
import { type Includes, scopeProblems } from "./scopes.ts"

/** What `createResourceServer` is given. */
export interface ResourceServerOptions {
  /** The public address of this server as clients write it, without query and fragment. */
  readonly resource: string
  readonly issuers: readonly TokenIssuer[]
  /** A guarded fetch, which decides which addresses may be reached. */
  readonly fetch: Fetch
  /** The scopes that clients can request, published in the metadata. */
  readonly scopes?: readonly string[]
  /** The scopes that every request needs. */
  readonly requires?: readonly string[]
  /** Scopes that include others, transitively: `{ "notes.write": ["notes.read"] }`. */
  readonly includes?: Includes
  /** The name that people know this server by. */
  readonly name?: string
  /** The address of a page for developers. */
  readonly documentation?: string
  readonly runtime?: Pick<Runtime, "now">
  /** Reports why an authorization server was unavailable. Never gets a token. */
  readonly report?: (activity: string, error: unknown) => void
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
  // Clients request tokens with the normalised address, which comes back in `aud`.
  else if (checked.url !== resource && checked.url !== `${resource}/`)
    yield { path: "resource", message: "must be a normalised URL.", suggestion: `Write it as ${checked.url}` }
}

function* issuersProblems(issuers: readonly TokenIssuer[]): Generator<Problem> {
  if (issuers.length === 0) yield { path: "issuers", message: "must name at least one authorization server" }
  for (const [index, issuer] of issuers.entries())
    for (const problem of tokenIssuerProblems(issuer)) yield { ...problem, path: `issuers[${index}].${problem.path}` }
  if (new Set(issuers.map(({ issuer }) => issuer)).size < issuers.length)
    yield { path: "issuers", message: "must not name the same authorization server twice" }
  if (issuers.filter(({ verify }) => verify?.by === "introspection").length > 1)
    yield {
      path: "issuers",
      message: "can have only one with introspection: it must not see the tokens of another",
    }
  const hasOpenIssuer = issuers.some(({ tenant }) => typeof tenant === "object" && tenant?.allowed === undefined)
  if (hasOpenIssuer && issuers.length > 1)
    yield {
      path: "issuers",
      message: "could name each other's tenants.",
      suggestion: "List the tenants of each in tenant.allowed.",
    }
}
