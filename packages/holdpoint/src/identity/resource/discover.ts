// Where an authorization server has its keys and answers questions about tokens: RFC 8414, else OpenID Connect
// discovery. What it says is believed about itself only.

import type { AuthorizationServer } from "oauth4webapi"
import { discoveryRequest, processDiscoveryResponse } from "oauth4webapi"
import { HoldpointError } from "../../core/error.ts"
import { isLoopback } from "../../core/url.ts"
import type { Fetch } from "../../ports/fetch.ts"
import { requestOptions } from "../discovery.ts"
import { createKept, type Kept } from "./kept.ts"

const minute = 60_000
const times = { freshMs: 60 * minute, staleMs: 24 * 60 * minute, retryMs: 5_000, renewMs: minute }

export function keepServer(issuer: string, fetch: Fetch, now: () => number): Kept<AuthorizationServer> {
  return createKept(() => discoverServer(issuer, fetch), now, times)
}

async function discoverServer(issuer: string, fetch: Fetch): Promise<AuthorizationServer> {
  const url = new URL(issuer)
  const options = requestOptions(issuer, fetch)
  let response = await discoveryRequest(url, { ...options, algorithm: "oauth2" })
  if (response.status >= 400 && response.status < 500) {
    await response.body?.cancel()
    response = await discoveryRequest(url, { ...options, algorithm: "oidc" })
  }
  const server = await processDiscoveryResponse(url, response)
  // RFC 8414 §3.3: identical, not just equivalent; tokens are compared with it letter by letter.
  if (server.issuer !== issuer) throw unfit(issuer, "its metadata names another issuer")
  return server
}

/** An address out of a document. */
export function endpointOf(issuer: string, address: unknown, what: string): string {
  if (isEndpoint(address, issuer)) return address
  throw unfit(issuer, `its metadata has no usable ${what}`)
}

/** https, or on this machine where the issuer is as well; and without credentials. */
export function isEndpoint(address: unknown, issuer: string): address is string {
  const url = typeof address === "string" ? URL.parse(address) : null
  if (url === null || url.username !== "" || url.password !== "" || url.hash !== "") return false
  return (
    url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname) && issuer.startsWith("http:"))
  )
}

/** Says which issuer, and nothing that it answered. */
export const unfit = (issuer: string, because: string): HoldpointError =>
  new HoldpointError("provider_unavailable", `Tokens of ${issuer} cannot be checked: ${because}.`)
