// Finds the endpoints of a server: by discovery from its issuer, or from configured data. A metadata document is
// untrusted until its issuer, schemes and PKCE support are checked.

import { fetchWithinOrigin, jsonOf, judgeAvailability, toReason } from "@holdpoint/fetching/internal"
import type { Reason } from "@holdpoint/hub"
import { isHoldpointError } from "@holdpoint/hub"
import type { Endpoints } from "@holdpoint/hub/internal"
import { isLoopback } from "@holdpoint/hub/internal"
import * as oauth from "oauth4webapi"
import type { EndpointUses, OAuthTools, ServerData } from "./registration.ts"

export interface Server {
  /** The checked metadata, reduced to the members that this library uses. */
  readonly metadata: oauth.AuthorizationServer
  /** The issuer. Absent when none is configured. May contain `{tenantid}` (Microsoft). */
  readonly issuer?: string
  /** RFC 9207: whether authorization responses contain `iss`. A response without `iss` is then refused. */
  readonly namesIssuer: boolean
  /** How an unregistered program can become a client of the server. */
  readonly newClients: ClientAdmission
}

export interface ClientAdmission {
  /** Whether a client id may be the address of a metadata document. */
  readonly byDocument: boolean
  /** RFC 7591: the address where clients register themselves. */
  readonly registrationEndpoint?: string
  /** The scopes that the server lists. */
  readonly scopes: readonly string[]
}

export type ServerResult =
  | { readonly kind: "server"; readonly server: Server }
  | { readonly kind: "unavailable" | "refused"; readonly reason: Reason }

interface CachedDiscovery {
  readonly until: number
  readonly result: Promise<ServerResult>
}

const hour = 3_600_000
const discoveriesByTools = new WeakMap<OAuthTools, WeakMap<ServerData, CachedDiscovery>>()

/** Returns the server's metadata, discovered at most once an hour for all callers together. Failures are not cached. */
export async function resolveServer(data: ServerData, tools: OAuthTools): Promise<ServerResult> {
  if (data.discovery === "none") return fromEndpoints(data)
  const discoveries = discoveriesByTools.get(tools) ?? new WeakMap<ServerData, CachedDiscovery>()
  discoveriesByTools.set(tools, discoveries)
  const now = tools.runtime.now()
  const cached = discoveries.get(data)
  if (cached !== undefined && cached.until > now && cached.until <= now + hour) return cached.result
  const discovery: CachedDiscovery = { until: now + hour, result: discoverServer(data, tools) }
  discoveries.set(data, discovery)
  const result = await discovery.result
  if (result.kind !== "server" && discoveries.get(data) === discovery) discoveries.delete(data)
  return result
}

/** Whether this is an http address on loopback. The guarded fetch decides whether loopback is allowed. */
export function isLoopbackHttp(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === "http:" && isLoopback(url.hostname)
}

/**
 * Whether an address from a document is usable: it must be https (CVE-2025-6514), or http on loopback where allowed.
 */
export function isEndpoint(address: unknown, allowLoopback: boolean): address is string {
  if (typeof address !== "string") return false
  const url = URL.parse(address)
  if (url === null || url.username !== "" || url.password !== "" || url.hash !== "") return false
  return url.protocol === "https:" || (allowLoopback && isLoopbackHttp(address))
}

/** Discovers the server without a cache; `resolveServer` caches. */
export async function discoverServer(data: ServerData, tools: OAuthTools): Promise<ServerResult> {
  const issuer = URL.parse(data.issuer ?? "")
  if (issuer === null || data.issuer === undefined) return refuse("The provider's data names no issuer.")
  try {
    const response = await askForMetadata(issuer, data.discovery, tools)
    const unavailable = judgeAvailability(response, tools.runtime.now())
    if (unavailable !== undefined) return { kind: "unavailable", reason: unavailable.reason }
    if (response.status !== 200)
      return refuse(`There is no metadata document where the issuer should have one (status ${response.status}).`)
    return judgeMetadata(data, await jsonOf(response))
  } catch (error) {
    const isRefused = isHoldpointError(error) && !error.retryable
    return { kind: isRefused ? "refused" : "unavailable", reason: toReason(error) }
  }
}

async function askForMetadata(issuer: URL, discovery: ServerData["discovery"], tools: OAuthTools): Promise<Response> {
  const ask = (algorithm: "oidc" | "oauth2"): Promise<Response> =>
    oauth.discoveryRequest(issuer, {
      algorithm,
      [oauth.customFetch]: (url, { headers }) => fetchWithinOrigin(tools.fetch, url, { headers }),
      [oauth.allowInsecureRequests]: isLoopbackHttp(issuer.href),
    })
  if (discovery !== "either") return ask(discovery === "oauth2" ? "oauth2" : "oidc")
  const response = await ask("oauth2")
  if (response.status < 400 || response.status >= 500) return response
  await response.body?.cancel()
  return ask("oidc")
}

