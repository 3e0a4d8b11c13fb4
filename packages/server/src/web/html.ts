// Escaping by construction: a template escapes every value, except the result of another template.

import { html as escapingHtml } from "hono/html"

/** A template of HTML. Every value is escaped, except the result of another template. */
export const html = escapingHtml

/** A piece of HTML or a whole page. `String(await page)` is its text. */
export type Html = ReturnType<typeof html>

/**
 * A safe target for a link or form. Anything but a path or an http(s) address becomes “#”, so that no address can run a
 * script.
 */
export function toHref(address: string): string {
  if (/^\/(?![/\\])/.test(address)) return address
  const { protocol } = URL.parse(address) ?? {}
  return protocol === "https:" || protocol === "http:" ? address : "#"
}
