// Which web pages may call the run API. Host and Origin of each request are checked (DNS rebinding), and pages of listed
// origins may read the responses (CORS). No page of another origin ever uses a cookie.

import { problem } from "./problem.ts"

export interface Origins {
  /** The refusal of a request with a wrong Host, or of a page that is not listed. */
  refuse(request: Request): Response | undefined
  /** Whether a page of this server sent the request. False when no browser says so. */
  isOwnPage(request: Request): boolean
  /** Whether a page of a listed origin sent the request. */
  isForeignPage(request: Request): boolean
  /** The response to the request with which a browser asks whether a page may call. */
  preflight(request: Request): Response
  /** Adds the headers with which a browser lets a page of a listed origin read the response. */
  admit(request: Request, response: Response): Response
}

/** `listed` are the origins of `agents.origins`. */
export function createOrigins(publicUrl: string, listed: readonly string[]): Origins {
  const own = new URL(publicUrl)
  const foreign = new Set(listed.filter((origin) => origin !== own.origin))
  const isHere = (host: string): boolean =>
    host === own.hostname || (localNames.has(host) && localNames.has(own.hostname))
  const isForeignPage = ({ headers }: Request): boolean => foreign.has(headers.get("origin") ?? "")

  return {
    isForeignPage,
    refuse({ headers, url }) {
      const host = URL.parse(`http://${headers.get("host") ?? new URL(url).host}`)?.hostname ?? ""
      if (!isHere(host))
        return problem({ status: 403, code: "wrong_host", detail: `This server is reached as ${own.host}.` })
      const origin = headers.get("origin")
      // Browsers leave Origin out of simple GET requests, but say where these come from.
      const isElsewhere = origin === null && crossSite.has(headers.get("sec-fetch-site") ?? "")
      if (!isElsewhere && (origin === null || origin === own.origin || foreign.has(origin))) return undefined
      const pages = origin === null ? "Pages of other sites" : `Pages of ${origin}`
      const detail = `${pages} may not call this API. Add their origin to agents.origins if they should.`
      return problem({ status: 403, code: "wrong_origin", detail })
    },
    isOwnPage({ headers }) {
      const origin = headers.get("origin")
      return origin === null ? headers.get("sec-fetch-site") === "same-origin" : origin === own.origin
    },
    preflight(request) {
      const asked = (request.headers.get("access-control-request-headers") ?? "").toLowerCase().split(/\s*,\s*/)
      const headers = {
        "access-control-allow-methods": "GET, POST, DELETE",
        "access-control-allow-headers": asked.filter((name) => sentHeaders.test(name)).join(", "),
        "access-control-max-age": "600",
      }
      return new Response(null, { status: 204, headers: isForeignPage(request) ? headers : { allow: "GET, POST" } })
    },
    admit(request, response) {
      if (!isForeignPage(request)) return response
      const headers = new Headers(response.headers)
      headers.set("access-control-allow-origin", request.headers.get("origin") ?? "")
      headers.set("access-control-expose-headers", readHeaders)
      headers.append("vary", "origin")
      return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
    },
  }
}

const localNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])
const crossSite: ReadonlySet<string> = new Set(["cross-site", "same-site"])

/** An API key is not among them: a page that has one shows it to every visitor. */
const sentHeaders =
  /^(?:a2a-(?:version|extensions)|authorization|content-type|last-event-id|prefer|user-agent|x-supports-elicitation|x-(?:holdpoint|stainless)-[a-z-]+)$/
const readHeaders =
  "date, www-authenticate, retry-after, preference-applied, x-holdpoint-conversation, x-vercel-ai-ui-message-stream, a2a-extensions"
