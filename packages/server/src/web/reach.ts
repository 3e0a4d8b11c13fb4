// The account page's section about how questions reach a person: a delay for each place and quiet hours.

import { csrfField } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import { toLabelledInput } from "./labelled-input.ts"

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

export function reachSection(view: ReachView, { csrf }: { readonly csrf: string }): Html {
  const { action, places, quietHours, problems } = view
  const problemOf = (path: string): string | undefined => problems?.find((one) => one.path === path)?.message
  const hasKindChoice = places.some((outlet) => outlet.kinds.some(({ chosen }) => chosen !== ""))
  return html`<section aria-labelledby="reach"><h2 id="reach">How questions reach you</h2>
<p>Your inbox always has your open questions. A question that you have not answered is also sent to the places below, each after its own delay. If no earlier place can show the question, the next one does not wait.</p>
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
