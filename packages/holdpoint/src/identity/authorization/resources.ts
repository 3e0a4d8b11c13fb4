// The servers that tokens are for (RFC 8707): each has its own scopes, and a token is for one of them.

import { HoldpointError } from "../../core/error.ts"
import { textProblem } from "../../core/text.ts"
import { checkUrl } from "../../core/url.ts"

export interface Resource {
  /** Its canonical address, which is the audience of its tokens; or a path below the issuer. */
  readonly resource: string
  /** As people know it. */
  readonly name: string
  /** What each scope allows, in words that follow “It may then”. */
  readonly scopes: Readonly<Record<string, string>>
  /** What is asked for when a client names no scope. All of them unless said otherwise. */
  readonly defaultScopes?: readonly string[]
}

export interface Resources {
  readonly all: readonly Resource[]
  find(identifier: unknown): Resource | undefined
  /** Named by nobody, it is the one there is. */
  readonly only: Resource | undefined
}

export function defineResources(resources: readonly Resource[]): Resources {
  const problem = resources.map(problemOf).find((found) => found !== undefined)
  if (problem !== undefined) throw new HoldpointError("invalid_config", problem)
  const known = new Map(resources.map((resource) => [normal(resource.resource), resource]))
  if (known.size !== resources.length || known.size === 0)
    throw new HoldpointError("invalid_config", "The authorization server needs one or more resources, each named once.")
  return {
    all: resources,
    find: (identifier) => (typeof identifier === "string" ? known.get(normal(identifier)) : undefined),
    only: known.size === 1 ? resources[0] : undefined,
  }
}

/** What the client gets to ask for: what there is of what it named, or the default if it named none. May be nothing. */
export function scopesFor({ scopes, defaultScopes }: Resource, asked: string | undefined): readonly string[] {
  const named = [...new Set((asked ?? "").split(" "))].filter((scope) => scope !== "")
  const known = named.filter((scope) => Object.hasOwn(scopes, scope))
  const isUnsaid = named.every((scope) => ofNoServer.has(scope))
  return known.length === 0 && isUnsaid ? (defaultScopes ?? Object.keys(scopes)) : known
}

/** OpenID Connect's, which say nothing about what is allowed on a server. Clients send them by habit. */
const ofNoServer: ReadonlySet<string> = new Set(["openid", "profile", "email", "offline_access"])

/** https://host and https://host/ are the same to everybody. */
const normal = (identifier: string): string => URL.parse(identifier)?.href ?? identifier

function problemOf({ resource, name, scopes, defaultScopes = [] }: Resource): string | undefined {
  if (!checkUrl(resource).ok || /[?#]/.test(resource))
    return `“${resource}” is no address of a server. Write it as clients call it, like https://host/mcp.`
  if (textProblem(name, 100) !== undefined) return `The resource ${resource} needs a name that people know.`
  const names = Object.keys(scopes)
  const odd = names.find((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
  if (names.length === 0 || odd !== undefined)
    return `The resource ${resource} needs scopes, like { "notes.read": "read your notes" }${odd === undefined ? "." : `; “${odd}” cannot be one.`}`
  const unknown = defaultScopes.find((scope) => !names.includes(scope))
  return unknown === undefined ? undefined : `“${unknown}” is no scope of ${resource}, and cannot be a default.`
}
