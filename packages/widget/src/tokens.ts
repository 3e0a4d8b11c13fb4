// What proves the person when the server has another origin: a token of the page, or one that the page's own server got.

import { ClientError } from "@holdpoint/sdk/client"
import type { WidgetHost } from "./element.ts"

export interface Tokens {
  current(): string | Promise<string>
  /** Another token, after this one was refused. */
  renew(refused: string): string | Promise<string>
}

/** Undefined: the browser's session counts. */
export function tokensOf(host: WidgetHost): Tokens | undefined {
  const own = host.property("token")
  if (typeof own === "string") return { current: () => own, renew: () => own }
  if (typeof own === "function") return { current: own as Tokens["current"], renew: own as Tokens["current"] }
  const address = host.getAttribute("token-url")
  return address === null ? undefined : keepToken(() => fetchToken(address))
}

/** One token for all requests, until it is refused. */
function keepToken(get: () => Promise<string>): Tokens {
  let kept: Promise<string> | undefined
  const current = (): Promise<string> => {
    if (kept !== undefined) return kept
    const getting = get()
    kept = getting
    // Asked for again at the next request.
    getting.catch(() => {
      kept = undefined
    })
    return getting
  }
  return {
    current,
    async renew(refused) {
      // Requests that were refused together share the next one.
      if ((await current()) === refused) kept = undefined
      return current()
    },
  }
}

async function fetchToken(address: string): Promise<string> {
  const response = await fetch(address, { method: "POST", credentials: "same-origin" })
  const { status } = response
  // The person has signed out at the page's own site.
  if (status === 401) throw new ClientError("not_signed_in", "The page's own server does not know you.", { status })
  if (!response.ok) throw new Error(`The page's own server gave no token (HTTP status ${status}).`)
  const { token } = (await response.json()) as { readonly token: string }
  return token
}
