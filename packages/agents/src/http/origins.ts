// Decides which web pages may call the run API. Host and Origin of each request are checked against DNS rebinding, and
// pages of listed origins may read the responses (CORS). Cookies count only for pages of this server's own origin.

import { problem } from "./problem.ts"

export interface Origins {
  /**
   * Refuses a request with a wrong Host, or from a page whose origin is not listed; otherwise calls `answer`. Adds the
   * CORS headers that let pages of listed origins read the response.
   */
  guard(request: Request, answer: () => Response | Promise<Response>): Promise<Response>
  /** Whether a page of this server sent the request. False when the headers do not tell. */
  isOwnPage(request: Request): boolean
}

/** `listedOrigins` are the origins of `agents.origins`. */
export function createOrigins(publicUrl: string, listedOrigins: readonly string[]): Origins {
  const ownUrl = new URL(publicUrl)
  const otherOrigins = new Set(listedOrigins.filter((origin) => origin !== ownUrl.origin))
  const isOwnHost = (host: string): boolean =>
    host === ownUrl.hostname || (localNames.has(host) && localNames.has(ownUrl.hostname))
  const isListedPage = ({ headers }: Request): boolean => otherOrigins.has(headers.get("origin") ?? "")

  /** Returns the refusal of a request with a wrong Host, or from a page whose origin is not listed. */
  const refuse = ({ headers, url }: Request): Response | undefined => {
    const host = URL.parse(`http://${headers.get("host") ?? new URL(url).host}`)?.hostname ?? ""
    if (!isOwnHost(host))
      return problem({
        status: 403,
        code: "wrong_host",
        detail: `The request has the wrong Host header. This server's address is ${ownUrl.host}.`,
      })
    const origin = headers.get("origin")
    // Browsers omit Origin in simple GET requests, but send Sec-Fetch-Site.
    const isCrossSite = origin === null && crossSite.has(headers.get("sec-fetch-site") ?? "")
    if (!isCrossSite && (origin === null || origin === ownUrl.origin || otherOrigins.has(origin))) return undefined
    const pages = origin === null ? "Pages of other sites" : `Pages of ${origin}`
    const detail = `${pages} are not allowed to call this API. To allow them, add their origin to agents.origins.`
    return problem({ status: 403, code: "wrong_origin", detail })
  }
  /** Answers a CORS preflight request. */
  const preflight = (request: Request): Response => {
    const requestedHeaders = (request.headers.get("access-control-request-headers") ?? "")
      .toLowerCase()
      .split(/\s*,\s*/)
    const headers = {
      "access-control-allow-methods": "GET, POST, DELETE",
      "access-control-allow-headers": requestedHeaders.filter((name) => sentHeaders.test(name)).join(", "),
      "access-control-max-age": "600",
    }
    return new Response(null, { status: 204, headers: isListedPage(request) ? headers : { allow: "GET, POST" } })
  }
  /** Adds the CORS headers that let a page of a listed origin read the response. */
  const withCorsHeaders = (request: Request, response: Response): Response => {
    if (!isListedPage(request)) return response
    const headers = new Headers(response.headers)
    headers.set("access-control-allow-origin", request.headers.get("origin") ?? "")
    headers.set("access-control-expose-headers", exposedHeaders)
    headers.append("vary", "origin")
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
  }

  return {
    async guard(request, answer) {
      const refusal = refuse(request)
      if (refusal !== undefined) return refusal
      return withCorsHeaders(request, request.method === "OPTIONS" ? preflight(request) : await answer())
    },
    isOwnPage({ headers }) {
      const origin = headers.get("origin")
      return origin === null ? headers.get("sec-fetch-site") === "same-origin" : origin === ownUrl.origin
    },
  }
}

const localNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])
const crossSite: ReadonlySet<string> = new Set(["cross-site", "same-site"])

/**
 * The headers that pages of listed origins may send. X-API-Key is not among them: a page that contains an API key shows
 * it to every visitor.
 */
const sentHeaders =
  /^(?:a2a-(?:version|extensions)|authorization|content-type|last-event-id|prefer|user-agent|x-supports-elicitation|x-(?:holdpoint|stainless)-[a-z-]+)$/
const exposedHeaders =
  "date, www-authenticate, retry-after, preference-applied, x-holdpoint-conversation, x-holdpoint-nonce, x-vercel-ai-ui-message-stream, a2a-extensions"
