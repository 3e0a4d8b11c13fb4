// One question as a card: what is asked, by which agent, until when, and how it ended. What a person fills in or presses
// is the body of the card, one for each kind of question.

import type { AnsweredQuestion } from "@holdpoint/sdk/client"
import type { StreamEvent } from "@holdpoint/sdk/stream"
import { createConfirmBody } from "./confirm-body.ts"
import { type Countdown, startCountdown } from "./countdown.ts"
import { type Child, h, newId } from "./dom.ts"
import { endingWords } from "./endings.ts"
import { createFormBody } from "./form-body.ts"
import { toPieces } from "./rich-text.ts"
import { toNodes } from "./text-view.ts"
import type { Say } from "./texts.ts"
import { createUrlBody } from "./url-body.ts"

/** The person's answer to the card's question. */
export interface CardAnswer {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: Readonly<Record<string, unknown>>
  /** Why not, in the person's words. */
  readonly reason?: string
}

export interface CardParts {
  readonly say: Say
  readonly language: string
  /** The server's clock. */
  readonly now: () => number
  /** The server that asks, whose inbox has the question too. */
  readonly server: string
  readonly answer: (answer: CardAnswer) => Promise<AnsweredQuestion>
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
export interface CardBodyParts extends CardParts {
  readonly event: StreamEvent
  /** Sends the answer, and resolves with whether the server took it. `chosen` is the button's text. */
  readonly give: (answer: CardAnswer, chosen?: string) => Promise<boolean>
  readonly tell: (...words: readonly Child[]) => void
  /** The problems of the last answer, by field. */
  readonly problems: () => readonly FieldProblem[]
}

export interface FieldProblem {
  readonly path?: string
  readonly message: string
}

export interface CardBody {
  /** Stands above the buttons. */
  readonly fields: readonly Node[]
  readonly buttons: readonly HTMLElement[]
  /** Shows what the server found wrong. */
  refuse(): void
  close(): void
}

export function createQuestionCard(first: StreamEvent, parts: CardParts): QuestionCard {
  const { say } = parts
  let event = first
  let chosen: string | undefined
  let problems: readonly FieldProblem[] = []
  const id = newId("question")
  const [headline, rest] = headlineOf(first, say)
  const title = h("h3", { id, tabindex: -1, class: "title", part: "card-title" }, ...toNodes(toPieces(headline)))
  const left = h("p", { class: "left", part: "countdown" })
  const fields = h("div", { class: "fields" })
  const row = h("div", { class: "buttons", part: "buttons" })
  const told = h("p", { class: "told", part: "card-status" })
  const element = h(
    "section",
    { class: "card", part: "card", role: "group", "aria-labelledby": id },
    agentOf(first, say),
    title,
    rest === "" ? undefined : h("pre", { class: "details", part: "card-message", tabindex: 0 }, rest),
    fields,
    row,
    told,
    left,
  )
  let countdown: Countdown | undefined
  const tell = (...words: readonly Child[]): void =>
    told.replaceChildren(...words.filter((one) => one !== undefined && one !== false))
  const setState = (state: string): void => {
    element.dataset.state = state
  }
  const end = (words: string, state: string): void => {
    countdown?.stop()
    body.close()
    left.textContent = ""
    tell()
    // The outcome takes the row of the buttons, so that nothing below moves.
    row.replaceChildren(h("p", { class: "ending" }, words))
    if (chosen !== undefined) fields.replaceChildren()
    else fields.inert = true
    setState(state)
    parts.announce(words)
  }
  const give: CardBodyParts["give"] = async (answer, words) => {
    if (element.dataset.state === "sending") return false
    setState("sending")
    tell(say("sending"))
    try {
      await parts.answer(answer)
      chosen = words ?? chosen
      tell()
      setState("open")
      return true
    } catch (error) {
      problems = problemsOf(error)
      setState("open")
      tell(say("notAnswered", { why: error instanceof Error ? error.message : String(error) }))
      body.refuse()
      return false
    }
  }
  const bodyParts: CardBodyParts = { ...parts, event: first, give, tell, problems: () => problems }
  const body = createBody(bodyParts)
  const isOpen = (): boolean => event.type === "elicitation-request" && element.dataset.state !== "expired"
  const update = (next: StreamEvent): void => {
    event = next
    if (next.type === "elicitation-request") return
    end(endingWords(next, say, chosen), next.status)
  }
  setState("open")
  if (first.type === "elicitation-resolved") update(first)
  else {
    fields.append(...body.fields)
    row.append(...body.buttons)
    countdown = startCountdown({
      ...{ say, language: parts.language, now: parts.now, expiresAt: Date.parse(first.expiresAt) },
      show(words, isLastMinute) {
        left.textContent = words
        left.classList.toggle("soon", isLastMinute)
      },
      onLastMinute: () => parts.announce(say("lastMinute")),
      onExpired: () => end(say("expired"), "expired"),
    })
  }
  return {
    element,
    isOpen,
    update,
    withdraw() {
      if (isOpen()) end(say("cancelled"), "cancelled")
    },
    focus: () => title.focus({ preventScroll: true }),
    close() {
      countdown?.stop()
      body.close()
    },
  }
}

function createBody(parts: CardBodyParts): CardBody {
  const { event } = parts
  if (event.mode === "url") return createUrlBody(parts)
  return createConfirmBody(parts) ?? createFormBody(parts)
}

/** The first line of the message is the title, unless it is long. */
function headlineOf({ message, context }: StreamEvent, say: Say): readonly [headline: string, rest: string] {
  const [line = "", ...more] = message.split("\n")
  if (line.length <= longestTitle) return [line.replace(/:$/, ""), more.join("\n").trim()]
  return [say(context.trigger === "credential_required" ? "permission" : "question"), message]
}

const longestTitle = 160

/** Sub-agents are named on what they ask. */
const agentOf = ({ context }: StreamEvent, say: Say): Child =>
  context.agent === undefined
    ? undefined
    : h("p", { class: "asker", part: "card-agent" }, say("asks", { agent: context.agent }))

function problemsOf(error: unknown): readonly FieldProblem[] {
  const { problem } = error as { readonly problem?: { readonly problems?: unknown } }
  return Array.isArray(problem?.problems) ? (problem.problems as readonly FieldProblem[]) : []
}
