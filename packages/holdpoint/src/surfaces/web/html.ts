// Escaping by construction: pages are templates, and whatever is put into one is text unless a template made it.

import { html } from "hono/html"

export { html }

/** Of whole pages too. An object: `String(await page)` is its text. */
export type Html = ReturnType<typeof html>

/** Of a link or a form. What is neither on this server nor http(s) leads nowhere: no address may run a script. */
export function toHref(address: string): string {
  if (/^\/(?![/\\])/.test(address)) return address
  const { protocol } = URL.parse(address) ?? {}
  return protocol === "https:" || protocol === "http:" ? address : "#"
}
