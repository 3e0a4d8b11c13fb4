// The browser that began: it holds a cookie that nobody can make from the address alone. Without it nothing is shown and
// nothing is decided, so that a forwarded link gives its sender nothing (CVE-2026-27124).

import { createHmac } from "node:crypto"
import { parse } from "hono/utils/cookie"
import { hashOf, isSameText } from "../../sealing/hash.ts"

/** On https with the prefix that keeps other hosts from setting it. A name for each request: two may be under way. */
export function cookieName(issuer: string, id: string): string {
  return `${issuer.startsWith("https:") ? "__Host-" : ""}hp_authorize_${hashOf(id)
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, 16)}`
}

export function cookieValue(secret: string, id: string): string {
  return createHmac("sha256", secret).update(`browser of ${id}`).digest("base64url")
}

export function isSameBrowser(cookies: string | null, name: string, value: string): boolean {
  return isSameText(parse(cookies ?? "", name)[name] ?? "", value)
}
