// The stored record of one reply in Slack, for the process that owns the reply. Each update checks the version: a
// process that has lost the reply to another process gets `lostReply`, and sends nothing more.

import type { Records } from "@holdpoint/hub/storage"
import type { PendingCall, SentMessage, SlackReply } from "./records.ts"

export interface SentMessages {
  readonly reply: SlackReply
  /** The open stream, if there is one. */
  readonly open: SentMessage | undefined
  /** How many characters of the text are already in Slack. */
  readonly sent: number
  /** Stores the changed fields. Throws `lostReply` when another process owns the reply. */
  update(change: Partial<SlackReply>): Promise<void>
  /** Stores the messages and clears the pending call. */
  setMessages(messages: readonly SentMessage[], chunk?: number): Promise<void>
  /** The messages, with the last one replaced. */
  withLast(last: SentMessage): readonly SentMessage[]
  /** Whether any process has recorded this message as a part of the reply. */
  isRecorded(ts: string): Promise<boolean>
  /** Clears the pending call, which had no effect. The next update stores this. */
  clearPending(): void
}

/** Thrown when another process has taken over the reply. */
export const lostReply = new Error("Another process has taken over the reply.")

export function createSentMessages(
  records: Pick<Records<SlackReply>, "replace" | "get">,
  first: SlackReply,
): SentMessages {
  let reply = first
  const update = async (change: Partial<SlackReply>): Promise<void> => {
    const next = { ...reply, ...change, version: reply.version + 1 }
    if (!(await records.replace(next))) throw lostReply
    reply = next
  }
  const clearPending = (): void => {
    const { pending: _pending, ...withoutPending } = reply
    reply = withoutPending
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
    update,
    setMessages(messages, chunk = reply.chunk) {
      clearPending()
      return update({ messages, chunk })
    },
    withLast: (last) => [...reply.messages.slice(0, -1), last],
    isRecorded: async (ts) => (await records.get(first.id))?.messages.some((message) => message.ts === ts) === true,
    clearPending,
  }
}

/** The result of a call. `later`: retry after a delay. `hopeless`: Slack refused the call, and a retry is useless. */
export type Attempt =
  | { readonly kind: "done" }
  | { readonly kind: "later"; readonly afterMs: number }
  /** The connection was lost, so the call may or may not have had an effect: `settle` finds out. */
  | { readonly kind: "unsure" }
  | { readonly kind: "hopeless"; readonly code: string }

export const doneAttempt: Attempt = { kind: "done" }

/** The text of the reply at the moment of a call. */
export interface ReplySnapshot {
  readonly text: string
  /** The number of the last chunk in the text. */
  readonly chunk: number
}

export type Act = PendingCall["act"]
