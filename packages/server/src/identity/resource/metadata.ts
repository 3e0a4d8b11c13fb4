// The protected-resource metadata (RFC 9728), which tells clients the trusted authorization servers. Public, and
// readable from any web page.

export interface ResourceDescription {
  readonly resource: string
  readonly issuers: readonly string[]
  readonly scopes: readonly string[]
  readonly name?: string
  readonly documentation?: string
}

const wellKnown = "/.well-known/oauth-protected-resource"

/** RFC 9728 §3.1: the well-known path is inserted between host and path; a path of only a slash is dropped. */
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

/** Answers metadata requests. Only the path has to match: behind a proxy, the host may differ from the public one. */
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

/** Browser-based clients send an MCP version header, which CORS has to allow by name. */
const anyOrigin = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-allow-headers": "mcp-protocol-version, content-type, accept",
}

const pageHeaders = { ...anyOrigin, "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" }
