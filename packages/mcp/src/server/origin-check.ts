// Checks the Host and Origin headers of HTTP requests: the host names of the endpoint, and the web pages that may call
// it. Without this check, a web page could call a server on its visitor's own machine (DNS rebinding).

import { localhostAllowedHostnames, validateHostHeader } from "@modelcontextprotocol/server"
import type { McpOptions } from "./settings.ts"
import { pagesOf } from "./settings.ts"
import { toError } from "./wire.ts"

export interface OriginCheck {
  refuse(request: Request): Response | undefined
  preflight(request: Request): Response
  /** Adds the CORS headers with which a browser lets an allowed page read the response. */
  admit(request: Request, response: Response): Response
}

export function createOriginCheck(options: McpOptions): OriginCheck {
  const { hosts = [], origins = [], callers } = options
  const ownUrls = [
    pagesOf(options)?.publicUrl,
    typeof callers === "object" && "resource" in callers ? callers.resource : undefined,
  ]
  const ownAddresses = ownUrls.flatMap((address) => (address === undefined ? [] : [new URL(address)]))
  const hostnames = [...localhostAllowedHostnames(), ...ownAddresses.map(({ hostname }) => hostname), ...hosts]
  const pages = new Set([...ownAddresses.map(({ origin }) => origin), ...origins])
  /** Whether both the web page's origin and the host of this endpoint are on this machine. */
  const isNeighbour = (origin: string, host: string): boolean => isLoopback(`http://${host}`) && isLoopback(origin)

  return {
    refuse(request) {
      const host = request.headers.get("host") ?? new URL(request.url).host
      const hostCheck = validateHostHeader(host, hostnames)
      if (!hostCheck.ok) return toRefusal(hostCheck.message)
      const origin = request.headers.get("origin")
      if (origin === null || pages.has(origin) || isNeighbour(origin, host)) return undefined
      return toRefusal("Invalid Origin: pages of this origin may not call this server")
    },
    preflight(request) {
      const origin = request.headers.get("origin")
      if (origin === null) return new Response(null, { status: 204, headers: { allow: "GET, POST, DELETE, OPTIONS" } })
      return new Response(null, {
        status: 204,
        headers: {
          ...allow(origin),
          "access-control-allow-methods": "GET, POST, DELETE",
          "access-control-allow-headers":
            "authorization, content-type, accept, last-event-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name",
          "access-control-max-age": "600",
        },
      })
    },
    admit(request, response) {
      const origin = request.headers.get("origin")
      if (origin === null) return response
      const headers = new Headers(response.headers)
      for (const [name, value] of Object.entries(allow(origin))) headers.set(name, value)
      return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
    },
  }
}

const allow = (origin: string) => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": "mcp-session-id, www-authenticate",
  vary: "origin",
})

const isLoopback = (address: string): boolean => {
  const hostname = URL.parse(address)?.hostname
  return hostname !== undefined && localhostAllowedHostnames().includes(hostname)
}

const toRefusal = (message: string): Response => Response.json(toError(null, -32_000, message), { status: 403 })
