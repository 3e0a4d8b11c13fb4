// The resources that tokens are issued for (RFC 8707). Each has its own scopes, and a token is for one resource.

import { HoldpointError } from "@holdpoint/hub"
import { checkUrl, textProblem } from "@holdpoint/hub/internal"

/** A server for which tokens are issued, with its scopes. */
export interface Resource {
  /** The canonical address, which is the tokens' audience; or a path below the issuer. */
  readonly resource: string
  /** The name that people know the resource by. */
  readonly name: string
  /** What each scope allows, as a continuation of “It may then …”. */
  readonly scopes: Readonly<Record<string, string>>
  /** The scopes for a client that names none. Default: all. */
  readonly defaultScopes?: readonly string[]
}

export interface Resources {
  readonly all: readonly Resource[]
  find(identifier: unknown): Resource | undefined
  /** The default resource, when only one is configured. */
  readonly single: Resource | undefined
}

export function defineResources(resources: readonly Resource[]): Resources {
  const problem = resources.map(problemOf).find((fault) => fault !== undefined)
  if (problem !== undefined) throw new HoldpointError("invalid_config", problem)
  const byIdentifier = new Map(resources.map((resource) => [normalize(resource.resource), resource]))
  if (byIdentifier.size !== resources.length || byIdentifier.size === 0)
    throw new HoldpointError("invalid_config", "The authorization server needs one or more resources, each named once.")
  return {
    all: resources,
    find: (identifier) => (typeof identifier === "string" ? byIdentifier.get(normalize(identifier)) : undefined),
    single: byIdentifier.size === 1 ? resources[0] : undefined,
  }
}

/** The scopes to request: the known ones that the client named, or the default if it named none. May be empty. */
export function scopesFor({ scopes, defaultScopes }: Resource, requestedScope: string | undefined): readonly string[] {
  const requestedScopes = [...new Set((requestedScope ?? "").split(" "))].filter((scope) => scope !== "")
  const supported = requestedScopes.filter((scope) => Object.hasOwn(scopes, scope))
  const hasNoResourceScope = requestedScopes.every((scope) => openIdScopes.has(scope))
  return supported.length === 0 && hasNoResourceScope ? (defaultScopes ?? Object.keys(scopes)) : supported
}

/** OpenID Connect scopes, which grant nothing on a resource. Clients often send them anyway. */
const openIdScopes: ReadonlySet<string> = new Set(["openid", "profile", "email", "offline_access"])

/** Normalises the address: https://host and https://host/ are equal. */
const normalize = (identifier: string): string => URL.parse(identifier)?.href ?? identifier

function problemOf({ resource, name, scopes, defaultScopes = [] }: Resource): string | undefined {
  if (!checkUrl(resource).ok || /[?#]/.test(resource))
    return `“${resource}” is not a server address. Write it as clients call it, like https://host/mcp.`
  if (textProblem(name, 100) !== undefined) return `The resource ${resource} needs a name that people know.`
  const names = Object.keys(scopes)
  const invalidScope = names.find((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
  if (names.length === 0 || invalidScope !== undefined)
    return `The resource ${resource} needs scopes, like { "notes.read": "read your notes" }${invalidScope === undefined ? "." : `; “${invalidScope}” cannot be one.`}`
  const unknown = defaultScopes.find((scope) => !names.includes(scope))
  return unknown === undefined ? undefined : `“${unknown}” is not a scope of ${resource}, and cannot be a default.`
}
