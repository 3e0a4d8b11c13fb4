// The chat as a React component, for React 19: a thin layer that has types for attributes, properties and
// events. Copy it into your app.

import "@holdpoint/widget"
import type { StreamEvent } from "@holdpoint/sdk/stream"
import type { WidgetTexts } from "@holdpoint/widget"
import { createElement, type ReactNode } from "react"

export interface HoldpointChatProps {
  /** The address of Holdpoint. Default: the origin of the page. */
  readonly server?: string
  readonly agent?: string
  readonly conversation?: string
  /** The address at your own server that gives a token. */
  readonly tokenUrl?: string
  readonly token?: string | (() => string | Promise<string>)
  readonly lang?: string
  readonly texts?: Partial<WidgetTexts>
  readonly className?: string
  readonly onQuestion?: (detail: { readonly conversationId: string; readonly question: StreamEvent }) => void
  readonly onAnswer?: (detail: AnswerDetail) => void
  readonly onTool?: (detail: ToolDetail) => void
  readonly onEnd?: (detail: { readonly conversationId: string; readonly status: string }) => void
}

export interface AnswerDetail {
  readonly conversationId: string
  readonly elicitationId: string
  readonly action: "accept" | "decline" | "cancel"
}

export interface ToolDetail {
  readonly toolName: string
  readonly input: unknown
  readonly output: unknown
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

/** React adds what a property `on…` of a custom element has as a listener for the event of that name. */
const listener =
  <Detail,>(tell: ((detail: Detail) => void) | undefined) =>
  (event: CustomEvent<Detail>): void =>
    tell?.(event.detail)
