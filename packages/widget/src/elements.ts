// The TypeScript types of the elements: their properties, and the events that they dispatch.

import type { StreamEvent, TimelineItem } from "@holdpoint/hub/stream"
import type { AnswerQuestion } from "./question.ts"
import type { WidgetTexts } from "./texts/en.ts"

/** The bearer token that identifies the person to a server of another origin, or a function that returns it. */
type Token = string | (() => string | Promise<string>)

/** The element `<holdpoint-chat>`, a conversation with an agent. */
export interface ChatElement extends HTMLElement {
  token?: Token
  /** Texts that replace those of the element's language. */
  texts?: Partial<WidgetTexts>
  /** Messages that the person can send by pressing a button. */
  suggestions?: readonly string[]
}

/** The element `<holdpoint-question>`, one question as a card. */
export interface QuestionElement extends HTMLElement {
  /** The stream's event about the question. A later event about the same question updates the card. */
  question?: StreamEvent
  /** Sends the answer. Default: sends it to `server`, for the conversation in the attribute `conversation`. */
  answer?: AnswerQuestion
  token?: Token
  texts?: Partial<WidgetTexts>
}

/** The element `<holdpoint-timeline>`, the steps behind a conversation. */
export interface TimelineElement extends HTMLElement {
  /** The steps to show. Default: the steps of the conversation. */
  items?: readonly TimelineItem[]
  token?: Token
  texts?: Partial<WidgetTexts>
}

/** The events of the elements, with the type of their `detail`. They bubble, and cross shadow roots. */
export interface WidgetEvents {
  "holdpoint-question": CustomEvent<{ readonly conversationId: string; readonly question: StreamEvent }>
  "holdpoint-answer": CustomEvent<{
    readonly conversationId: string
    readonly elicitationId: string
    readonly action: "accept" | "decline" | "cancel"
  }>
  "holdpoint-tool": CustomEvent<{
    readonly conversationId: string
    readonly toolName: string
    readonly input: unknown
    readonly output: unknown
  }>
  "holdpoint-end": CustomEvent<{ readonly conversationId: string; readonly status: "done" | "failed" | "stopped" }>
  "holdpoint-signed-in": CustomEvent<Readonly<Record<string, never>>>
}

declare global {
  interface HTMLElementTagNameMap {
    "holdpoint-chat": ChatElement
    "holdpoint-question": QuestionElement
    "holdpoint-timeline": TimelineElement
  }
  interface HTMLElementEventMap extends WidgetEvents {}
}
