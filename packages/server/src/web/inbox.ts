// The inbox: a person's open questions, each with its answer form.

import type { Form } from "@holdpoint/hub"
import { paths } from "@holdpoint/hub"
import { actsOf } from "@holdpoint/hub/forms"
import { page } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import { answerForm, nameOf, questionHead } from "./question.ts"
import type { InboxItem, InboxView } from "./views.ts"
import { votesBox } from "./votes.ts"

export function inboxPage(view: InboxView): Html {
  const { items, eventsUrl } = view
  return page(
    {
      title: items.length === 0 ? "Inbox" : `(${items.length}) Inbox`,
      state: items.length === 0 ? "calm" : "hold",
      width: "wide",
      viewer: view,
      currentPath: paths.inbox,
    },
    html`<div class="title"><h1>Inbox</h1></div>
<p role="status" class="quiet" data-events="${toHref(eventsUrl)}" data-stream="${view.streamName}">${countWords(items.length)}</p>
<ul class="questions">${items.map((item) => html`${entry(item, view)}`)}</ul>`,
  )
}

function entry(item: InboxItem, { csrf, signedInAs, now, items }: InboxView): Html {
  const { elicitation, href } = item
  const { id } = elicitation
  const form =
    elicitation.detail === undefined
      ? answerForm({ ...item, csrf, now, signedInAs })
      : html`<p class="buttons"><a class="button primary" href="${toHref(href)}">Read all of it, and answer</a></p>`
  return html`<li class="card question" data-question="${id}">
${questionHead(elicitation, now, html`<h2><a href="${toHref(href)}">${nameOf(elicitation)} asks</a></h2>`)}
${item.votes !== undefined && votesBox(item.votes, now)}
${
  elicitation.detail !== undefined || elicitation.mode === "url" || isBareDecision(elicitation.requestedSchema)
    ? form
    : html`<details${(items.length === 1 || item.problems !== undefined) && html` open`}><summary>Answer</summary>${form}</details>`
}
</li>
`
}

/** Whether the form consists of two buttons only, so that the page shows it unfolded. */
function isBareDecision(form: Form): boolean {
  const acts = actsOf(form)
  return acts !== undefined && Object.keys(acts.rest.properties).length === 0
}

function countWords(count: number): string {
  if (count === 0) return "No questions are waiting for you. New ones appear here by themselves."
  return count === 1 ? "One question is waiting for you." : `${count} questions are waiting for you.`
}
