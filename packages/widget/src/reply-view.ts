// One reply of an agent on the page: what it says, the tools it calls, and the questions that it waits for, in their order.

import type { ChatEvent } from "@holdpoint/sdk/client"
import type { StreamEvent } from "@holdpoint/sdk/stream"
import { button, h } from "./dom.ts"
import type { QuestionCard } from "./question-card.ts"
import { createTextView, type TextView } from "./text-view.ts"
import type { Say } from "./texts.ts"

export interface ReplyParts {
  readonly say: Say
  readonly createCard: (event: StreamEvent) => QuestionCard
  /** Called when a question arrives that is open. */
  readonly onQuestion: (event: StreamEvent, card: QuestionCard) => void
  /** Sends the same message again. */
  readonly onAgain: () => void
}

export interface ReplyView {
  readonly element: HTMLElement
  show(event: ChatEvent): void
  isAsking(): boolean
  /** The call of a tool in this reply. */
  toolCall(toolCallId: string): ToolCall | undefined
  /** What the agent has said, as plain text. */
  text(): string
  close(): void
}

type ToolCall = Extract<ChatEvent, { readonly type: "tool-call" }>
type EndStatus = Extract<ChatEvent, { readonly type: "end" }>["status"]

export function createReplyView(parts: ReplyParts): ReplyView {
  const { say } = parts
  const body = h("div", { class: "reply-body" })
  const dots = h("span", { class: "dots", "aria-hidden": true })
  const working = h("p", { class: "working", part: "working" }, dots, say("thinking"))
  const element = h("article", { class: "reply", part: "reply", "aria-label": say("agent") }, body, working)
  const cards = new Map<string, QuestionCard>()
  const tools = new Map<string, ToolLine>()
  const calls = new Map<string, ToolCall>()
  const texts: string[] = []
  let text: TextView | undefined
  /** The nodes of the current step, which begins again after `step-reset`. */
  let step: HTMLElement[] = []
  let failure = ""

  const add = (node: HTMLElement): void => {
    text = undefined
    body.append(node)
    step.push(node)
  }
  const addText = (more: string): void => {
    if (text === undefined) {
      const made = createTextView()
      add(made.element)
      text = made
    }
    text.add(more)
    texts.push(more)
  }
  const addTool = (call: ToolCall): void => {
    const line = createToolLine(say, call.title ?? call.toolName)
    tools.set(call.toolCallId, line)
    calls.set(call.toolCallId, call)
    add(line.element)
  }
  const startStep = (): void => {
    step = []
    text = undefined
  }
  const showQuestion = (event: StreamEvent): void => {
    const known = cards.get(event.elicitationId)
    if (known !== undefined) {
      known.update(event)
      return
    }
    const card = parts.createCard(event)
    cards.set(event.elicitationId, card)
    text = undefined
    body.append(card.element)
    if (event.type === "elicitation-request") parts.onQuestion(event, card)
  }
  const isAsking = (): boolean => [...cards.values()].some((card) => card.isOpen())
  const end = (status: EndStatus): void => {
    const wasAsking = isAsking()
    for (const card of cards.values()) card.withdraw()
    working.remove()
    if (status === "stopped")
      body.append(h("p", { class: "note", part: "note" }, say(wasAsking ? "stoppedAsking" : "stopped")))
    if (status === "failed") body.append(createFailure(say, failure, parts.onAgain))
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
    end: ({ status }) => end(status),
    unknown: () => {},
  }
  return {
    element,
    show(event) {
      const handle = handlers[event.type] as (event: ChatEvent) => void
      handle(event)
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

/** A call of a tool, quietly, as one line. */
function createToolLine(say: Say, tool: string): ToolLine {
  const element = h("p", { class: "tool", part: "tool", "data-state": "toolCalling" }, say("toolCalling", { tool }))
  return {
    element,
    set(state) {
      element.textContent = say(state, { tool })
      element.dataset.state = state
    },
  }
}

function createFailure(say: Say, message: string, onAgain: () => void): HTMLElement {
  const words = [say("failed"), message].join(" ").trim()
  return createErrorNote(say, words, onAgain)
}

/** An error in words, with a way to go on. */
export function createErrorNote(say: Say, words: string, onAgain: () => void): HTMLElement {
  const again = button(say("tryAgain"), () => {
    element.remove()
    onAgain()
  })
  const element = h("div", { class: "note error", part: "error", role: "alert" }, h("p", {}, words), again)
  return element
}
