// Creates an element's client of the run API, which sends the page's token and tracks the server's time.

import type { Client } from "@holdpoint/client"
import { createClient } from "@holdpoint/client"
import type { WidgetHost } from "./element.ts"
import { tokensOf } from "./tokens.ts"

export interface Connection {
  readonly client: Client
  /** The name of the event stream. Elements with the same server and person share one stream by this name. */
  readonly streamName: (conversationId: string) => string
  /** The server's time. With it, a wrong clock in the browser does not make questions expire. */
  readonly now: () => number
}

/** Calls `onReached` after each request with whether the server was reachable. */
export function connect(host: WidgetHost, onReached: (isReached: boolean) => void): Connection {
  const server = new URL(host.getAttribute("server") ?? "", location.href).origin
  let clockOffsetMs = 0
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init).catch((error: unknown) => {
      if (init.signal?.aborted !== true) onReached(false)
      throw error
    })
    onReached(true)
    const date = Date.parse(response.headers.get("date") ?? "")
    // Ignores small differences, because the Date header has no milliseconds.
    if (Math.abs(date - Date.now() - clockOffsetMs) > 2_000) clockOffsetMs = date - Date.now()
    return response
  }
  const tokens = tokensOf(host)
  const client = createClient({
    url: server,
    ...(tokens === undefined ? {} : { token: tokens.getToken }),
    async fetch(url, init) {
      const response = await send(url, init)
      if (response.status !== 401 || tokens === undefined) return response
      const headers = new Headers(init.headers)
      const refusedToken = headers.get("authorization")?.replace("Bearer ", "") ?? ""
      // Returns the refusal when there is no other token.
      const newToken = await Promise.resolve(tokens.renew(refusedToken)).catch(() => refusedToken)
      if (newToken === refusedToken) return response
      headers.set("authorization", `Bearer ${newToken}`)
      return send(url, { ...init, headers })
    },
  })
  return {
    client,
    // A token may be valid for one conversation only, so conversations with tokens do not share a stream.
    streamName: (conversationId) => `holdpoint ${server}${tokens === undefined ? "" : ` ${conversationId}`}`,
    now: () => Date.now() + clockOffsetMs,
  }
}
