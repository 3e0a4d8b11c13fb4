// Binds an authorization request to the browser that began it, with a cookie that cannot be derived from the address.
// Without the cookie nothing is shown or decided, so a forwarded link is useless to its sender (CVE-2026-27124).

import { createHmac } from "node:crypto"
import { hashOf, isSameText } from "@holdpoint/hub/internal"
import { parse } from "hono/utils/cookie"

/**
 * The name of the cookie. On https, the `__Host-` prefix keeps other hosts from setting the cookie. Each request has
 * its own name, so that several can be open in one browser.
 */
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
