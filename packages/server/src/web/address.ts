// Shows an external address before a person opens it: the whole URL, its host, and warnings.

import { displayHost } from "@holdpoint/hub/forms"
import { checkUrl, type UrlFlag } from "@holdpoint/hub/internal"
import { type Html, html } from "./html.ts"

export function addressBox(url: string): Html {
  const urlCheck = checkUrl(url)
  const flags = urlCheck.ok ? urlCheck.flags : []
  const host = displayHost(url)
  return html`<p class="address">It leads to <strong>${host}</strong><br><code>${wholeAddress(url, host)}</code></p>
${flags.map((flag) => html`<div class="notice"><p>${cautions[flag]}</p></div>`)}`
}

/** The address with its host in bold, so that a name in the path is not mistaken for the host. */
function wholeAddress(url: string, host: string): Html {
  const start = `${URL.parse(url)?.protocol}//${host}`
  if (host === "" || !url.startsWith(start)) return html`${url}`
  const scheme = start.slice(0, -host.length)
  return html`${scheme}<b>${host}</b>${url.slice(start.length)}`
}

const cautions: Readonly<Record<UrlFlag, string>> = {
  loopback: "This is an address on your own machine.",
  "ip-address": "The host is an IP address, not a name: make sure that you know it.",
  punycode: "Careful: the host name contains foreign letters (xn--) that can imitate another name.",
}
