// A page of somebody else, as it is shown before a person goes there: the whole address, its host, and what to be careful
// about.

import { checkUrl, displayHost, type UrlFlag } from "../../core/url.ts"
import { type Html, html } from "./html.ts"

export function addressBox(url: string): Html {
  const judged = checkUrl(url)
  const flags = judged.ok ? judged.flags : []
  const host = displayHost(url)
  return html`<p class="address">It leads to <strong>${host}</strong><br><code>${whole(url, host)}</code></p>
${flags.map((flag) => html`<div class="notice"><p>${cautions[flag]}</p></div>`)}`
}

/** The host stands out, so that nobody takes a name in the path for it. */
function whole(url: string, host: string): Html {
  const start = `${URL.parse(url)?.protocol}//${host}`
  if (host === "" || !url.startsWith(start)) return html`${url}`
  const scheme = start.slice(0, -host.length)
  return html`${scheme}<b>${host}</b>${url.slice(start.length)}`
}

const cautions: Readonly<Record<UrlFlag, string>> = {
  loopback: "This is an address on your own machine.",
  "ip-address": "The host is a bare number, not a name: make sure that you know it.",
  punycode: "Careful: the host holds foreign letters (xn--) that may look like those of another name.",
}
