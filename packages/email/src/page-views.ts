// The section of the account page about the person's e-mail address, and the pages behind the unsubscribe link of a mail,
// as HTML: pure, from view to page.

import { paths } from "@holdpoint/hub"
import { csrfField, type Html, html, page, timeOf, toHref } from "@holdpoint/server/parts"

export interface EmailView {
  readonly address: string
  /** Since when mails to this address are not sent, and the status of the mail server. */
  readonly dead?: { readonly at: number; readonly status: string } | undefined
  /** The address to which the form posts `csrf` that sends mails again. */
  readonly action: string
}

export function emailSection(view: EmailView, { csrf, now }: { readonly csrf: string; readonly now: number }): Html {
  return html`<section aria-labelledby="email"><h2 id="email">E-mail</h2>
${emailState(view, csrf, now)}
</section>`
}

function emailState({ address, dead, action }: EmailView, csrf: string, now: number): Html {
  if (dead === undefined) return html`<p>E-mails go to <strong>${address}</strong>.</p>`
  return html`<div class="notice" role="status"><p>E-mails to <strong>${address}</strong> were returned ${timeOf(dead.at, now)}: the mail server does not know the address (${dead.status}). No more are sent there.</p>
<form method="post" action="${toHref(action)}" data-once>${csrfField(csrf)}<button type="submit">The address works: send e-mails again</button></form></div>`
}

export interface UnsubscribeView {
  /** The kind of question, such as “approvals”. */
  readonly about: string
  /** The address that the form posts to, without a session. */
  readonly action: string
}

/** The page of the unsubscribe link. Opening the link changes nothing, because mail programs open every link. */
export function unsubscribePage({ about, action }: UnsubscribeView): Html {
  return page(
    { title: "Stop these e-mails", state: "hold", width: "narrow" },
    html`<h1>Stop e-mails about ${about}?</h1>
<p class="lead">Questions of this kind still wait in <a href="${paths.inbox}">your inbox</a>. This does not answer any of them.</p>
<form method="post" action="${toHref(action)}" data-once><div class="buttons"><button class="primary" type="submit">Stop these e-mails</button></div></form>`,
  )
}

export function unsubscribedPage({ about }: Pick<UnsubscribeView, "about">): Html {
  return page(
    { title: "These e-mails are stopped", state: "clear", width: "narrow" },
    html`<h1>You will get no more e-mails about ${about}</h1>
<p class="lead">Questions of this kind still wait in <a href="${paths.inbox}">your inbox</a>. You can turn the e-mails on again under <a href="${paths.account}">your account</a>.</p>`,
  )
}
