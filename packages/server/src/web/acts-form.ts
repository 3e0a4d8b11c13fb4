// A yes-or-no question as a form with two buttons, each named after its act. The Enter key presses neither button.

import type { Acts } from "@holdpoint/hub/forms"
import { formFields, problemSummary } from "./fields.ts"
import { actFields } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import type { QuestionView, SignedIn } from "./views.ts"
import { approvedWords } from "./votes.ts"

export type AnswerFormView = SignedIn &
  Pick<QuestionView, "elicitation" | "now" | "action" | "values" | "problems" | "reason" | "votes" | "isOwnRequest">

export function actsForm(view: AnswerFormView, { yes, no, about, rest }: Acts): Html {
  const { elicitation, action, csrf, now, values, problems, votes } = view
  const fields = { prefix: `q${elicitation.id}`, form: rest, values, problems }
  return html`${problemSummary(fields)}
<form method="post" action="${toHref(action)}" data-once>${noDefaultButton}${actFields(csrf, now)}
${about !== undefined && html`<p class="about">${about}</p>`}
${formFields(fields)}
${reasonBox(view, no)}
${votes?.hasApproved === true && html`<div class="notice"><p>${approvedWords}</p></div>`}
<div class="buttons">
${votes?.hasApproved !== true && html`<button class="primary" type="submit" name="do" value="yes">${yes}</button>`}
<button type="submit" name="do" value="no" formnovalidate>${no}</button>
</div>
</form>`
}

/**
 * A disabled first button, so that the Enter key in a field sends nothing: it presses the first submit button of a
 * form, and does nothing when that button is disabled (HTML, implicit submission).
 */
const noDefaultButton = html`<button type="submit" disabled hidden></button>`

function reasonBox({ elicitation, reason }: AnswerFormView, noLabel: string): Html {
  const id = `q${elicitation.id}-reason`
  return html`<details class="reason"${reason !== undefined && html` open`}><summary>Add a reason to “${noLabel}”</summary>
<label class="sr" for="${id}">Reason</label><textarea id="${id}" name="reason" rows="2">${"\n"}${reason}</textarea></details>`
}
