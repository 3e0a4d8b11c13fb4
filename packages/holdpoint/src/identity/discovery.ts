// The metadata of identity providers: fetched when first needed, kept for an hour, asked for once at a time.

import type { AuthorizationServer } from "oauth4webapi"
import { allowInsecureRequests, customFetch, discoveryRequest, processDiscoveryResponse } from "oauth4webapi"
import { HoldpointError } from "../core/error.ts"
import type { Fetch } from "../ports/fetch.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { IdentityProvider } from "./provider.ts"

export type Discover = (provider: IdentityProvider) => Promise<AuthorizationServer>

const keptMs = 3_600_000

export function createDiscovery(fetch: Fetch, runtime: Runtime): Discover {
  const known = new Map<string, { readonly at: number; readonly server: Promise<AuthorizationServer> }>()
  return (provider) => {
    const kept = known.get(provider.id)
    if (kept !== undefined && Math.abs(runtime.now() - kept.at) < keptMs) return kept.server
    const server = discover(provider, fetch)
    known.set(provider.id, { at: runtime.now(), server })
    server.catch(() => {
      if (known.get(provider.id)?.server === server) known.delete(provider.id)
    })
    return server
  }
}

/** How requests to this provider are made. Plain http only where its issuer is on this machine, which was checked. */
export function requestOptions(issuer: string, fetch: Fetch) {
  return {
    [customFetch]: (url: string, init: object) => fetch(url, init as RequestInit),
    [allowInsecureRequests]: issuer.startsWith("http:"),
  }
}

async function discover({ name, issuer }: IdentityProvider, fetch: Fetch): Promise<AuthorizationServer> {
  const url = new URL(issuer)
  const server = await processDiscoveryResponse(url, await discoveryRequest(url, requestOptions(issuer, fetch)))
  // RFC 8414 §3.3: identical, not just equivalent; tokens are compared with it letter by letter.
  if (server.issuer !== issuer)
    throw new HoldpointError("invalid_config", `${name} says its issuer is ${server.issuer}. Configure exactly that.`)
  return server
}
