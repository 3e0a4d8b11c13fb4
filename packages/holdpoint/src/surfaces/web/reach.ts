// The account page's section about how questions reach a person: a delay for each place and quiet hours. Also the pages
// behind the unsubscribe link of a mail.

import { paths } from "../../core/addresses.ts"
import { csrfField, page } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import { toLabelledInput } from "./labelled-input.ts"
import { timeOf } from "./time.ts"

export interface ReachView {
  /** The address to which the form posts `csrf`, one field for each place, and `from`, `to`, `zone`, `urgent`. */
  readonly action: string
  /** The places where people are notified of questions, such as e-mail. */
  readonly places: readonly {
    readonly title: string
    /** The delay for all kinds of question. */
    readonly all: AfterView
    readonly kinds: readonly AfterView[]
  }[]
  readonly quietHours: { readonly from: string; readonly to: string; readonly zone: string; readonly urgent: boolean }
  readonly problems?: readonly { readonly path: "from" | "to" | "zone"; readonly message: string }[]
  readonly email?: {
    readonly address: string
    /** Since when mails to this address are not sent, and the status of the mail server. */
    readonly deadAddress?: { readonly at: number; readonly status: string; readonly reviveAction: string }
  }
}

/** One delay that a person may choose: a select with its options. */
export interface AfterView {
  readonly name: string
  readonly title: string
  /** The title of the default option. */
  readonly usual: string
  readonly chosen: string
  readonly options: readonly { readonly value: string; readonly title: string }[]
}

export function reachSection(view: ReachView, { csrf, now }: { readonly csrf: string; readonly now: number }): Html {
  const { action, places, quietHours, problems, email } = view
  const problemOf = (path: string): string | undefined => problems?.find((one) => one.path === path)?.message
  const hasKindChoice = places.some((outlet) => outlet.kinds.some(({ chosen }) => chosen !== ""))
  return html`<section aria-labelledby="reach"><h2 id="reach">How questions reach you</h2>
<p>Your inbox always has your open questions. A question that you have not answered is also sent to the places below, each after its own delay. If no earlier place can show the question, the next one does not wait.</p>
${email !== undefined && emailState(email, csrf, now)}
<details class="choices"${problems !== undefined && html` open`}><summary>Choose<span class="sr"> how questions reach you</span></summary>
<form method="post" action="${toHref(action)}" data-once>${csrfField(csrf)}
<ul class="rows">${places.map(({ title, all }, at) => afterRow({ id: `reach-${at}`, title }, all))}</ul>
<details class="kinds"${hasKindChoice && html` open`}><summary>For individual kinds of question</summary>
${places.map(
  ({ title: outletTitle, kinds: kindRows }, at) =>
    html`<h3>${outletTitle}</h3><ul class="rows">${kindRows.map((one, kind) => afterRow({ id: `reach-${at}-${kind}`, title: one.title, outletTitle }, one))}</ul>`,
)}
</details>
<fieldset class="hours"><legend>Quiet hours</legend>
<p class="meta">Nothing is sent to you between these times. Leave them empty for none.</p>
${toLabelledInput({ id: "quiet-from", label: "From", problem: problemOf("from") }, (attributes) => html`<input type="time" name="from"${attributes} value="${quietHours.from}">`)}
${toLabelledInput({ id: "quiet-to", label: "To", problem: problemOf("to") }, (attributes) => html`<input type="time" name="to"${attributes} value="${quietHours.to}">`)}
${toLabelledInput({ id: "quiet-zone", label: "Time zone, such as Europe/Berlin", problem: problemOf("zone") }, (attributes) => html`<input type="text" name="zone" autocapitalize="none" spellcheck="false" maxlength="64"${attributes} value="${quietHours.zone}">`)}
<div class="field"><div class="tick"><input type="checkbox" id="quiet-urgent" name="urgent" value="yes"${quietHours.urgent && html` checked`}><label for="quiet-urgent">Send it anyway when a question ends before the quiet hours do</label></div></div>
</fieldset>
<div class="buttons"><button class="primary" type="submit">Save</button></div></form></details>
</section>`
}

interface RowTitle {
  readonly id: string
  readonly title: string
  readonly outletTitle?: string
}

function afterRow({ id, title, outletTitle = "" }: RowTitle, { name, usual, chosen, options }: AfterView): Html {
  return html`<li class="row"><div class="row-main"><label for="${id}">${outletTitle !== "" && html`<span class="sr">${outletTitle}: </span>`}${title}</label></div>
<div class="row-actions"><select id="${id}" name="${name}"><option value="">Default: ${usual}</option>${options.map(
    ({ value, title: words }) => html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`,
  )}</select></div></li>`
}

function emailState({ address, deadAddress }: NonNullable<ReachView["email"]>, csrf: string, now: number): Html {
  if (deadAddress === undefined) return html`<p>E-mails go to <strong>${address}</strong>.</p>`
  return html`<div class="notice" role="status"><p>E-mails to <strong>${address}</strong> were returned ${timeOf(deadAddress.at, now)}: the mail server does not know the address (${deadAddress.status}). No more are sent there.</p>
<form method="post" action="${toHref(deadAddress.reviveAction)}" data-once>${csrfField(csrf)}<button type="submit">The address works: send e-mails again</button></form></div>`
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
