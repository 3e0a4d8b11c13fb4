// Authenticates calls from the panel by the browser's session. Only pages of this origin may call, because browsers
// send their cookies with the requests of any page.

import type { Addresses } from "@holdpoint/hub"
import type { ResourceServer } from "@holdpoint/hub/internal"
import { signedIn } from "@holdpoint/server/http"
import type { Identity } from "@holdpoint/server/identity"

export const panelPath = "/try/mcp"

export function createPanelCallers(site: {
  readonly identity: Identity
  readonly addresses: Addresses
}): ResourceServer {
  const { publicUrl } = site.addresses
  const resource = `${publicUrl}${panelPath}`
  return {
    resource,
    metadataUrl: `${publicUrl}/try/metadata`,
    metadata: () => undefined,
    challenge: () => undefined,
    async authenticate(request) {
      if (!isFromOrigin(request, publicUrl)) return refuse(403, "Only the panel of this page may call this server.")
      const session = await signedIn(request, site)
      if (session === undefined) return refuse(401, "You are not signed in. Sign in on the page and call again.")
      const { principal, expiresAt } = session
      const scopes: readonly string[] = []
      return { principal, clientId: "try-it-here", scopes, token: "", expiresAt: Math.floor(expiresAt / 1000) }
    },
  }
}

/** Browsers omit Origin on a page's own GET requests, but send Sec-Fetch-Site. */
function isFromOrigin({ headers }: Request, origin: string): boolean {
  const requestOrigin = headers.get("origin")
  return requestOrigin === null ? headers.get("sec-fetch-site") === "same-origin" : requestOrigin === origin
}

const refuse = (status: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_001, message } }, { status })
