// Maps requests to the authorization server: which paths belong to it, and how oidc-provider sees them. With an issuer
// that has a path, the metadata is where RFC 8414 §3.1 puts it, before that path.

import { routes } from "./configuration.ts"
import type { NodeListener } from "./to-fetch.ts"

export interface Entrance {
  handles(path: string): boolean
  /** Whether the Host header names this server. */
  isHere(request: Request): boolean
  /** Wraps the listener, so that oidc-provider sees its own paths. */
  inside(listener: NodeListener): NodeListener
}

export const wellKnown = "/.well-known/oauth-authorization-server"

export function createEntrance(issuer: string, isRegistrationOn: boolean): Entrance {
  const { host, protocol, pathname } = new URL(issuer)
  const mount = pathname === "/" ? "" : pathname
  const { registration, ...others } = routes
  const paths = new Set([...Object.values(others), ...(isRegistrationOn ? [registration] : [])])
  const resuming = new RegExp(`^${routes.authorization}/[\\w-]+$`)

  /** The path as oidc-provider sees it. */
  const pathInside = (path: string): string | undefined => {
    if (path === `${wellKnown}${mount}`) return wellKnown
    const subpath = path.startsWith(`${mount}/`) ? path.slice(mount.length) : ""
    return paths.has(subpath) || resuming.test(subpath) ? subpath : undefined
  }

  return {
    handles: (path) => pathInside(path) !== undefined,
    // Prevents DNS rebinding: requests of such a web page have a foreign host name.
    isHere: (request) => (request.headers.get("host") ?? new URL(request.url).host) === host,
    inside: (listener) => (request, response) => {
      const [path = "", ...query] = (request.url ?? "").split("?")
      const url = [pathInside(path) ?? path, ...query].join("?")
      Object.assign(request.headers, { "x-forwarded-host": host, "x-forwarded-proto": protocol.slice(0, -1) })
      // oidc-provider derives the mount path for its addresses from the difference between the two.
      Object.assign(request, { originalUrl: `${mount}${url}`, url })
      listener(request, response)
    },
  }
}
