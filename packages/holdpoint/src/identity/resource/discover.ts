// Where an authorization server has its keys and answers questions about tokens. What it says is believed about itself
// only, and stays in use for a day while it cannot be asked.

import { HoldpointError } from "../../core/error.ts"
import type { OAuthTools, Uses } from "../../oauth/registration.ts"
import { discoverServer, type Server } from "../../oauth/server.ts"
import { problemOf } from "../reasons.ts"
import { type Cached, createCached } from "./cached.ts"

const minute = 60_000
const times = { freshMs: 60 * minute, staleMs: 24 * 60 * minute, retryMs: 5_000, renewMs: minute }

export function keepServer(issuer: string, uses: Uses, tools: OAuthTools): Cached<Server["metadata"]> {
  const data = { issuer, discovery: "either", pkce: "none", uses } as const
  const load = async (): Promise<Server["metadata"]> => {
    const resolved = await discoverServer(data, tools)
    if (resolved.kind === "server") return resolved.server.metadata
    throw unfit(issuer, problemOf(resolved.reason))
  }
  return createCached(load, tools.runtime.now, times)
}

/** Says which issuer, and nothing that it answered. */
export const unfit = (issuer: string, because: string): HoldpointError =>
  new HoldpointError("provider_unavailable", `Tokens of ${issuer} cannot be checked: ${because}.`)
