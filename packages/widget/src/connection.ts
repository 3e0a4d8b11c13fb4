// The client of the run API for an element: with the token of the page, the server's clock, and whether it is reached.

import type { Client } from "@holdpoint/sdk/client"
import { createClient } from "@holdpoint/sdk/client"
import type { WidgetHost } from "./element.ts"
import { tokensOf } from "./tokens.ts"

export interface Connection {
  readonly client: Client
  /** Names the server and the person as far as this page knows them: the same name, the same stream of events. */
  readonly streamName: (conversationId: string) => string
  /** The server's clock: a clock that is wrong here does not make questions expire. */
  readonly now: () => number
}

/** `onReached` is told after each request whether the server was reached. */
export function connect(host: WidgetHost, onReached: (isReached: boolean) => void): Connection {
  const server = new URL(host.getAttribute("server") ?? "", location.href).origin
  let ahead = 0
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init).catch((error: unknown) => {
      if (init.signal?.aborted !== true) onReached(false)
      throw error
    })
    onReached(true)
    const date = Date.parse(response.headers.get("date") ?? "")
    // The header has no milliseconds.
    if (Math.abs(date - Date.now() - ahead) > 2_000) ahead = date - Date.now()
    return response
  }
  const tokens = tokensOf(host)
  const client = createClient({
    url: server,
    ...(tokens === undefined ? {} : { token: tokens.current }),
    async fetch(url, init) {
      const response = await send(url, init)
      if (response.status !== 401 || tokens === undefined) return response
      const headers = new Headers(init.headers)
      const refused = headers.get("authorization")?.replace("Bearer ", "") ?? ""
      // Without another token the refusal stands.
      const renewed = await Promise.resolve(tokens.renew(refused)).catch(() => refused)
      if (renewed === refused) return response
      headers.set("authorization", `Bearer ${renewed}`)
      return send(url, { ...init, headers })
    },
  })
  return {
    client,
    // A token may be for one conversation alone.
    streamName: (conversationId) => `holdpoint ${server}${tokens === undefined ? "" : ` ${conversationId}`}`,
    now: () => Date.now() + ahead,
  }
}
