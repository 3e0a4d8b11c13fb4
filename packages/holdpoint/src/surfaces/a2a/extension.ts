// The A2A extension by which agents ask people with a form or a link: the shapes of its data parts in messages. The
// shapes are a public contract, described in docs/a2a-extension.md: members may be added, never changed or removed.

import type { StreamEvent } from "../../core/stream-event.ts"

/** Declared in agent cards, requested by `A2A-Extensions`, and named in the messages that contain its data parts. */
export const elicitationExtension = "https://github.com/holdpoint/holdpoint/a2a/elicitation/v1"

/** A question, or its end, as the agent sends it. The same event as in chat streams. */
export type A2aQuestion = StreamEvent

/** The answer to a question, as the data part of a message with the task's id. */
export interface A2aAnswer {
  readonly type: "elicitation-response"
  readonly elicitationId: string
  readonly action: "accept" | "decline" | "cancel"
  /** The answers, for a form that is accepted. */
  readonly content?: Readonly<Record<string, unknown>>
  /** The reason why the question is declined, in the person's words. */
  readonly reason?: string
}
