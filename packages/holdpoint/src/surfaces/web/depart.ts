// On the way to the provider. A page of its own, so that what the connect page may post to does not bind what the
// provider redirects to.

import { page } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"

export interface DepartView {
  readonly provider: { readonly name: string }
  /** At the provider; made by us. */
  readonly href: string
}

export function departPage({ provider, href }: DepartView): Html {
  const address = toHref(href)
  return page(
    {
      title: `Going to ${provider.name}`,
      state: "hold",
      width: "narrow",
      head: html`<meta http-equiv="refresh" content="0; url=${address}">`,
    },
    html`<h1>Going to ${provider.name}</h1>
<p class="lead">You come back here by yourself once you have decided there.</p>
<p class="buttons"><a class="button primary" href="${address}">Continue to ${provider.name}</a></p>`,
  )
}
