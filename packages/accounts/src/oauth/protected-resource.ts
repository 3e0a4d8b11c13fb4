// Finds the authorization servers of a protected resource by its metadata (RFC 9728). The resource is untrusted: its
// documents are read only on its own origin, and must describe this resource.

import { fetchWithinOrigin, jsonOf, judgeAvailability, toReason } from "@holdpoint/fetching/internal"
import type { Reason } from "@holdpoint/hub"
import { isHoldpointError } from "@holdpoint/hub"
import { readChallenge } from "./challenge.ts"
import type { OAuthTools } from "./registration.ts"
import { isEndpoint, isLoopbackHttp } from "./server.ts"

export interface ResourceData {
  /** The address of the server that is called. */
  readonly server: string
  /** The resource identifier that the metadata must contain. Default: the address. */
  readonly resource?: string
}

export interface ProtectedResource {
  /** The identifier as the metadata spells it, for the `resource` parameter (RFC 8707). */
  readonly resource: string
  /** The authorization servers of the resource, at least one. */
  readonly issuers: readonly string[]
  /** The scopes in the challenge, or else in the metadata. Undefined when neither names scopes. */
  readonly scopes?: readonly string[]
}

export type ResourceResult =
  | { readonly kind: "resource"; readonly resource: ProtectedResource }
  | { readonly kind: "unavailable" | "refused"; readonly reason: Reason }

interface CachedDiscovery {
  readonly until: number
  readonly result: Promise<ResourceResult>
}

const hour = 3_600_000
const discoveriesByTools = new WeakMap<OAuthTools, WeakMap<ResourceData, CachedDiscovery>>()

/** Reads the resource's metadata, at most once an hour for all callers together. Failures are not cached. */
export async function resolveResource(data: ResourceData, tools: OAuthTools): Promise<ResourceResult> {
  const discoveries = discoveriesByTools.get(tools) ?? new WeakMap<ResourceData, CachedDiscovery>()
  discoveriesByTools.set(tools, discoveries)
  const now = tools.runtime.now()
  const cached = discoveries.get(data)
  if (cached !== undefined && cached.until > now && cached.until <= now + hour) return cached.result
  const discovery: CachedDiscovery = { until: now + hour, result: discover(data, tools) }
  discoveries.set(data, discovery)
  const result = await discovery.result
  if (result.kind !== "resource" && discoveries.get(data) === discovery) discoveries.delete(data)
  return result
}

async function discover(data: ResourceData, tools: OAuthTools): Promise<ResourceResult> {
  try {
    const challenge = await askForChallenge(data, tools)
    const addresses = metadataAddresses(data, challenge.metadata)
    if (addresses === undefined)
      return refuse("The server's challenge names a metadata document on another origin, which is not read.")
    for (const address of addresses) {
      const response = await fetchWithinOrigin(tools.fetch, address, { headers: { accept: "application/json" } })
      const unavailable = judgeAvailability(response, tools.runtime.now())
      if (unavailable !== undefined) return { kind: "unavailable", reason: unavailable.reason }
      if (response.status === 200) return judgeResource(data, await jsonOf(response), challenge.scopes)
      await response.body?.cancel()
    }
    return refuse(
      "The server publishes no protected-resource metadata (RFC 9728), so its authorization server is not known.",
    )
  } catch (error) {
    const isRefused = isHoldpointError(error) && !error.retryable
    return { kind: isRefused ? "refused" : "unavailable", reason: toReason(error) }
  }
}

/** Sends a request without credentials, to which a server that requires them responds with 401 and its challenge. */
async function askForChallenge({ server }: ResourceData, tools: OAuthTools): Promise<ReturnType<typeof readChallenge>> {
  const response = await tools.fetch(server, {
    method: "POST",
    headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    redirect: "manual",
  })
  await response.body?.cancel()
  return response.status === 401 ? readChallenge(response.headers.get("www-authenticate") ?? "") : {}
}

/** The possible addresses of the metadata. Undefined when the challenge names an address of another server. */
function metadataAddresses(
  { server, resource = server }: ResourceData,
  challengeAddress: string | undefined,
): readonly string[] | undefined {
  const { origin } = new URL(server)
  if (challengeAddress !== undefined)
    return URL.parse(challengeAddress)?.origin === origin ? [challengeAddress] : undefined
  // RFC 9728 §3.1: the well-known part is inserted before the path; MCP also allows the root.
  const { pathname } = new URL(resource)
  const root = `${origin}/.well-known/oauth-protected-resource`
  return pathname === "/" ? [root] : [`${root}${pathname}`, root]
}

export function judgeResource(
  { server, resource: expectedResource = server }: ResourceData,
  document: unknown,
  challengeScopes: readonly string[] | undefined,
): ResourceResult {
  if (typeof document !== "object" || document === null) return refuse("The server's metadata document is not JSON.")
  const { resource, authorization_servers, scopes_supported } = document as Readonly<Record<string, unknown>>
  // RFC 9728 §3.3: without this check, one server could request tokens that another server accepts.
  if (typeof resource !== "string" || URL.parse(resource)?.href !== new URL(expectedResource).href)
    return refuse(
      `The server's metadata document is about a resource other than ${expectedResource}. If that resource is meant, write its ` +
        "identifier as `resource`, exactly as the document spells it.",
    )
  const issuers = texts(authorization_servers)
  if (issuers === undefined || issuers.length === 0)
    return refuse("The server's metadata document names no authorization server.")
  if (!issuers.every((issuer) => isEndpoint(issuer, isLoopbackHttp(server))))
    return refuse("The server's metadata document names an authorization server without a usable https address.")
  const scopes = (challengeScopes ?? texts(scopes_supported))?.filter(isScope).slice(0, mostScopes)
  return { kind: "resource", resource: { resource, issuers, ...(scopes === undefined ? {} : { scopes }) } }
}

/** Whether the text is a scope (RFC 6749 §3.3). A space would separate scopes, and a quote would end a quoted list. */
const isScope = (scope: string): boolean => /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(scope)

/** The most scopes. With more, the address of the authorization request would be too long for servers. */
const mostScopes = 100

function texts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined
}

function refuse(message: string): ResourceResult {
  return { kind: "refused", reason: { code: "unfit_provider", message } }
}
