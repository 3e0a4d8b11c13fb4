// One question as a card: its message, the asking agent, the time left, and how it ended. The body of the card has the
// fields and buttons; each kind of question has its own body.

import { guardActs, keepHeight, whenAwayFrom, whenOffActs } from "@holdpoint/hub/forms"
import type { StreamEvent } from "@holdpoint/hub/stream"
import type { CardAnswer, CardBody, CardBodyParts } from "./card-body.ts"
import { createConfirmBody } from "./confirm-body.ts"
import { type Countdown, startCountdown } from "./countdown.ts"
import { type Child, deepActiveElement, h, newId } from "./dom.ts"
import { errorText } from "./error-text.ts"
import { createFormBody, type FieldProblem } from "./form-body.ts"
import { outcomeText } from "./outcome-text.ts"
import type { Translate, Wording } from "./texts.ts"
import { createUrlBody } from "./url-body.ts"

export interface CardParts extends Wording {
  /** The server's time, in milliseconds since 1970. */
  readonly now: () => number
  /** Sends the answer. Rejects when the server refuses it. */
  readonly answer: (answer: CardAnswer) => Promise<unknown>
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void
}

export interface QuestionCard {
  readonly element: HTMLElement
  readonly isOpen: () => boolean
  /** Shows how the question ended. */
  update(event: StreamEvent): void
  /** Shows an open question as withdrawn, because its reply ended. */
  withdraw(): void
  focus(): void
  close(): void
}

export function createQuestionCard(firstEvent: StreamEvent, parts: CardParts): QuestionCard {
  const { translate } = parts
  const frame = createFrame(firstEvent, parts)
  const { element, fields, row, status, countdownText } = frame
  let chosenText: string | undefined
  let problems: readonly FieldProblem[] = []
  let countdown: Countdown | undefined
  let endGuard = (): void => {}

  const showStatus = (...content: readonly (Node | string)[]): void => status.replaceChildren(...content)
  const isOpen = (): boolean => element.dataset.state === "open" || element.dataset.state === "sending"
  const showEnding = (text: string, state: string): void => {
    const hadFocus = element.contains(focusIn(element))
    countdown?.stop()
    body.close()
    endGuard()
    if (element.isConnected) keepPlace(element, chosenText !== undefined)
    countdownText.textContent = ""
    countdownText.classList.remove("soon")
    showStatus()
    // The outcome replaces the row of buttons, so that nothing below moves.
    row.replaceChildren(h("p", { class: "ending", part: "ending" }, text))
    // Fields that were answered on this page are removed; other fields stay, but cannot be changed.
    if (chosenText === undefined) fields.inert = true
    else fields.replaceChildren()
    element.dataset.state = state
    if (hadFocus) frame.title.focus({ preventScroll: true })
  }
  const sendAnswer: CardBodyParts["sendAnswer"] = async (answer, buttonText) => {
    if (element.dataset.state !== "open") return false
    element.dataset.state = "sending"
    showStatus(translate("sending"))
    // Set before the answer is sent, because the stream may report the outcome before the request returns.
    chosenText = buttonText
    try {
      await parts.answer(answer)
      if (isOpen()) showStatus()
      return true
    } catch (error) {
      chosenText = undefined
      problems = problemsOf(error)
      showStatus(translate("notAnswered", { why: errorText(error, translate) }))
      return false
    } finally {
      if (isOpen()) element.dataset.state = "open"
    }
  }
  const { form, language, heading } = parts
  const body = createBody({
    translate,
    form,
    language,
    heading,
    event: firstEvent,
    sendAnswer,
    showStatus,
    problems: () => problems,
  })
  const update = (event: StreamEvent): void => {
    if (event.type === "elicitation-request") return
    const text = outcomeText(event, translate, chosenText)
    if (isOpen()) parts.announce(text)
    showEnding(text, event.status)
  }
  const start = (): void => {
    fields.append(...body.fields)
    row.append(...body.buttons)
    endGuard = guardActs(element, { elements: body.buttons, words: translate("notCounted") })
    countdown = startCountdown({
      ...{ translate, language, now: parts.now, expiresAt: Date.parse(firstEvent.expiresAt) },
      show(text, isLastMinute) {
        countdownText.textContent = text
        countdownText.classList.toggle("soon", isLastMinute)
      },
      onLastMinute: () => parts.announce(translate("lastMinute")),
      onExpired() {
        parts.announce(translate("expired"))
        showEnding(translate("expired"), "expired")
      },
    })
  }
  if (firstEvent.type === "elicitation-resolved")
    showEnding(outcomeText(firstEvent, translate, chosenText), firstEvent.status)
  else start()
  return {
    element,
    isOpen,
    update,
    withdraw() {
      if (isOpen()) showEnding(translate("withdrawn"), "cancelled")
    },
    focus: () => frame.title.focus({ preventScroll: true }),
    close() {
      countdown?.stop()
      endGuard()
      body.close()
    },
  }
}

