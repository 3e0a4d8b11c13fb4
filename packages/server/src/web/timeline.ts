// The timeline page: a row for each step of a question, and of the run or call that asked it. Writes texts only; the
// route decides which steps the person may see.

import { paths } from "@holdpoint/hub"
import type { TimelineItem } from "@holdpoint/hub/stream"
import { viaWords } from "./answer-words.ts"
import { page } from "./frame.ts"
import { type Html, html, toHref } from "./html.ts"
import { shorten } from "./shorten.ts"
import { durationWords, timeOf } from "./time.ts"
import type { TimelineStepView, TimelineView } from "./views.ts"

export function timelinePage(view: TimelineView): Html {
  const { message, question, steps, now, requester } = view
  return page(
    { title: "What happened", state: "calm", width: "wide", viewer: view, currentPath: paths.inbox },
    html`<p class="back"><a href="${toHref(question)}">The question</a></p>
<h1>What happened</h1>
<p class="lead">${requester.name} asked:</p>
<blockquote class="message">${message}</blockquote>
<ol class="history timeline">${steps.map((step) => row(step, now))}</ol>`,
  )
}

function row(step: TimelineStepView, now: number): Html {
  const notes = notesOf(step)
  return html`<li class="${toneOf(step.item)}"><span>${wordsOf(step)}${notes.length > 0 && html`<span class="note">${notes.join(", ")}</span>`}</span> ${timeOf(step.at, now)}</li>`
}

/** The colour of a step's mark: `hold` while the step waits for people, `clear` for a success, `stop` for a failure. */
function toneOf(item: TimelineItem): "hold" | "clear" | "stop" | "calm" {
  switch (item.kind) {
    case "asked":
    case "paused":
      return "hold"
    case "voted":
      return "clear"
    case "answered":
      return item.answer === "yes" || item.answer === "completed" ? "clear" : "stop"
    case "expired":
    case "taken-back":
    case "stop-requested":
      return "stop"
    case "tool-finished":
      return item.outcome === "done" ? "clear" : "stop"
    case "run-ended":
      return item.status === "done" ? "clear" : "stop"
    default:
      return "calm"
  }
}

function wordsOf(step: TimelineStepView): string {
  const { item, isByYou, buttonLabel } = step
  const personName = isByYou ? "You" : "Another person"
  switch (item.kind) {
    case "run-started":
      return `The agent ${item.agent} began its reply`
    case "run-ended":
      return replyWords[item.status]
    case "tool-called":
      return `“${item.tool}” was called`
    case "tool-finished":
      return `“${item.tool}” ${callWords[item.outcome]}`
    case "asked":
      return `${item.requester} asked: “${shorten(item.message)}”`
    case "shown":
      return `It was shown in “${item.via}”`
    case "opened":
      return "The page was opened"
    case "accepted":
      return `${personName} agreed to open the page`
    case "answered":
      return answerWords(item, personName, buttonLabel)
    case "voted":
      return `${personName} approved; more approvals are needed`
    case "escalated":
      return `People with the role “${item.role}” may answer too`
    case "reminded":
      return "People who had not answered were reminded"
    case "expired":
      return "It was not answered in time"
    case "edited":
      return `${personName} changed the arguments: ${item.names}`
    case "taken-back":
      return `${personName} said No after the answer`
    case "paused":
      return "The reply is waiting for people"
    case "resumed":
      return "The reply went on"
    case "stop-requested":
      return "The reply was told to stop"
    case "effect":
      return effectWords[item.step]
    case "call-ended":
      return endWords[item.status]
  }
}

function answerWords(
  { answer, by }: Extract<TimelineItem, { kind: "answered" }>,
  personName: string,
  chosenWords?: string,
): string {
  switch (answer) {
    case "yes":
    case "no":
      return `${personName} said “${chosenWords ?? (answer === "yes" ? "Yes" : "No")}”`
    case "completed":
      return by === undefined ? "It was completed" : `${personName} answered`
    case "declined":
      return `${personName} declined`
    case "cancelled":
      return by === undefined ? "The question was withdrawn" : `${personName} cancelled it`
    case "failed":
      return "It did not work"
    case "unsupported":
      return "It could not be shown anywhere"
  }
}

const replyWords = {
  done: "The reply was finished",
  failed: "The reply failed",
  stopped: "The reply was stopped",
} as const

const callWords = { done: "finished", failed: "failed", denied: "was not allowed, and did not run" } as const

const effectWords = {
  begun: "The program began to act on the answer",
  done: "The program finished what it did with the answer",
  failed: "What the program did with the answer failed",
} as const

const endWords = {
  over: "The call that asked the question ended",
  gone: "The program that asked stopped waiting",
  cancelled: "The call that asked the question was cancelled",
} as const

/** The notes below a step: the agent, the place, the time since the question was asked, and the question. */
function notesOf({ item, questionMessage: otherMessage, client }: TimelineStepView): readonly string[] {
  const agent =
    item.kind === "run-started" || !("agent" in item) || item.agent === undefined ? [] : [`by ${item.agent}`]
  const caller = item.kind === "tool-finished" ? agent.map((by) => `called ${by}`) : agent
  const tool = item.kind === "asked" && item.tool !== undefined ? [`for “${item.tool}”`] : []
  const shownIn = item.kind === "asked" && item.shown.length > 0 ? [`shown in ${item.shown.join(" and ")}`] : []
  const isPlaced = item.kind !== "shown" && "via" in item && item.via !== undefined
  const surfaceWords = isPlaced ? [viaWords(item.via ?? "", client)] : []
  const waitWords = "waitedMs" in item ? [`after ${durationWords(item.waitedMs)}`] : []
  const questionWords = otherMessage === undefined || item.kind === "asked" ? [] : [`“${shorten(otherMessage)}”`]
  return [...tool, ...caller, ...shownIn, ...surfaceWords, ...waitWords, ...questionWords]
}
