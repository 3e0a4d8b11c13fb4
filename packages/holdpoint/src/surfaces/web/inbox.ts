// The inbox: a person's open questions, each with its answer form.

import { page } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import { answerForm, asked, nameOf } from "./question.ts"
import type { InboxItem, InboxView } from "./views.ts"

export function inboxPage(view: InboxView): Html {
  const { items, eventsUrl } = view
  return page(
    {
      title: items.length === 0 ? "Inbox" : `(${items.length}) Inbox`,
      state: items.length === 0 ? "calm" : "hold",
      width: "wide",
      who: view,
      here: "inbox",
    },
    html`<h1>Inbox</h1>
<p role="status" class="quiet" data-events="${toHref(eventsUrl)}">${countWords(items.length)}</p>
<ul class="questions">${items.map((item) => html`${entry(item, view)}`)}</ul>`,
  )
}

function entry(item: InboxItem, { csrf, signedInAs, now, items }: InboxView): Html {
  const { elicitation, href } = item
  const { id, mode } = elicitation
  const form = answerForm({ ...item, csrf, signedInAs })
  return html`<li class="card question" data-question="${id}">
${asked(elicitation, now, html`<h2><a href="${toHref(href)}">${nameOf(elicitation)} asks</a></h2>`)}
${
  mode === "url"
    ? form
    : html`<details${(items.length === 1 || item.problems !== undefined) && html` open`}><summary>Answer</summary>${form}</details>`
}
</li>
`
}

function countWords(count: number): string {
  if (count === 0) return "No questions are waiting for you. New ones appear here by themselves."
  return count === 1 ? "One question is waiting for you." : `${count} questions are waiting for you.`
}
