// One question as a card: what is asked, by which agent, until when, and how it ended. What a person fills in or presses
// is the body of the card, one for each kind of question.

import type { QuestionAnswer } from "@holdpoint/sdk/client"
import type { StreamEvent } from "@holdpoint/sdk/stream"
import { createConfirmBody } from "./confirm-body.ts"
import { type Countdown, startCountdown } from "./countdown.ts"
import { type Child, deepActiveElement, h, newId } from "./dom.ts"
import { endingWords } from "./endings.ts"
import { wordsOf } from "./failure.ts"
import { createFormBody, type FieldProblem } from "./form-body.ts"
import { toPieces } from "./rich-text.ts"
import { toNodes } from "./text-view.ts"
import type { Say, Wording } from "./texts.ts"
import { createUrlBody } from "./url-body.ts"

/** The person's answer to the question of a card. */
export type CardAnswer = Omit<QuestionAnswer, "conversationId" | "elicitationId">

export interface CardParts extends Wording {
  /** The server's clock. */
  readonly now: () => number
  /** Sends the answer. Rejects when the server refuses it. */
  readonly answer: (answer: CardAnswer) => Promise<unknown>
  /** Tells people who listen to the page. */
  readonly announce: (words: string) => void
}

export interface QuestionCard {
  readonly element: HTMLElement
  readonly isOpen: () => boolean
  /** Shows what has become of the question. */
  update(event: StreamEvent): void
  /** The reply was stopped, and its question with it. */
  withdraw(): void
  focus(): void
  close(): void
}

/** What a body may do with its card. */
export interface CardBodyParts extends Wording {
  readonly event: StreamEvent
  /** Sends the answer, and resolves with whether the server took it. `chosen` is the button's text. */
  readonly give: (answer: CardAnswer, chosen?: string) => Promise<boolean>
  /** Shows words below the buttons. */
  readonly tell: (...words: readonly (Node | string)[]) => void
  /** The problems of the last answer, by field. */
  readonly problems: () => readonly FieldProblem[]
}

export interface CardBody {
  /** Stands above the buttons. */
  readonly fields: readonly Node[]
  readonly buttons: readonly HTMLElement[]
  close(): void
}

export function createQuestionCard(first: StreamEvent, parts: CardParts): QuestionCard {
  const { say } = parts
  const frame = createFrame(first, parts)
  const { element, fields, row, told, left } = frame
  let chosen: string | undefined
  let problems: readonly FieldProblem[] = []
  let countdown: Countdown | undefined

  const tell = (...words: readonly (Node | string)[]): void => told.replaceChildren(...words)
  const isOpen = (): boolean => element.dataset.state === "open" || element.dataset.state === "sending"
  const end = (words: string, state: string): void => {
    const hadFocus = element.contains(focusIn(element))
    countdown?.stop()
    body.close()
    left.textContent = ""
    left.classList.remove("soon")
    tell()
    // The outcome takes the row of the buttons, so that nothing below moves.
    row.replaceChildren(h("p", { class: "ending", part: "ending" }, words))
    // What was answered here is behind the person; other fields stay where they are.
    if (chosen === undefined) fields.inert = true
    else fields.replaceChildren()
    element.dataset.state = state
    if (hadFocus) frame.title.focus({ preventScroll: true })
  }
  const give: CardBodyParts["give"] = async (answer, words) => {
    if (element.dataset.state !== "open") return false
    element.dataset.state = "sending"
    tell(say("sending"))
    // Before the answer is sent: the stream may tell of the end before the request returns.
    chosen = words
    try {
      await parts.answer(answer)
      if (isOpen()) tell()
      return true
    } catch (error) {
      chosen = undefined
      problems = problemsOf(error)
      tell(say("notAnswered", { why: wordsOf(error, say) }))
      return false
    } finally {
      if (isOpen()) element.dataset.state = "open"
    }
  }
  const { form, language, heading } = parts
  const body = createBody({ say, form, language, heading, event: first, give, tell, problems: () => problems })
  const update = (event: StreamEvent): void => {
    if (event.type === "elicitation-request") return
    const words = endingWords(event, say, chosen)
    if (isOpen()) parts.announce(words)
    end(words, event.status)
  }
  const start = (): void => {
    fields.append(...body.fields)
    row.append(...body.buttons)
    countdown = startCountdown({
      ...{ say, language, now: parts.now, expiresAt: Date.parse(first.expiresAt) },
      show(words, isLastMinute) {
        left.textContent = words
        left.classList.toggle("soon", isLastMinute)
      },
      onLastMinute: () => parts.announce(say("lastMinute")),
      onExpired() {
        parts.announce(say("expired"))
        end(say("expired"), "expired")
      },
    })
  }
  if (first.type === "elicitation-resolved") end(endingWords(first, say, chosen), first.status)
  else start()
  return {
    element,
    isOpen,
    update,
    withdraw() {
      if (isOpen()) end(say("withdrawn"), "cancelled")
    },
    focus: () => frame.title.focus({ preventScroll: true }),
    close() {
      countdown?.stop()
      body.close()
    },
  }
}

function createFrame(event: StreamEvent, { say, heading }: Wording) {
  const id = newId("question")
  const [headline, rest] = headlineOf(event, say)
  const title = h(heading, { id, tabindex: -1, class: "title", part: "card-title" }, ...toNodes(toPieces(headline)))
  const left = h("p", { class: "left", part: "countdown" })
  const fields = h("div", { class: "body" })
  const row = h("div", { class: "buttons", part: "buttons" })
  const told = h("p", { class: "told", part: "card-status", role: "status" })
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
    agentOf(event, say),
    title,
    rest !== "" && restOf(rest, id),
    fields,
    h("div", { class: "foot" }, row, left),
    told,
  )
  return { element, title, left, fields, row, told }
}

function createBody(parts: CardBodyParts): CardBody {
  if (parts.event.mode === "url") return createUrlBody(parts)
  return createConfirmBody(parts) ?? createFormBody(parts)
}

/** The first line of the message is the title, unless it is long. */
function headlineOf({ message, context }: StreamEvent, say: Say): readonly [headline: string, rest: string] {
  const { providerName } = context
  if (typeof providerName === "string") return [say("needsPermission", { provider: providerName }), message]
  const [line = "", ...more] = message.split("\n")
  if (line.length <= longestTitle) return [line.replace(/:$/, ""), more.join("\n").trim()]
  return [say(context.trigger === "credential_required" ? "permission" : "question"), message]
}

const longestTitle = 160

/** What follows the headline: a sentence, or something to look at line by line, such as the arguments of a call. */
const restOf = (rest: string, id: string): HTMLElement =>
  /[\n{[]/.test(rest)
    ? h("div", { class: "details", part: "card-message", tabindex: 0, role: "region", "aria-labelledby": id }, rest)
    : h("p", { part: "card-message" }, rest)

/** Sub-agents are named on what they ask. */
const agentOf = ({ context }: StreamEvent, say: Say): Child =>
  context.agent !== undefined && h("p", { class: "asker", part: "card-agent" }, say("asks", { agent: context.agent }))

function problemsOf(error: unknown): readonly FieldProblem[] {
  const { problem } = error as { readonly problem?: { readonly problems?: unknown } }
  return Array.isArray(problem?.problems) ? (problem.problems as readonly FieldProblem[]) : []
}

const focusIn = (element: HTMLElement): Element | null => {
  const at = deepActiveElement()
  return at?.getRootNode() === element.getRootNode() ? at : null
}
