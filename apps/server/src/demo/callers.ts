// Who calls from the panel: whoever is signed in in that browser. Only pages of this very address may call so, since a
// browser sends its cookies along whatever page makes it.

import type { Addresses } from "@holdpoint/sdk"
import { signedIn } from "@holdpoint/sdk/http"
import type { Identity, ResourceServer } from "@holdpoint/sdk/identity"

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
      if (!isFrom(request, publicUrl)) return refuse(403, "Only the panel of this page may call.")
      const session = await signedIn(request, site)
      if (session === undefined) return refuse(401, "Nobody is signed in. Sign in on the page, and call again.")
      const { principal, expiresAt } = session
      const scopes: readonly string[] = []
      return { principal, clientId: "try-it-here", scopes, token: "", expiresAt: Math.floor(expiresAt / 1000) }
    },
  }
}

/** Browsers name no origin when a page only reads from its own. */
function isFrom({ headers }: Request, origin: string): boolean {
  const named = headers.get("origin")
  return named === null ? headers.get("sec-fetch-site") === "same-origin" : named === origin
}

const refuse = (status: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_001, message } }, { status })
