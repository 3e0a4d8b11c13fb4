// Sends the browser to the provider. A separate page, because `form-action` of the connect page would block a form
// whose answer redirects to the provider.

import { page } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"

export interface ProviderRedirectView {
  readonly provider: { readonly name: string }
  /** The authorization request at the provider, built by this server. */
  readonly href: string
}

export function providerRedirectPage({ provider, href }: ProviderRedirectView): Html {
  const address = toHref(href)
  return page(
    {
      title: `Going to ${provider.name}`,
      state: "hold",
      width: "narrow",
      head: html`<meta http-equiv="refresh" content="0; url=${address}">`,
    },
    html`<h1>Going to ${provider.name}</h1>
<p class="lead">Once you have decided there, you are sent back here.</p>
<p class="buttons"><a class="button primary" href="${address}">Continue to ${provider.name}</a></p>`,
  )
}
