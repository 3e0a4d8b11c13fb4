// The way in: which paths are the authorization server's, and what a request looks like to it. Under an issuer with a path
// its metadata stands where RFC 8414 §3.1 puts it, before that path.

import type { IncomingMessage, ServerResponse } from "node:http"
import { routes } from "./configuration.ts"

export interface Entrance {
  handles(path: string): boolean
  /** False when it was answered: the request came for another host. */
  admit(request: IncomingMessage, response: ServerResponse): boolean
}

export const wellKnown = "/.well-known/oauth-authorization-server"

export function createEntrance(issuer: string, isRegistrationOn: boolean): Entrance {
  const { host, protocol, pathname } = new URL(issuer)
  const mount = pathname === "/" ? "" : pathname
  const { registration, ...others } = routes
  const paths = new Set([...Object.values(others), ...(isRegistrationOn ? [registration] : [])])
  const resuming = new RegExp(`^${routes.authorization}/[\\w-]+$`)

  /** The path as oidc-provider knows it. */
  const inside = (path: string): string | undefined => {
    if (path === `${wellKnown}${mount}`) return wellKnown
    const rest = path.startsWith(`${mount}/`) ? path.slice(mount.length) : ""
    return paths.has(rest) || resuming.test(rest) ? rest : undefined
  }

  return {
    handles: (path) => inside(path) !== undefined,
    admit(request, response) {
      // A foreign name that leads here is how a web page would reach it (DNS rebinding).
      if (request.headers.host !== host) {
        response.writeHead(421).end()
        return false
      }
      const [path = "", ...query] = (request.url ?? "").split("?")
      const url = [inside(path) ?? path, ...query].join("?")
      Object.assign(request.headers, { "x-forwarded-host": host, "x-forwarded-proto": protocol.slice(0, -1) })
      // The addresses it gives out are put together from the part that is missing here.
      Object.assign(request, { originalUrl: `${mount}${url}`, url })
      return true
    },
  }
}
