// Turns a redirect into the next request: its address, and which headers and body it keeps. Pure, except for encoding a
// form.

import type { Fetch } from "@holdpoint/hub/internal"
import { fetchError } from "./failure.ts"

export interface OutboundRequest {
  readonly url: URL
  readonly init: RequestInit
}

const mostHops = 3

export async function toRequest(
  input: string | URL,
  { signal: _signal, timeoutMs: _timeout, ...init }: NonNullable<Parameters<Fetch>[1]>,
  userAgent: string,
): Promise<OutboundRequest> {
  const url = URL.parse(String(input))
  if (url === null) throw fetchError("refused_address", "The request was not made: the address cannot be read.")
  const headers = new Headers(init.headers)
  if (!headers.has("user-agent")) headers.set("user-agent", userAgent)
  const body = init.body instanceof FormData ? await fromForm(init.body, headers) : init.body
  return { url, init: { ...init, headers, ...(body === undefined ? {} : { body }) } }
}

/** The next request, or undefined when the response is not a redirect to follow and goes to the caller. */
export function nextHop(request: OutboundRequest, response: Response, hops: number): OutboundRequest | undefined {
  const { url, init } = request
  const location = [301, 302, 303, 307, 308].includes(response.status) ? response.headers.get("location") : null
  if (location === null || (init.redirect ?? "manual") === "manual") return undefined
  if (init.redirect === "error") throw fetchError("network", `${url.hostname} redirects, which is not allowed here.`)
  if (hops >= mostHops) throw fetchError("network", `${url.hostname} redirects more than ${mostHops} times.`)
  const nextUrl = URL.parse(location, url.href)
  if (nextUrl === null) throw fetchError("network", `${url.hostname} redirects to an address that cannot be read.`)
  const nextInit = response.status === 303 || (response.status < 303 && init.method === "POST") ? toGet(init) : init
  return { url: nextUrl, init: nextUrl.origin === url.origin ? nextInit : toForeignInit(nextInit, url) }
}

/** RFC 9110 §15.4: the redirected request becomes a GET without a body; a HEAD stays a HEAD. */
function toGet({ body: _body, method, ...init }: RequestInit): RequestInit {
  const headers = new Headers(init.headers)
  for (const name of ["content-type", "content-length", "content-encoding", "content-language"]) headers.delete(name)
  return { ...init, headers, method: method === "HEAD" ? "HEAD" : "GET" }
}

/** The request for another origin, without any header that could be a credential. Throws if it has a body. */
function toForeignInit(init: RequestInit, origin: URL): RequestInit {
  if (init.body !== undefined && init.body !== null)
    throw fetchError(
      "network",
      `${origin.hostname} redirects a request with a body to another host, which is not allowed.`,
    )
  const headers = [...new Headers(init.headers)].filter(([name]) => harmlessHeaders.has(name))
  return { ...init, headers }
}

const harmlessHeaders = new Set(["accept", "accept-language", "user-agent"])

/** Encodes a form, because undici does not accept Node's built-in FormData. */
async function fromForm(form: FormData, headers: Headers): Promise<Blob> {
  const encoded = new Response(form)
  headers.set("content-type", encoded.headers.get("content-type") ?? "")
  return encoded.blob()
}
