// The page on which a person allows or denies a program to act in their name: the program, the scopes, and the host
// that gets the answer. Self-reported data of the program is marked as such.

import { scopeList } from "./connect.ts"
import { actFields, monogramPair, page, signedInFooter } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import { deadlineOf } from "./time.ts"
import type { ScopeView, SignedIn } from "./views.ts"

export interface AuthorizeView extends SignedIn {
  readonly now: number
  readonly id: string
  /** The address to which the form posts `csrf` and `do` (`allow` or `deny`). */
  readonly action: string
  readonly client: {
    readonly name: string
    /** Whether the operator registered the program; if not, its name is self-reported. */
    readonly isChecked: boolean
    /** The host that publishes the client's metadata document. */
    readonly host?: string
  }
  readonly redirect: { readonly host: string; readonly isLocal: boolean }
  readonly resource: { readonly name: string; readonly host: string }
  readonly scopes: readonly ScopeView[]
  readonly expiresAt: number
}

export interface ReturnView {
  readonly client: { readonly name: string }
  /** A path on this server, which redirects to the program with the answer. */
  readonly href: string
}

export function authorizePage(view: AuthorizeView): Html {
  const { client, resource, redirect, csrf, id } = view
  return page(
    { title: `Allow ${client.name}`, state: "hold", width: "narrow", viewer: view },
    html`${monogramPair(client.name, resource.name)}
<h1>Let ${client.isChecked ? client.name : `“${client.name}”`} use ${resource.name}?</h1>
<p class="lead">A program asks to use <strong>${resource.name}</strong> in your name.</p>
<dl class="facts">
${programOf(view)}
<div><dt>Answer goes to</dt><dd>${redirect.host}${redirect.isLocal && html`<span class="note">a program on your machine</span>`}</dd></div>
<div><dt>Wants to use</dt><dd>${resource.name}<span class="note">${resource.host}</span></dd></div>
</dl>
${scopeList(view.scopes)}
${redirect.isLocal && localWarning}
<form method="post" action="${toHref(view.action)}" data-once>
${actFields(csrf, view.now)}
<div class="buttons">
<button class="primary" type="submit" name="do" value="allow">Allow</button>
<button type="submit" name="do" value="deny">Deny</button>
</div>
</form>
<p class="after">It does not learn your password. The permission lasts for up to 90 days, and you can stop the program on your account
page at any time. This request ${deadlineOf(view.expiresAt, view.now)}.</p>
${signedInFooter(view, `authorize:${id}`)}`,
  )
}

/**
 * Sends the browser back to the program. A separate page, because `form-action` of the consent page would block the
 * redirect.
 */
export function returnPage({ client, href }: ReturnView): Html {
  const address = toHref(href)
  return page(
    {
      title: `Back to ${client.name}`,
      state: "clear",
      width: "narrow",
      head: html`<meta http-equiv="refresh" content="0; url=${address}">`,
    },
    html`<h1>Back to ${client.name}</h1>
<p class="lead">Your decision is being sent to it now. You can close this window if it stays open.</p>
<p class="buttons"><a class="button primary" href="${address}">Continue to ${client.name}</a></p>`,
  )
}

/** The rows with the program's name, and whether the administrator registered that name. */
function programOf({ client }: AuthorizeView): Html {
  if (client.isChecked)
    return html`<div><dt>Program</dt><dd>${client.name}<span class="note">registered by the administrator of this server</span></dd></div>`
  const origin =
    client.host ?? html`unknown<span class="note">it registered itself, and its identity is not verified</span>`
  return html`<div><dt>Program</dt><dd>“${client.name}”<span class="note">as it calls itself</span></dd></div>
<div><dt>Comes from</dt><dd>${origin}</dd></div>`
}

/**
 * The warning about a redirect URI on the person's machine. RFC 8252 §8.6: any program there can use it, so the
 * program's identity cannot be verified.
 */
const localWarning = html`<div class="notice"><p>Any program on your machine can claim to be this one. <strong>Allow it only if you have just started this yourself.</strong></p></div>`
