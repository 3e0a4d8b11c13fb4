// Fetches a document at a well-known address, and follows redirects within its origin (Nextcloud's nginx redirects to
// /index.php). A redirect to another origin is returned instead.

import type { Fetch } from "@holdpoint/hub/internal"

const mostHops = 3

/** A fetch that follows redirects only within the origin of the first address. */
export async function fetchWithinOrigin(fetch: Fetch, address: string | URL, init: RequestInit): Promise<Response> {
  let url = new URL(address)
  for (let hops = 0; ; hops++) {
    const response = await fetch(url.href, { ...init, redirect: "manual" })
    const nextUrl = redirectTarget(response, url)
    if (nextUrl === undefined || nextUrl.origin !== url.origin || hops >= mostHops) return response
    await response.body?.cancel()
    url = nextUrl
  }
}

function redirectTarget({ status, headers }: Response, base: URL): URL | undefined {
  const location = [301, 302, 303, 307, 308].includes(status) ? headers.get("location") : null
  return location === null ? undefined : (URL.parse(location, base.href) ?? undefined)
}
