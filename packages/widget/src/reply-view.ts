// One reply of an agent on the page: its text, its tool calls and its questions, in the order of their events.

import type { ChatEvent } from "@holdpoint/client"
import type { StreamEvent } from "@holdpoint/hub/stream"
import { button, h } from "./dom.ts"
import type { QuestionCard } from "./question-card.ts"
import { createTextView, type TextView } from "./text-view.ts"
import type { Translate } from "./texts.ts"

export interface ReplyParts {
  readonly translate: Translate
  readonly createCard: (event: StreamEvent) => QuestionCard
  /** Called when an open question arrives. */
  readonly onQuestion: (event: StreamEvent, card: QuestionCard) => void
  /** Sends the message of this reply again. */
  readonly onRetry: () => void
}

export interface ReplyView {
  readonly element: HTMLElement
  show(event: ChatEvent): void
  isAsking(): boolean
  /** The tool call with this id, if the reply has one. */
  toolCall(toolCallId: string): ToolCall | undefined
  /** The agent's text so far, without formatting. */
  text(): string
  close(): void
}

type ToolCall = Extract<ChatEvent, { readonly type: "tool-call" }>
type EndStatus = Extract<ChatEvent, { readonly type: "end" }>["status"]

export function createReplyView(parts: ReplyParts): ReplyView {
  const { translate } = parts
  const body = h("div", { class: "reply-body" })
  const dots = h("span", { class: "dots", "aria-hidden": true })
  const working = h("p", { class: "working", part: "working" }, dots, translate("thinking"))
  const element = h("article", { class: "reply", part: "reply", "aria-label": translate("agent") }, body, working)
  const cards = new Map<string, QuestionCard>()
  const tools = new Map<string, ToolLine>()
  const calls = new Map<string, ToolCall>()
  const texts: string[] = []
  let text: TextView | undefined
  /** The nodes of the current step. `step-reset` removes them. */
  let step: HTMLElement[] = []
  let failure = ""

  const add = (node: HTMLElement): void => {
    text = undefined
    body.append(node)
    step.push(node)
  }
  const addText = (addition: string): void => {
    if (text === undefined) {
      const view = createTextView()
      add(view.element)
      text = view
    }
    text.add(addition)
    texts.push(addition)
  }
  const addTool = (call: ToolCall): void => {
    const line = createToolLine(translate, call.title ?? call.toolName)
    tools.set(call.toolCallId, line)
    calls.set(call.toolCallId, call)
    add(line.element)
  }
  const startStep = (): void => {
    step = []
    text = undefined
  }
  const showQuestion = (event: StreamEvent): void => {
    const existingCard = cards.get(event.elicitationId)
    if (existingCard !== undefined) {
      existingCard.update(event)
      return
    }
    const card = parts.createCard(event)
    cards.set(event.elicitationId, card)
    text = undefined
    body.append(card.element)
    if (event.type === "elicitation-request") parts.onQuestion(event, card)
  }
  const isAsking = (): boolean => [...cards.values()].some((card) => card.isOpen())
  const showEnd = (status: EndStatus): void => {
    const wasAsking = isAsking()
    for (const card of cards.values()) card.withdraw()
    working.remove()
    if (status === "stopped")
      body.append(h("p", { class: "note", part: "note" }, translate(wasAsking ? "stoppedAsking" : "stopped")))
    if (status === "failed") body.append(createFailure(translate, failure, parts.onRetry))
  }
  const handlers: {
    readonly [Type in ChatEvent["type"]]: (event: Extract<ChatEvent, { readonly type: Type }>) => void
  } = {
    text: (event) => addText(event.text),
    reasoning: () => {},
    "tool-call": addTool,
    "tool-result": ({ toolCallId }) => tools.get(toolCallId)?.set("toolDone"),
    "tool-error": ({ toolCallId, isDenied }) => tools.get(toolCallId)?.set(isDenied ? "toolDenied" : "toolFailed"),
    "elicitation-request": showQuestion,
    "elicitation-resolved": showQuestion,
    step: startStep,
    "step-reset"() {
      for (const node of step) node.remove()
      startStep()
    },
    error({ message }) {
      failure = message
    },
    end: ({ status }) => showEnd(status),
    unknown: () => {},
  }
  return {
    element,
    show(event) {
      const handler = handlers[event.type] as (event: ChatEvent) => void
      handler(event)
      working.hidden = isAsking()
    },
    isAsking,
    toolCall: (id) => calls.get(id),
    text: () => texts.join(""),
    close() {
      for (const card of cards.values()) card.close()
    },
  }
}

interface ToolLine {
  readonly element: HTMLElement
  set(state: "toolDone" | "toolFailed" | "toolDenied"): void
}

/** A tool call as one inconspicuous line. */
function createToolLine(translate: Translate, tool: string): ToolLine {
  const element = h(
    "p",
    { class: "tool", part: "tool", "data-state": "toolCalling" },
    translate("toolCalling", { tool }),
  )
  return {
    element,
    set(state) {
      element.textContent = translate(state, { tool })
      element.dataset.state = state
    },
  }
}

function createFailure(translate: Translate, message: string, onRetry: () => void): HTMLElement {
  const text = [translate("failed"), message].join(" ").trim()
  return createErrorNote(translate, text, onRetry)
}

/** An error message with a button to try again. */
export function createErrorNote(translate: Translate, text: string, onRetry: () => void): HTMLElement {
  const retryButton = button(translate("tryAgain"), () => {
    element.remove()
    onRetry()
  })
  const element = h("div", { class: "note error", part: "error", role: "alert" }, h("p", {}, text), retryButton)
  return element
}
