// The elements as programs in TypeScript see them: their properties, and the events that they send.

import type { StreamEvent, TimelineItem } from "@holdpoint/sdk/stream"
import type { AnswerQuestion } from "./question.ts"
import type { WidgetTexts } from "./texts/en.ts"

/** What proves the person to a server of another origin. */
type Token = string | (() => string | Promise<string>)

/** `<holdpoint-chat>` */
export interface ChatElement extends HTMLElement {
  token?: Token
  /** Own words in place of those of the language. */
  texts?: Partial<WidgetTexts>
  /** Messages that can be pressed instead of written. */
  suggestions?: readonly string[]
}

/** `<holdpoint-question>` */
export interface QuestionElement extends HTMLElement {
  /** The event of the stream that tells of the question; a later one about the same question changes the card. */
  question?: StreamEvent
  /** How the answer is sent. Without it, to `server` in the conversation of the attribute `conversation`. */
  answer?: AnswerQuestion
  token?: Token
  texts?: Partial<WidgetTexts>
}

/** `<holdpoint-timeline>` */
export interface TimelineElement extends HTMLElement {
  /** The steps to show, in place of those of the conversation. */
  items?: readonly TimelineItem[]
  token?: Token
  texts?: Partial<WidgetTexts>
}

/** The events of the elements, with what their `detail` has. They bubble, and cross shadow roots. */
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
