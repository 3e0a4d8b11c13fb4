// The way in: which paths are the authorization server's, and what a request looks like to it. Under an issuer with a path
// its metadata stands where RFC 8414 §3.1 puts it, before that path.

import { routes } from "./configuration.ts"
import type { NodeListener } from "./to-fetch.ts"

export interface Entrance {
  handles(path: string): boolean
  /** False when the request came for another host. */
  isHere(request: Request): boolean
  /** What oidc-provider sees of a request. */
  inside(listener: NodeListener): NodeListener
}

export const wellKnown = "/.well-known/oauth-authorization-server"

export function createEntrance(issuer: string, isRegistrationOn: boolean): Entrance {
  const { host, protocol, pathname } = new URL(issuer)
  const mount = pathname === "/" ? "" : pathname
  const { registration, ...others } = routes
  const paths = new Set([...Object.values(others), ...(isRegistrationOn ? [registration] : [])])
  const resuming = new RegExp(`^${routes.authorization}/[\\w-]+$`)

  /** The path as oidc-provider knows it. */
  const pathInside = (path: string): string | undefined => {
    if (path === `${wellKnown}${mount}`) return wellKnown
    const rest = path.startsWith(`${mount}/`) ? path.slice(mount.length) : ""
    return paths.has(rest) || resuming.test(rest) ? rest : undefined
  }

  return {
    handles: (path) => pathInside(path) !== undefined,
    // A foreign name that leads here is how a web page would reach it (DNS rebinding).
    isHere: (request) => (request.headers.get("host") ?? new URL(request.url).host) === host,
    inside: (listener) => (request, response) => {
      const [path = "", ...query] = (request.url ?? "").split("?")
      const url = [pathInside(path) ?? path, ...query].join("?")
      Object.assign(request.headers, { "x-forwarded-host": host, "x-forwarded-proto": protocol.slice(0, -1) })
      // The addresses it gives out are put together from the part that is missing here.
      Object.assign(request, { originalUrl: `${mount}${url}`, url })
      listener(request, response)
    },
  }
}
