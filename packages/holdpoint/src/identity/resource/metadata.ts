// The protected-resource metadata (RFC 9728): where clients learn which authorization servers are trusted here.
// Public, and readable from any web page.

export interface ResourceDescription {
  readonly resource: string
  readonly issuers: readonly string[]
  readonly scopes: readonly string[]
  readonly name?: string
  readonly documentation?: string
}

const wellKnown = "/.well-known/oauth-protected-resource"

/** RFC 9728 §3.1: inserted between the host and the path; a slash that is the whole path goes. */
export function metadataUrlOf(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return `${origin}${wellKnown}${pathname === "/" ? "" : pathname}`
}

export function toMetadata({ resource, issuers, scopes, name, documentation }: ResourceDescription) {
  return {
    resource,
    authorization_servers: issuers,
    bearer_methods_supported: ["header"],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    ...(name === undefined ? {} : { resource_name: name }),
    ...(documentation === undefined ? {} : { resource_documentation: documentation }),
  }
}

/** By path alone: behind a proxy, a request's host may be another than the one that clients know. */
export function createMetadataPage(description: ResourceDescription) {
  const document = toMetadata(description)
  const paths = new Set([wellKnown, new URL(metadataUrlOf(description.resource)).pathname])
  return (request: Request): Response | undefined => {
    if (!paths.has(new URL(request.url).pathname)) return undefined
    switch (request.method) {
      case "GET":
        return Response.json(document, { headers: pageHeaders })
      case "HEAD":
        return new Response(null, { headers: { ...pageHeaders, "content-type": "application/json" } })
      case "OPTIONS":
        return new Response(null, { status: 204, headers: { ...anyOrigin, "access-control-max-age": "86400" } })
      default:
        return new Response(null, { status: 405, headers: { ...anyOrigin, allow: "GET, HEAD, OPTIONS" } })
    }
  }
}

/** Clients in browsers send their MCP version along, which has to be allowed by name. */
const anyOrigin = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-allow-headers": "mcp-protocol-version, content-type, accept",
}

const pageHeaders = { ...anyOrigin, "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" }
