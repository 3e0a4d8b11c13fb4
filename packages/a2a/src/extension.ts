// The A2A extension by which agents ask people with a form or a link: the shapes of its data parts in messages. The
// shapes are a public contract, described in docs/a2a-extension.md: members may be added, never changed or removed.

import type { StreamEvent } from "@holdpoint/hub/stream"

/**
 * The URI of the extension. Agent cards declare it, the header `A2A-Extensions` requests it, and messages with its data
 * parts name it.
 */
export const elicitationExtension = "https://github.com/holdpoint/holdpoint/a2a/elicitation/v1"

/** A question, or the end of a question, as the data part that the agent sends. Chat streams send the same event. */
export type A2aQuestion = StreamEvent

/** The answer to a question, as the data part of a message with the task's id. */
export interface A2aAnswer {
  readonly type: "elicitation-response"
  readonly elicitationId: string
  readonly action: "accept" | "decline" | "cancel"
  /** The values of the form's fields, when the action is `accept`. */
  readonly content?: Readonly<Record<string, unknown>>
  /** The reason why the question is declined, in the person's words. */
  readonly reason?: string
}
