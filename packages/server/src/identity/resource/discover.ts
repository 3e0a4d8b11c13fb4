// Discovers an authorization server's endpoints for keys and introspection. Its metadata is trusted about itself only,
// and stays in use for a day while the server is unreachable.

import type { EndpointUses, OAuthTools } from "@holdpoint/accounts/internal"
import { discoverServer, type Server } from "@holdpoint/accounts/internal"
import { HoldpointError } from "@holdpoint/hub"
import { problemOf } from "../reasons.ts"
import { type Cached, createCached } from "./cached.ts"

const minute = 60_000
const times = { freshMs: 60 * minute, staleMs: 24 * 60 * minute, retryMs: 5_000, renewMs: minute }

export function cacheServer(issuer: string, uses: EndpointUses, tools: OAuthTools): Cached<Server["metadata"]> {
  const data = { issuer, discovery: "either", pkce: "none", uses } as const
  const load = async (): Promise<Server["metadata"]> => {
    const resolved = await discoverServer(data, tools)
    if (resolved.kind === "server") return resolved.server.metadata
    throw unfitIssuerError(issuer, problemOf(resolved.reason))
  }
  return createCached(load, tools.runtime.now, times)
}

/** The message names the issuer and repeats nothing from its response. */
export const unfitIssuerError = (issuer: string, reason: string): HoldpointError =>
  new HoldpointError("provider_unavailable", `Tokens of ${issuer} cannot be checked: ${reason}.`)