const accountEndpointUses: EndpointUses = {
  authorization_endpoint: true,
  token_endpoint: true,
  userinfo_endpoint: false,
  revocation_endpoint: false,
  pushed_authorization_request_endpoint: false,
  jwks_uri: false,
}

/** The metadata members that are lists and are kept in addition to the endpoints. */
const listMembers = [
  "id_token_signing_alg_values_supported",
  "userinfo_signing_alg_values_supported",
  "grant_types_supported",
] as const

export function judgeMetadata(data: ServerData, document: unknown): ServerResult {
  if (typeof document !== "object" || document === null) return refuse("The metadata document is not JSON.")
  const members = document as Readonly<Record<string, unknown>>
  const { issuer, uses = accountEndpointUses } = data
  // RFC 8414 §3.3: the issuer must be identical. Otherwise one server could impersonate another.
  if (issuer === undefined || members.issuer !== issuer)
    return refuse("The metadata document names another issuer. Write the issuer exactly as the document spells it.")
  for (const [member, isRequired] of Object.entries(uses)) {
    if (members[member] === undefined && !isRequired) continue
    if (!isEndpoint(members[member], isLoopbackHttp(issuer)))
      return refuse(`The metadata document has no usable ${member}: an https address is needed.`)
  }
  if (data.pkce === "S256" && !list(members.code_challenge_methods_supported)?.includes("S256"))
    return refuse(`The metadata document does not list S256 in code_challenge_methods_supported. ${pkceAdvice(data)}`)
  const addresses = Object.keys(uses).flatMap((name) => (name in members ? [[name, members[name]]] : []))
  const knownLists = listMembers.flatMap((name) =>
    list(members[name]) === undefined ? [] : [[name, list(members[name])]],
  )
  const metadata = { issuer, ...Object.fromEntries([...addresses, ...knownLists]) }
  const namesIssuer = members.authorization_response_iss_parameter_supported === true
  return { kind: "server", server: { metadata, issuer, namesIssuer, newClients: newClientsOf(members, issuer) } }
}

/** What the operator can do about a server without PKCE: nothing when it is found at run time (discovery `either`). */
function pkceAdvice({ discovery }: ServerData): string {
  if (discovery === "either") return "An authorization server without PKCE is not used."
  return (
    'If the server\'s documents promise S256, write discovery: "none" and its endpoints; if they say that it has no ' +
    'PKCE, pkce: "none".'
  )
}

function newClientsOf(members: Readonly<Record<string, unknown>>, issuer: string): ClientAdmission {
  const { registration_endpoint: endpoint } = members
  return {
    byDocument: members.client_id_metadata_document_supported === true,
    ...(isEndpoint(endpoint, isLoopbackHttp(issuer)) ? { registrationEndpoint: endpoint } : {}),
    scopes: list(members.scopes_supported) ?? [],
  }
}

function fromEndpoints({ endpoints, issuer }: ServerData): ServerResult {
  if (endpoints === undefined) return refuse('The provider\'s data has discovery "none" and no endpoints.')
  const { namesIssuer = false, ...addresses } = endpoints
  for (const [name, address] of Object.entries(addresses))
    if (!isEndpoint(address, true)) return refuse(`The provider's ${name} endpoint is not an https address.`)
  // oauth4webapi needs an issuer for every server; responses are compared with it only when one is configured.
  const metadata = { issuer: issuer ?? new URL(endpoints.token).origin, ...toMembers(addresses) }
  const newClients = { byDocument: false, scopes: [] }
  return { kind: "server", server: { metadata, ...(issuer === undefined ? {} : { issuer }), namesIssuer, newClients } }
}

function toMembers(endpoints: Omit<Endpoints, "namesIssuer">): Omit<oauth.AuthorizationServer, "issuer"> {
  const { userinfo, revocation, pushedAuthorization, jwks } = endpoints
  return {
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    ...(userinfo === undefined ? {} : { userinfo_endpoint: userinfo }),
    ...(revocation === undefined ? {} : { revocation_endpoint: revocation }),
    ...(pushedAuthorization === undefined ? {} : { pushed_authorization_request_endpoint: pushedAuthorization }),
    ...(jwks === undefined ? {} : { jwks_uri: jwks }),
  }
}

function list(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined
}

function refuse(message: string): ServerResult {
  return { kind: "refused", reason: { code: "unfit_provider", message } }
}
