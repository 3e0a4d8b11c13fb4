// Builds responses. Each one forbids framing, caching, content sniffing and referrers.

import type { Html } from "../web/index.ts"

const contentPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ")

const safetyHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": contentPolicy,
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), publickey-credentials-get=()",
}

export interface ResponseOptions {
  readonly status?: number
  readonly cookies?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** A page as a response with safe headers. */
export async function toPage(page: Html, options: ResponseOptions = {}): Promise<Response> {
  return respond(String(await page), {
    ...options,
    headers: { ...options.headers, "content-type": "text/html; charset=utf-8" },
  })
}

/** Redirects with status 303, so that the browser follows a post with a GET. */
export function toRedirect(location: string, options: ResponseOptions = {}): Response {
  return respond(null, { ...options, status: 303, headers: { ...options.headers, location } })
}

export function toJson(value: unknown, options: ResponseOptions = {}): Response {
  return respond(JSON.stringify(value), {
    ...options,
    headers: { ...options.headers, "content-type": "application/json" },
  })
}

/** A response with safe headers: no caching, no framing, a strict content security policy. */
export function respond(
  body: string | ReadableStream<Uint8Array> | null,
  { status = 200, cookies = [], headers = {} }: ResponseOptions,
): Response {
  return withCookies(new Response(body, { status, headers: { ...safetyHeaders, ...headers } }), cookies)
}

/** Adds `Set-Cookie` headers to a response. */
export function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append("set-cookie", cookie)
  return response
}
