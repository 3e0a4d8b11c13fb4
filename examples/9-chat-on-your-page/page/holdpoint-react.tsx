// The widget's elements as React components, for React 19: a thin layer with types for attributes, properties and events.
// Copy it into your app.

import "@holdpoint/widget"
import type { ChatElement, QuestionElement, WidgetEvents } from "@holdpoint/widget"
import { createElement, type ReactNode } from "react"

type Listener<Name extends keyof WidgetEvents> = (detail: WidgetEvents[Name]["detail"]) => void

export interface HoldpointChatProps extends Partial<Pick<ChatElement, "lang" | "suggestions" | "texts" | "token">> {
  /** The address of Holdpoint. Default: the origin of the page. */
  readonly server?: string
  readonly agent?: string
  readonly conversation?: string
  /** The address at your own server that gives a token. */
  readonly tokenUrl?: string
  readonly onQuestion?: Listener<"holdpoint-question">
  readonly onAnswer?: Listener<"holdpoint-answer">
  readonly onTool?: Listener<"holdpoint-tool">
  readonly onEnd?: Listener<"holdpoint-end">
}

export function HoldpointChat(props: HoldpointChatProps): ReactNode {
  const { tokenUrl, onQuestion, onAnswer, onTool, onEnd, ...rest } = props
  return createElement<Record<string, unknown>>("holdpoint-chat", {
    ...rest,
    "token-url": tokenUrl,
    "onholdpoint-question": listener(onQuestion),
    "onholdpoint-answer": listener(onAnswer),
    "onholdpoint-tool": listener(onTool),
    "onholdpoint-end": listener(onEnd),
  })
}

/** `question` is the `data` of a part `data-elicitation`; `answer` sends the answer, and rejects when it was refused. */
export interface HoldpointQuestionProps
  extends Required<Pick<QuestionElement, "question" | "answer">>,
    Partial<Pick<QuestionElement, "lang" | "texts">> {
  readonly onAnswer?: Listener<"holdpoint-answer">
}

export function HoldpointQuestion({ onAnswer, ...rest }: HoldpointQuestionProps): ReactNode {
  return createElement<Record<string, unknown>>("holdpoint-question", {
    ...rest,
    "onholdpoint-answer": listener(onAnswer),
  })
}

/** React listens for the event of that name with what a custom element has as `on…`. */
const listener =
  <Detail,>(tell: ((detail: Detail) => void) | undefined) =>
  (event: CustomEvent<Detail>): void =>
    tell?.(event.detail)
