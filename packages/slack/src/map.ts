// A question as a message of Slack: open with its buttons, and ended without them. Pure.

import type { Elicitation } from "@holdpoint/hub"
import { type Addresses, paths } from "@holdpoint/hub"
import { type Acts, actsOf } from "@holdpoint/hub/forms"
import { decisionOf, visitedAddress, wordsOf, yesOrNoIn } from "@holdpoint/hub/internal"
import { isShownWhole, modalOf, mostPieces } from "./modal.ts"
import { cut, escaped, pieces, timeOf, toMrkdwn, toPlainText } from "./text.ts"
import type { Block } from "./wire.ts"
import { endingWords, words } from "./words.ts"

/** Text for notifications, and the blocks of the message itself. */
export interface MessageContent {
  readonly text: string
  readonly blocks: readonly Block[]
}

/** The action ids of buttons. A button's value is the id of the question, which alone permits nothing. */
export const actions = {
  yes: "holdpoint_yes",
  no: "holdpoint_no",
  answer: "holdpoint_answer",
  decline: "holdpoint_decline",
  /** A button with a link. Slack sends an event for it, which needs no handling. */
  open: "holdpoint_open",
  link: "holdpoint_link",
  code: "holdpoint_code",
  unlink: "holdpoint_unlink",
} as const

/** Renders an open question. `addresses` are those of the pages where the question can be answered in a browser. */
export function toShown(question: Elicitation, addresses: Addresses): MessageContent {
  const { approvals = 1 } = question
  return {
    text: notificationOf(question),
    blocks: [
      ...aboutOf(question, addresses),
      { type: "actions", elements: [...buttonsOf(question, addresses)] },
      ...(approvals > 1 ? [note(toPlainText(words.approvals(approvals)))] : []),
      note(toMrkdwn(words.until(timeOf(question.expiresAt)))),
    ],
  }
}

/** Renders a reminder: the same message, for a person who has not answered. */
export function toReminder({ text, blocks }: MessageContent): MessageContent {
  return { text: `${words.reminder} ${text}`, blocks: [note(toPlainText(words.reminder)), ...blocks] }
}

/** Renders an ended question. `personName` is the person who answered, in mrkdwn, if the message should show them. */
export function toEnded(question: Elicitation, addresses: Addresses, personName?: string): MessageContent {
  const ending = endingOf(question, personName)
  return {
    text: cut(ending, 300),
    blocks: [...aboutOf(question, addresses), { type: "section", text: toMrkdwn(cut(ending, 3_000)) }],
  }
}

export function endingOf(question: Elicitation, personName?: string): string {
  const { status, reason } = question
  const buttonLabel = buttonLabelOf(question)
  return endingWords({
    status,
    ...(buttonLabel === undefined ? {} : { buttonLabel: escaped(cut(buttonLabel, 200)) }),
    ...(reason?.message === undefined ? {} : { reason: escaped(cut(reason.message, 1_000)) }),
    ...(personName === undefined ? {} : { personName }),
  })
}

/**
 * The two answers of a question without other fields, which can be answered with a button. Undefined for other
 * questions.
 */
export function pressesOf(question: Elicitation): Acts | undefined {
  if (!isShownWhole(question)) return undefined
  const acts = question.mode === "form" ? actsOf(question.requestedSchema, {}, question.message) : undefined
  return acts !== undefined && Object.keys(acts.rest.properties).length === 0 ? acts : undefined
}

/**
 * Returns the address that the button of a link opens: a page of this server directly, and any other address through
 * the page of the question.
 */
export function linkOf(url: string, page: string): string {
  return new URL(url).origin === new URL(page).origin && url.length <= longestUrl ? url : page
}

const longestUrl = 3_000

export const askerOf = ({ requester }: Elicitation): string => requester.name ?? requester.id

const notificationOf = (question: Elicitation): string =>
  cut(escaped(words.notification(cut(askerOf(question), 100), cut(question.message, 200))), 1_000)

function aboutOf(question: Elicitation, addresses: Addresses): readonly Block[] {
  const { parts } = pieces(question.message, mostPieces)
  const about = question.mode === "form" ? actsOf(question.requestedSchema, {}, question.message)?.about : undefined
  return [
    note(toPlainText(words.asks(askerOf(question)), 200)),
    ...parts.map((part) => ({ type: "section", text: toPlainText(part) }) as const),
    ...(isShownWhole(question) ? [] : [note(toMrkdwn(words.goesOn(pageOf(question, addresses))))]),
    ...(about === undefined ? [] : [{ type: "section", text: toPlainText(about, 2_000) } as const]),
    ...(question.mode === "url" ? [note(toPlainText(words.leadsTo(hostOf(question, addresses)), 300))] : []),
  ]
}

/** A block with a small text. */
export const note = (text: ReturnType<typeof toPlainText | typeof toMrkdwn>): Block => ({
  type: "context",
  elements: [text],
})

type Elements = Extract<Block, { readonly type: "actions" }>["elements"]

function buttonsOf(question: Elicitation, addresses: Addresses): Elements {
  const { id } = question
  const page = pageOf(question, addresses)
  const decline = button(actions.decline, words.decline, id)
  if (question.mode === "url") {
    const url = linkOf(question.url, page)
    return [{ ...button(actions.open, words.open(hostOf(question, addresses)), id), style: "primary", url }, decline]
  }
  const presses = pressesOf(question)
  if (presses !== undefined)
    return [
      { ...button(actions.yes, presses.yes, id), style: "primary" },
      button(actions.no, presses.no, id),
      button(actions.decline, words.withReason(cut(presses.no, 50)), id),
    ]
  if (modalOf(question) === undefined)
    return [{ ...button(actions.open, words.answerOnPage, id), style: "primary", url: page }, decline]
  const acts = actsOf(question.requestedSchema, {}, question.message)
  if (acts === undefined) return [{ ...button(actions.answer, words.answer, id), style: "primary" }, decline]
  return [
    { ...button(actions.answer, `${cut(acts.yes, 70)}…`, id), style: "primary" },
    button(actions.no, acts.no, id),
    button(actions.decline, words.withReason(cut(acts.no, 50)), id),
  ]
}

const button = (action: string, label: string, value: string) =>
  ({ type: "button", action_id: action, text: toPlainText(label, 75), value }) as const

/**
 * The host of the final address. The question's own address may be a visit page of this server, which would hide that
 * host.
 */
function hostOf(question: Elicitation & { readonly mode: "url" }, addresses: Addresses): string {
  return new URL(visitedAddress(question, addresses) ?? question.url).host
}

const pageOf = ({ id }: Elicitation, addresses: Addresses): string => addresses.to(paths.question, id)

/**
 * The label of the chosen answer of a yes-or-no question. Undefined for other forms, and for a question without an
 * answer.
 */
function buttonLabelOf(question: Elicitation): string | undefined {
  if (question.mode !== "form" || question.status !== "completed") return undefined
  const { requestedSchema, content } = question
  const yesOrNo = question.said ?? (content === undefined ? undefined : yesOrNoIn(requestedSchema, content))
  const decision = decisionOf(requestedSchema)
  return yesOrNo && decision && wordsOf(decision)[yesOrNo]
}
