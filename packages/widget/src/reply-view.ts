// One reply of an agent on the page: what it says, the tools it calls, and the questions that it waits for, in their order.

import type { ChatEvent } from "@holdpoint/sdk/client"
import type { StreamEvent } from "@holdpoint/sdk/stream"
import { h } from "./dom.ts"
import type { QuestionCard } from "./question-card.ts"
import { createTextView, type TextView } from "./text-view.ts"
import type { Say } from "./texts.ts"

export interface ReplyParts {
  readonly say: Say
  /** Makes the card of a question. */
  readonly createCard: (event: StreamEvent) => QuestionCard
  /** Called when a question arrives that is open. */
  readonly onQuestion: (event: StreamEvent, card: QuestionCard) => void
  /** Called when a question has ended. */
  readonly onEnded: (event: StreamEvent) => void
}

export interface ReplyView {
  readonly element: HTMLElement
  show(event: ChatEvent): void
  /** Begins from nothing, before the reply is repeated. */
  reset(): void
  /** How many questions wait for an answer. */
  openQuestions(): number
  /** What the agent has said, as plain text. */
  text(): string
  close(): void
}

export function createReplyView(parts: ReplyParts): ReplyView {
  const { say } = parts
  const body = h("div", { class: "reply-body" })
  const working = h(
    "p",
    { class: "working", part: "working" },
    h("span", { class: "dots", "aria-hidden": true }),
    say("thinking"),
  )
  const element = h("article", { class: "reply", part: "reply", "aria-label": say("agent") }, body, working)
  const cards = new Map<string, QuestionCard>()
  const tools = new Map<string, { readonly line: HTMLElement; readonly name: string }>()
  let text: TextView | undefined
  let all = ""
  /** The nodes of the current step, which is repeated after `step-reset`. */
  let step: HTMLElement[] = []

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
    all += more
  }
  const setTool = (id: string, state: "toolDone" | "toolFailed" | "toolDenied"): void => {
    const tool = tools.get(id)
    if (tool === undefined) return
    tool.line.textContent = say(state, { tool: tool.name })
    tool.line.dataset.state = state
  }
  const showQuestion = (event: StreamEvent): void => {
    const known = cards.get(event.elicitationId)
    if (known !== undefined) {
      known.update(event)
      if (event.type === "elicitation-resolved") parts.onEnded(event)
      return
    }
    const card = parts.createCard(event)
    cards.set(event.elicitationId, card)
    text = undefined
    body.append(card.element)
    if (event.type === "elicitation-request") parts.onQuestion(event, card)
  }
  const isWaiting = (): boolean => [...cards.values()].some((card) => card.isOpen())
  const end = (status: "done" | "failed" | "stopped"): void => {
    working.remove()
    const withdrawn = [...cards.values()].filter((card) => card.isOpen())
    for (const card of withdrawn) card.withdraw()
    if (status === "stopped") body.append(h("p", { class: "note", part: "note" }, say("stopped")))
    if (status === "failed" && body.querySelector(".error") === null) body.append(errorLine(say("failed")))
  }
  const errorLine = (words: string): HTMLElement => h("p", { class: "note error", part: "error" }, words)

  const show = (event: ChatEvent): void => {
    switch (event.type) {
      case "text":
        addText(event.text)
        break
      case "step":
        step = []
        text = undefined
        break
      case "step-reset":
        for (const node of step) node.remove()
        step = []
        text = undefined
        break
      case "tool-call": {
        const line = h("p", { class: "tool", part: "tool" }, say("toolCalling", { tool: event.toolName }))
        tools.set(event.toolCallId, { line, name: event.toolName })
        add(line)
        break
      }
      case "tool-result":
        setTool(event.toolCallId, "toolDone")
        break
      case "tool-error":
        setTool(event.toolCallId, event.isDenied ? "toolDenied" : "toolFailed")
        break
      case "elicitation-request":
      case "elicitation-resolved":
        showQuestion(event)
        break
      case "error":
        body.append(errorLine(event.message || say("failed")))
        break
      case "end":
        end(event.status)
        break
      case "reasoning":
      case "unknown":
        break
    }
    working.hidden = isWaiting()
  }
  const reset = (): void => {
    for (const card of cards.values()) card.close()
    cards.clear()
    tools.clear()
    body.replaceChildren()
    element.append(working)
    text = undefined
    all = ""
    step = []
  }
  return {
    element,
    show,
    reset,
    openQuestions: () => [...cards.values()].filter((card) => card.isOpen()).length,
    text: () => all,
    close() {
      for (const card of cards.values()) card.close()
    },
  }
}
