// The page of one question: the asker, the form or the link to answer with, and the end of the question.

import { paths } from "@holdpoint/hub"
import { actsOf, displayHost } from "@holdpoint/hub/forms"
import { type AnswerFormView, actsForm } from "./acts-form.ts"
import { addressBox } from "./address.ts"
import { afterAnswerWords, goneWords, toldWords } from "./after-answer.ts"
import { formFields, problemSummary } from "./fields.ts"
import { actFields, monogram, page } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import { deadlineOf, timeOf } from "./time.ts"
import type { AnsweredView, PageLink, QuestionOf, QuestionView } from "./views.ts"
import { ownRequestWords, votesBox } from "./votes.ts"

export function questionPage(view: QuestionView): Html {
  const { elicitation, now, afterAnswer, timeline } = view
  const goneNotice = afterAnswer && goneWords(afterAnswer)
  return page(
    { title: `${nameOf(elicitation)} asks`, state: "hold", width: "wide", viewer: view, currentPath: paths.inbox },
    html`${hasInbox(view) && html`<p class="back"><a href="${paths.inbox}">Inbox</a></p>`}
<article class="card question">
${questionHead(elicitation, now, html`<h1>${nameOf(elicitation)} asks</h1>`)}
${goneNotice !== undefined && html`<div class="notice"><p>${goneNotice}</p></div>`}
${view.votes !== undefined && votesBox(view.votes, now)}
${
  elicitation.detail !== undefined &&
  html`<h2>All of it</h2>
<pre class="message detail" id="detail">${elicitation.detail.text}</pre>`
}
${answerForm(view)}
</article>
${timeline !== undefined && html`<p class="quiet"><a href="${toHref(timeline)}">What happened so far</a></p>`}`,
  )
}

export function answeredPage(view: AnsweredView): Html {
  const { message, at, now, reason, status, via, timeline } = view
  const isGood = status === "completed" || status === "accepted"
  return page(
    {
      title: endWords(view),
      state: isGood ? "clear" : "stop",
      width: view.signedInAs === undefined ? "narrow" : "wide",
      viewer: view,
      currentPath: paths.inbox,
    },
    html`<article class="card">
<h1>${endWords(view)}</h1>
<p class="lead">${afterwardsWords(view)}</p>
<blockquote class="message">${message}</blockquote>
${reason?.message !== undefined && html`<p>${reason.message}</p>`}
${view.votes !== undefined && votesBox(view.votes, now)}
${at !== undefined && html`<p class="meta">It ended ${timeOf(at, now)}${via !== undefined && `, ${via}`}.</p>`}
<p class="buttons">${hasInbox(view) && html`<a class="button" href="${paths.inbox}">Go to your inbox</a>`}${timeline !== undefined && html` <a class="button" href="${toHref(timeline)}">What happened</a>`}</p>
</article>`,
  )
}

/** Whether this browser may open the inbox. A browser that got the link of a single question has no header links. */
const hasInbox = ({ links }: { readonly links?: readonly PageLink[] }): boolean => links?.length !== 0

/** The head of a question: the asker, the program that relayed it, the deadline and the message. */
export function questionHead(elicitation: QuestionOf, now: number, heading: Html): Html {
  const { client, message, createdAt, expiresAt } = elicitation
  return html`<div class="asker">${monogram(nameOf(elicitation))}<div>${heading}
<p class="meta">${deadlineOf(expiresAt, now, "Ends")}. Asked ${timeOf(createdAt, now)}.</p>
${client !== undefined && html`<p class="meta">Through a program that calls itself “${client.name}”.</p>`}
</div></div>
<blockquote class="message">${message}</blockquote>`
}

/**
 * The form to answer with: the two buttons of a yes-or-no question, fields and Send, or a link to the address. Fields
 * and links also have a button to decline.
 */
export function answerForm(view: AnswerFormView): Html {
  const { elicitation, action, csrf, now, values, problems } = view
  if (view.isOwnRequest === true) return html`<div class="notice"><p>${ownRequestWords}</p></div>`
  if (elicitation.mode === "url") return addressForm(elicitation, view)
  const fields = { prefix: `q${elicitation.id}`, form: elicitation.requestedSchema, values, problems }
  const acts = actsOf(fields.form, {}, elicitation.message)
  if (acts !== undefined) return actsForm(view, acts)
  return html`${problemSummary(fields)}
<form method="post" action="${toHref(action)}" data-once>${actFields(csrf, now)}
${formFields(fields)}
<div class="buttons">
<button class="primary" type="submit" name="do" value="send">Send</button>
<button type="submit" name="do" value="decline" formnovalidate>Decline</button>
</div>
</form>`
}

/**
 * A link to the address. An external address is shown in full, with warnings. The pages of this server need no warning.
 */
function addressForm(
  { id, url, popup }: Extract<QuestionOf, { mode: "url" }>,
  { action, csrf, now }: AnswerFormView,
): Html {
  const host = displayHost(url)
  const openLink = popup
    ? html`<a class="button primary" href="${toHref(url)}" data-popup="${id}">Review</a>`
    : html`<a class="button primary" href="${toHref(url)}" target="_blank" rel="noopener noreferrer">Open ${host}<span class="note">in a new tab</span></a>`
  return html`${!popup && addressBox(url)}
<form method="post" action="${toHref(action)}" data-once>${actFields(csrf, now)}
<div class="buttons">
${openLink}
<button type="submit" name="do" value="decline">Decline</button>
</div>
</form>`
}

export function nameOf({ requester }: QuestionOf): string {
  return requester.name ?? requester.id
}

function endWords(view: AnsweredView): string {
  const { status, isByYou, done } = view
  switch (status) {
    case "completed":
      if (view.votes !== undefined) return "It was approved"
      if (done !== undefined) return done
      return isByYou ? "Your answer was sent" : "Another person has answered"
    case "accepted":
      return isByYou ? "You said yes" : "Another person said yes"
    case "declined":
      return isByYou ? "You declined" : "Another person declined"
    case "cancelled":
      return isByYou ? "You cancelled this" : "The question was withdrawn"
    case "expired":
      return "The time to answer is over"
    case "failed":
      return "This did not work"
    case "unsupported":
      return "This question could not be shown"
  }
}

/** The text about what the asker does after the end of the question. */
function afterwardsWords({ status, isByYou, requester: { name }, afterAnswer }: AnsweredView): Html {
  switch (status) {
    case "accepted":
      return html`${name} is waiting until it is finished there.`
    case "completed":
      return afterAnswerWords(afterAnswer)
    case "cancelled":
      return html`${isByYou ? toldWords(afterAnswer) : `${name} no longer needs an answer.`}`
    case "expired":
    case "declined":
    case "failed":
    case "unsupported":
      return html`${toldWords(afterAnswer)}`
  }
}
