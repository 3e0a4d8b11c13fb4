// What is written down of one reply in Slack. A process that has lost the reply to another one cannot write: it throws
// `lostReply`, and nothing more is sent.

import type { Records } from "@holdpoint/sdk/storage"
import type { PendingCall, SentMessage, SlackReply } from "./records.ts"

export interface SentMessages {
  readonly reply: SlackReply
  /** The stream that is open. */
  readonly open: SentMessage | undefined
  /** How many characters of the text are in Slack. */
  readonly sent: number
  note(change: Partial<SlackReply>): Promise<void>
  /** Writes down the messages; no call is pending any more. */
  settle(messages: readonly SentMessage[], chunk?: number): Promise<void>
  /** The messages, with another last one. */
  withLast(last: SentMessage): readonly SentMessage[]
  /** Whether a message is written down as one of this reply, by any process. */
  isKnown(ts: string): Promise<boolean>
  /** The pending call was not made. It need not be written down: the next note says so. */
  forgetPending(): void
}

/** Thrown when another process has the reply. */
export const lostReply = new Error("Another process has taken over the reply.")

export function createSentMessages(
  records: Pick<Records<SlackReply>, "replace" | "get">,
  first: SlackReply,
): SentMessages {
  let reply = first
  const note = async (change: Partial<SlackReply>): Promise<void> => {
    const next = { ...reply, ...change, version: reply.version + 1 }
    if (!(await records.replace(next))) throw lostReply
    reply = next
  }
  const forgetPending = (): void => {
    const { pending: _pending, ...rest } = reply
    reply = rest
  }
  return {
    get reply() {
      return reply
    },
    get open() {
      return reply.messages.find(({ isOpen }) => isOpen)
    },
    get sent() {
      return reply.messages.at(-1)?.to ?? 0
    },
    note,
    settle(messages, chunk = reply.chunk) {
      forgetPending()
      return note({ messages, chunk })
    },
    withLast: (last) => [...reply.messages.slice(0, -1), last],
    isKnown: async (ts) => (await records.get(first.id))?.messages.some((message) => message.ts === ts) === true,
    forgetPending,
  }
}

/** What came of a call: `later` says when to try again, `hopeless` that Slack takes no message here. */
export type Attempt =
  | { readonly is: "done" }
  | { readonly is: "later"; readonly afterMs: number }
  /** It is unknown whether it was done: `settle` finds out. */
  | { readonly is: "unsure" }
  | { readonly is: "hopeless"; readonly code: string }

export const done: Attempt = { is: "done" }

/** The reply's text when something is sent. */
export interface Shown {
  readonly text: string
  /** The number of the last chunk in it. */
  readonly chunk: number
}

export type Act = PendingCall["act"]
