// The client id metadata document (draft-ietf-oauth-client-id-metadata-document): describes this server as a client,
// for the authorization servers of foreign MCP servers. Public. Each provider has its own document, so that no two
// providers share a redirect address.

import { toClientMetadata } from "@holdpoint/accounts/internal"
import { paths } from "@holdpoint/hub"
import { respond, toJson } from "./respond.ts"
import type { Route } from "./site.ts"

export const sendClientDocument: Route = async ({ site: { vault, addresses }, part }) => {
  const provider = vault.providers.get(part("provider"))
  if (provider?.kind !== "mcp_server" || provider.client !== undefined) return respond(null, { status: 404 })
  const { publicUrl } = addresses
  const redirectUri = addresses.to(paths.consentReturnOf, provider.id)
  const document = {
    client_id: addresses.to(paths.clientDocument, provider.id),
    ...toClientMetadata({ name: "Holdpoint", uri: publicUrl, redirectUri }),
  }
  return toJson(document, { headers: { "cache-control": "public, max-age=3600" } })
}
