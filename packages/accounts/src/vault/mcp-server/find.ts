// Finds what a consent at a foreign MCP server needs: its authorization server, the scopes, and a client there. Runs
// when a person presses the button, never before.

import type { Reason } from "@holdpoint/hub"
import type { McpServerProvider } from "@holdpoint/hub/internal"
import type { ProtectedResource } from "../../oauth/protected-resource.ts"
import { resolveResource } from "../../oauth/protected-resource.ts"
import { resolveServer, type Server } from "../../oauth/server.ts"
import type { VaultParts } from "../parts.ts"
import { findClient } from "./client.ts"
import type { Pin } from "./pin.ts"
import { toOAuthProvider } from "./pin.ts"

export type FoundAuthorization =
  | { readonly kind: "found"; readonly pin: Pin }
  | { readonly kind: "unavailable" | "refused"; readonly reason: Reason }

export type FindParts = Pick<VaultParts, "storage" | "sealer" | "tools" | "addresses">

export async function findAuthorization(
  parts: FindParts,
  provider: McpServerProvider,
  redirectUri: string,
): Promise<FoundAuthorization> {
  const resolved = await resolveResource(provider, parts.tools)
  if (resolved.kind !== "resource") return resolved
  const { resource } = resolved
  const issuer = provider.issuer ?? resource.issuers[0]
  if (issuer === undefined || !resource.issuers.includes(issuer))
    return refuse(`The server no longer names ${provider.issuer} as its authorization server.`)
  const pin: Pin = { issuer, resource: resource.resource, client: unknownClient, scopes: [] }
  const server = await resolveServer(toOAuthProvider(provider, pin), parts.tools)
  if (server.kind !== "server") return server
  const client = await findClient(parts, provider, server.server, redirectUri)
  if (client.kind !== "client") return client
  return { kind: "found", pin: { ...pin, client: client.client, scopes: scopesOf(provider, resource, server.server) } }
}

/** A placeholder: resolving the server needs no client. */
const unknownClient = { id: "", authentication: { method: "none" } } as const

/** `offline_access` is added where the authorization server lists it: without it, many issue no refresh token. */
function scopesOf(
  { baseScopes }: McpServerProvider,
  { scopes = [] }: ProtectedResource,
  { newClients }: Server,
): readonly string[] {
  const baseOrListed = baseScopes ?? scopes
  const offline = newClients.scopes.includes("offline_access") ? ["offline_access"] : []
  return [...new Set([...baseOrListed, ...offline])]
}

function refuse(message: string): FoundAuthorization {
  return { kind: "refused", reason: { code: "unfit_provider", message } }
}
