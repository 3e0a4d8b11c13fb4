// Maps requests to the authorization server: which paths belong to it, and how oidc-provider sees them. With an issuer
// that has a path, the metadata is where RFC 8414 §3.1 puts it, before that path.

import { routes } from "./configuration.ts"
import type { NodeListener } from "./to-fetch.ts"

export interface RequestRouting {
  handles(path: string): boolean
  /** Whether the Host header names this server. */
  isForThisHost(request: Request): boolean
  /** Wraps the listener, so that oidc-provider sees its own paths. */
  withMount(listener: NodeListener): NodeListener
}

export const wellKnown = "/.well-known/oauth-authorization-server"

export function createRequestRouting(issuer: string, isRegistrationOn: boolean): RequestRouting {
  const { host, protocol, pathname } = new URL(issuer)
  const mount = pathname === "/" ? "" : pathname
  const { registration, ...otherRoutes } = routes
  const paths = new Set([...Object.values(otherRoutes), ...(isRegistrationOn ? [registration] : [])])
  const resumePath = new RegExp(`^${routes.authorization}/[\\w-]+$`)

  /** The path as oidc-provider sees it. Undefined when the path does not belong to the authorization server. */
  const subpathOf = (path: string): string | undefined => {
    if (path === `${wellKnown}${mount}`) return wellKnown
    const subpath = path.startsWith(`${mount}/`) ? path.slice(mount.length) : ""
    return paths.has(subpath) || resumePath.test(subpath) ? subpath : undefined
  }

  return {
    handles: (path) => subpathOf(path) !== undefined,
    // Prevents DNS rebinding: the requests of a web page that attempts it have a foreign host name.
    isForThisHost: (request) => (request.headers.get("host") ?? new URL(request.url).host) === host,
    withMount: (listener) => (request, response) => {
      const [path = "", ...query] = (request.url ?? "").split("?")
      const url = [subpathOf(path) ?? path, ...query].join("?")
      Object.assign(request.headers, { "x-forwarded-host": host, "x-forwarded-proto": protocol.slice(0, -1) })
      // oidc-provider derives the mount path for its addresses from the difference of `originalUrl` and `url`.
      Object.assign(request, { originalUrl: `${mount}${url}`, url })
      listener(request, response)
    },
  }
}
