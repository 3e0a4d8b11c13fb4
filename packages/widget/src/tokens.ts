// The bearer tokens for a server of another origin: set by the page, or fetched from the page's own server.

import { ClientError } from "@holdpoint/client"
import type { WidgetHost } from "./element.ts"

export interface Tokens {
  getToken(): string | Promise<string>
  /** Returns another token after the server refused this one. */
  renew(refused: string): string | Promise<string>
}

/** Undefined when the element has no token, so that the browser's session cookie identifies the person. */
export function tokensOf(host: WidgetHost): Tokens | undefined {
  const property = host.property("token")
  if (typeof property === "string") return { getToken: () => property, renew: () => property }
  if (typeof property === "function")
    return { getToken: property as Tokens["getToken"], renew: property as Tokens["getToken"] }
  const address = host.getAttribute("token-url")
  return address === null ? undefined : cacheToken(() => fetchToken(address))
}

/** Uses one token for all requests, until the server refuses it. */
function cacheToken(get: () => Promise<string>): Tokens {
  let cachedToken: Promise<string> | undefined
  const getToken = (): Promise<string> => {
    if (cachedToken !== undefined) return cachedToken
    const request = get()
    cachedToken = request
    // After a failure, the next request fetches a token again.
    request.catch(() => {
      cachedToken = undefined
    })
    return request
  }
  return {
    getToken,
    async renew(refusedToken) {
      // Requests that were refused with the same token share the next token.
      if ((await getToken()) === refusedToken) cachedToken = undefined
      return getToken()
    },
  }
}

async function fetchToken(address: string): Promise<string> {
  const response = await fetch(address, { method: "POST", credentials: "same-origin" })
  const { status } = response
  // The person has signed out of the page's own site.
  if (status === 401) throw new ClientError("not_signed_in", "The page's own server does not know you.", { status })
  if (!response.ok) throw new Error(`The page's own server gave no token (HTTP status ${status}).`)
  const { token } = (await response.json()) as { readonly token: string }
  return token
}