/** Keeps the height of a card that ends, until that moves no other card under the pointer. */
function keepPlace(element: HTMLElement, isAnsweredHere: boolean): void {
  const releaseHeight = keepHeight(element)
  if (isAnsweredHere) whenOffActs(releaseHeight)
  else whenAwayFrom((element.getRootNode() as ShadowRoot).host, releaseHeight)
}

function createFrame(event: StreamEvent, { translate, heading }: Wording) {
  const id = newId("question")
  const [headline, detail] = headlineOf(event, translate)
  const title = h(heading, { id, tabindex: -1, class: "title", part: "card-title" }, headline)
  const countdownText = h("p", { class: "left", part: "countdown" })
  const fields = h("div", { class: "body" })
  const row = h("div", { class: "buttons", part: "buttons" })
  const status = h("p", { class: "told", part: "card-status", role: "status" })
  const element = h(
    "section",
    {
      class: "card",
      part: "card",
      role: "group",
      "aria-labelledby": id,
      "data-state": "open",
      "data-mode": event.mode,
    },
    agentElement(event, translate),
    title,
    detail !== "" && messageElement(detail, id),
    fields,
    h("div", { class: "foot" }, row, countdownText),
    status,
  )
  return { element, title, countdownText, fields, row, status }
}

function createBody(parts: CardBodyParts): CardBody {
  if (parts.event.mode === "url") return createUrlBody(parts)
  return createConfirmBody(parts) ?? createFormBody(parts)
}

/** Splits the message into a title and a detail text. A long first line becomes part of the detail text. */
function headlineOf(
  { message, context }: StreamEvent,
  translate: Translate,
): readonly [headline: string, rest: string] {
  const { providerName } = context
  if (typeof providerName === "string") return [translate("needsPermission", { provider: providerName }), message]
  const [line = "", ...otherLines] = message.split("\n")
  if (line.length <= maxTitleLength) return [line.replace(/:$/, ""), otherLines.join("\n").trim()]
  return [translate(context.trigger === "credential_required" ? "permission" : "question"), message]
}

const maxTitleLength = 160

/** The text below the title: a paragraph, or a scrolling region for structured text such as the arguments of a call. */
const messageElement = (detail: string, id: string): HTMLElement =>
  /[\n{[]/.test(detail)
    ? h("div", { class: "details", part: "card-message", tabindex: 0, role: "region", "aria-labelledby": id }, detail)
    : h("p", { part: "card-message" }, detail)

/** The name of the sub-agent that asks, if one does. */
const agentElement = ({ context }: StreamEvent, translate: Translate): Child =>
  context.agent !== undefined &&
  h("p", { class: "asker", part: "card-agent" }, translate("asks", { agent: context.agent }))

function problemsOf(error: unknown): readonly FieldProblem[] {
  const { problem } = error as { readonly problem?: { readonly problems?: unknown } }
  return Array.isArray(problem?.problems) ? (problem.problems as readonly FieldProblem[]) : []
}

const focusIn = (element: HTMLElement): Element | null => {
  const active = deepActiveElement()
  return active?.getRootNode() === element.getRootNode() ? active : null
}
