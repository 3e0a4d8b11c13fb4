// The pages around a visit to an external page: the question whether to open it, the redirect, and the wait for the
// asker's confirmation.

import { displayHost } from "@holdpoint/hub/forms"
import { addressBox } from "./address.ts"
import { actFields, codeBox, csrfField, monogramPair, page, signedInFooter } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import { deadlineOf } from "./time.ts"
import type { LeavingView, VisitView } from "./views.ts"

export function visitPage(view: VisitView): Html {
  const { requester, client, code, address } = view
  const host = displayHost(address)
  return page(
    { title: `Open ${host}`, state: "hold", width: "narrow", viewer: view },
    html`${monogramPair(requester.name, host)}
<h1>Open ${host}?</h1>
<p class="lead"><strong>${requester.name}</strong> asks you to open an external page.</p>
<blockquote class="message">${view.message}</blockquote>
${client !== undefined && html`<p class="meta">Asked through a program that calls itself “${client.name}”.</p>`}
${code !== undefined && codeBox(code)}
${addressBox(address)}
<div class="notice"><p><strong>That page is not part of this server.</strong> Make sure that you know the host before you enter anything there.</p></div>
<form method="post" action="${toHref(view.action)}" data-once>${actFields(view.csrf, view.now)}
<div class="buttons">
<button class="primary" type="submit" name="do" value="yes">Open ${host}</button>
<button type="submit" name="do" value="no">No</button>
</div>
</form>
<p class="after">${requester.name} learns whether you said yes or no. This server tells it nothing about what you do there. This request ${deadlineOf(view.expiresAt, view.now)}.</p>
${signedInFooter(view, `visit:${view.id}`)}`,
  )
}

/**
 * Sends the browser to the external page. A separate page, because `form-action` of the page before would block
 * redirects.
 */
export function leavingPage({ address }: LeavingView): Html {
  const host = displayHost(address)
  return page(
    {
      title: `Going to ${host}`,
      state: "hold",
      width: "narrow",
      head: html`<meta http-equiv="refresh" content="0; url=${toHref(address)}">`,
    },
    html`<h1>Going to ${host}</h1>
<p class="lead">The next page is not part of this server.</p>
<p class="buttons"><a class="button primary" href="${toHref(address)}">Continue to ${host}</a></p>`,
  )
}

/** The waiting page after a yes: only the asker can confirm that the task is done. */
export function visitedPage(view: VisitView): Html {
  const { requester, address } = view
  const host = displayHost(address)
  return page(
    {
      title: `Waiting for ${requester.name}`,
      state: "hold",
      width: "narrow",
      viewer: view,
      head: html`<noscript><meta http-equiv="refresh" content="5"></noscript>`,
    },
    html`${monogramPair(requester.name, host)}
<h1>Finish it at ${host}</h1>
<p class="lead">You said yes. Once it is done there, <strong>${requester.name}</strong> confirms it and this page continues automatically.</p>
<blockquote class="message">${view.message}</blockquote>
${addressBox(address)}
<p class="waiting" role="status" data-status-url="${toHref(view.statusUrl)}"><span class="dots" aria-hidden="true"></span>Waiting for ${requester.name} to confirm</p>
<form method="post" action="${toHref(view.action)}" data-once>${csrfField(view.csrf)}
<div class="buttons">
<a class="button primary" href="${toHref(address)}" target="_blank" rel="noopener noreferrer">Open it again<span class="note">in a new tab</span></a>
<button type="submit" name="do" value="no">No, stop this</button>
</div>
</form>
<p class="after">This request ${deadlineOf(view.expiresAt, view.now)}.</p>
${signedInFooter(view, `visit:${view.id}`)}`,
  )
}
