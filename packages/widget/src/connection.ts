// The client of the run API for an element: with the token of the page, the server's clock, and whether it is reached.

import type { Client } from "@holdpoint/sdk/client"
import { createClient } from "@holdpoint/sdk/client"
import type { WidgetHost } from "./element.ts"

export interface Connection {
  readonly client: Client
  /** The address of the server, without `/run`. */
  readonly server: string
  /** The server's clock: a clock that is wrong here does not make questions expire. */
  readonly now: () => number
}

type Token = string | (() => string | Promise<string>)

/** `onReached` is told after each request whether the server was reached. */
export function connect(host: WidgetHost, onReached: (isReached: boolean) => void): Connection {
  const server = new URL(host.getAttribute("server") ?? "", location.href).origin
  let ahead = 0
  const token = tokenOf(host)
  const client = createClient({
    url: server,
    ...(token === undefined ? {} : { token }),
    async fetch(url, init) {
      const response = await fetch(url, init).catch((error: unknown) => {
        if (init.signal?.aborted !== true) onReached(false)
        throw error
      })
      onReached(true)
      const date = Date.parse(response.headers.get("date") ?? "")
      // The header has no milliseconds.
      if (Math.abs(date - Date.now() - ahead) > 2_000) ahead = date - Date.now()
      return response
    },
  })
  return { client, server, now: () => Date.now() + ahead }
}

/** The page's own token, or one from its endpoint. Undefined: the browser's session counts. */
function tokenOf(host: WidgetHost): Token | undefined {
  const own = host.property("token")
  if (typeof own === "string" || typeof own === "function") return own as Token
  const address = host.getAttribute("token-url")
  return address === null ? undefined : () => fetchToken(address)
}

async function fetchToken(address: string): Promise<string> {
  const response = await fetch(address, { method: "POST", credentials: "same-origin" })
  if (!response.ok) throw new Error(`The page's own server gave no token (HTTP status ${response.status}).`)
  const { token } = (await response.json()) as { readonly token: string }
  return token
}
