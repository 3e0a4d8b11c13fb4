// What a consent at a foreign MCP server is pinned to: the authorization server, our client there and the resource.
// Kept sealed with the flow and then with the tokens, so that a refresh token is never sent to another server, whatever
// the MCP server's metadata says later. Pure.

import type { ClientAuthentication, McpServerProvider, OAuthClient, OAuthProvider } from "@holdpoint/hub/internal"
import type { SecretFields } from "../kind.ts"

export interface Pin {
  readonly issuer: string
  readonly resource: string
  readonly client: OAuthClient
  /** The base scopes of the authorization request. */
  readonly scopes: readonly string[]
}

/** Field names that no author's call gets: they are about our client, not about the account. */
export const pinnedFields = {
  issuer: "pinned_issuer",
  resource: "pinned_resource",
  clientId: "pinned_client_id",
  clientSecret: "pinned_client_secret",
  clientMethod: "pinned_client_method",
  scopes: "pinned_scopes",
} as const

/** The secret of a configured client is not copied: it may be replaced in the configuration while connections last. */
export function toFields({ issuer, resource, client, scopes }: Pin, provider: McpServerProvider): SecretFields {
  const { authentication } = client
  const isRegisteredSecret =
    provider.client === undefined && (authentication.method === "post" || authentication.method === "basic")
  const { clientSecret, clientMethod } = pinnedFields
  return {
    [pinnedFields.issuer]: issuer,
    [pinnedFields.resource]: resource,
    [pinnedFields.clientId]: client.id,
    ...(isRegisteredSecret ? { [clientSecret]: authentication.secret, [clientMethod]: authentication.method } : {}),
    [pinnedFields.scopes]: scopes.join(" "),
  }
}

/** Undefined when the fields were not written by `toFields`. */
export function readPin(fields: SecretFields, provider: McpServerProvider): Pin | undefined {
  const [issuer, resource, id] = [pinnedFields.issuer, pinnedFields.resource, pinnedFields.clientId].map(
    (name) => fields[name],
  )
  if (issuer === undefined || resource === undefined || id === undefined) return undefined
  const scopes = (fields[pinnedFields.scopes] ?? "").split(" ").filter((scope) => scope !== "")
  return { issuer, resource, client: clientOf(fields, id, issuer, provider), scopes }
}

/** A configured secret is used only at the authorization server that it was configured for. */
function clientOf(
  fields: SecretFields,
  id: string,
  issuer: string,
  { client, issuer: configuredIssuer }: McpServerProvider,
): OAuthClient {
  if (client?.id === id && (configuredIssuer === undefined || configuredIssuer === issuer)) return client
  return { id, authentication: toAuthentication(fields[pinnedFields.clientSecret], fields[pinnedFields.clientMethod]) }
}

/** Without a secret the client is public. */
export function toAuthentication(secret: string | undefined, method: string | undefined): ClientAuthentication {
  if (secret === undefined) return { method: "none" }
  return { method: method === "basic" ? "basic" : "post", secret }
}

export function withoutPin(fields: SecretFields): SecretFields {
  const names = new Set<string>(Object.values(pinnedFields))
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)))
}

const mostKept = 100
const providersByPin = new WeakMap<McpServerProvider, Map<string, OAuthProvider>>()

/**
 * The provider as plain OAuth, with the pinned server and client. Returns the same object for the same pin, because the
 * server's metadata is cached by object.
 */
export function toOAuthProvider(provider: McpServerProvider, pin: Pin): OAuthProvider {
  const byPin = providersByPin.get(provider) ?? new Map<string, OAuthProvider>()
  providersByPin.set(provider, byPin)
  const key = JSON.stringify(pin)
  const existing = byPin.get(key)
  if (existing !== undefined) return existing
  const { id, name, api, scopeWords, headers } = provider
  const pinned: OAuthProvider = {
    ...{ kind: "oauth", id, name, api, issuer: pin.issuer, discovery: "either", client: pin.client, pkce: "S256" },
    baseScopes: pin.scopes,
    // OpenID Connect Core §11: offline access requires a consent prompt.
    ...(pin.scopes.includes("offline_access") ? { authorizationParameters: { prompt: "consent" } } : {}),
    ...(scopeWords === undefined ? {} : { scopeWords }),
    ...(headers === undefined ? {} : { headers }),
    resource: pin.resource,
    redirect: "context",
    identity: { from: "nothing" },
    revocation: { by: "rfc7009" },
  }
  const [oldest] = byPin.keys()
  if (byPin.size >= mostKept && oldest !== undefined) byPin.delete(oldest)
  byPin.set(key, pinned)
  return pinned
}
