// Reconciles the messages in Slack with the text of the reply: after a call with an unknown result, because the
// connection was lost or the process died, and after the reset of a step whose text was already sent. Its calls can be
// repeated.

import { wholeMessage } from "./message-parts.ts"
import type { Json, SlackWorkspace } from "./port.ts"
import type { PendingCall, SentMessage, SlackReply } from "./records.ts"
import { call, replyEvent } from "./sender.ts"
import { type Attempt, doneAttempt, type ReplySnapshot, type SentMessages } from "./sent-messages.ts"

export interface SettleInput {
  /** The current text. */
  readonly snapshot: ReplySnapshot
  /** The text when the pending call was made. */
  readonly sentText: string
  /** How many characters at the beginning of the text have not changed since the pending call. */
  readonly unchangedLength: number
}

export async function settle(
  { messages, workspace }: { readonly messages: SentMessages; readonly workspace: SlackWorkspace },
  { snapshot, sentText, unchangedLength }: SettleInput,
): Promise<Attempt> {
  const { reply } = messages
  const { pending } = reply
  const current = await withPending({ messages, workspace }, sentText)
  if ("attempt" in current) return current.attempt
  const last = current.all.length - 1
  // A posted message is complete if it exists. How much of a pending call a streamed message contains is unknown.
  const isUnsure = (index: number): boolean => pending !== undefined && pending.act !== "post" && index === last
  const correctMessages: SentMessage[] = []
  for (const [index, message] of current.all.entries()) {
    if (message.to <= unchangedLength && !isUnsure(index)) {
      correctMessages.push(message)
      continue
    }
    const to = Math.max(message.from, Math.min(message.to, unchangedLength))
    const attempt = await rewrite({ reply, workspace }, { ...message, to }, snapshot.text)
    if (attempt.kind !== "done") return attempt
    if (to > message.from) correctMessages.push({ ...message, to, isOpen: false })
  }
  await messages.setMessages(correctMessages, snapshot.chunk)
  return doneAttempt
}

/** All messages of the reply in Slack, including the message of the pending call if it exists. */
async function withPending(
  { messages, workspace }: { readonly messages: SentMessages; readonly workspace: SlackWorkspace },
  sentText: string,
): Promise<{ readonly all: readonly SentMessage[] } | { readonly attempt: Attempt }> {
  const { reply, open } = messages
  const { pending } = reply
  if (pending === undefined) return { all: reply.messages }
  if (open !== undefined) return { all: messages.withLast({ ...open, to: pending.to }) }
  const search = await findMessage({ reply, workspace }, { ...pending, text: wholeMessage(sentText, pending) })
  if ("attempt" in search) return search
  if (search.ts === undefined) return { all: reply.messages }
  const { from, to, act } = pending
  return { all: [...reply.messages, { ts: search.ts, from, to, isOpen: act === "start" }] }
}

interface ReplyParts {
  readonly reply: SlackReply
  readonly workspace: SlackWorkspace
}

/** Replaces the content of a message with its part of the text. Deletes the message when this part is empty. */
async function rewrite(
  { reply: { channel }, workspace }: ReplyParts,
  message: SentMessage,
  text: string,
): Promise<Attempt> {
  const { ts, isOpen } = message
  // A refusal counts as done: the stream has already ended, or the message was deleted.
  const repeat = async (method: string, args: Json): Promise<Attempt> => {
    const result = await call(workspace, method, { channel, ts, ...args })
    return "answer" in result || result.attempt.kind === "hopeless" ? doneAttempt : result.attempt
  }
  const stopped = isOpen ? await repeat("chat.stopStream", {}) : doneAttempt
  if (stopped.kind !== "done") return stopped
  const markdown_text = wholeMessage(text, message)
  return markdown_text.trim() === "" ? repeat("chat.delete", {}) : repeat("chat.update", { markdown_text })
}

type FoundMessage = { readonly ts: string | undefined } | { readonly attempt: Attempt }

/**
 * Finds the message of a call with an unknown result. A posted message is recognised by its metadata. A stream has no
 * metadata until it ends: it is an unrecorded message of the app in this thread with the same text.
 */
async function findMessage(
  { reply, workspace }: ReplyParts,
  pending: PendingCall & { readonly text: string },
): Promise<FoundMessage> {
  const { channel, thread, messages } = reply
  const recordedIds = new Set(messages.map(({ ts }) => ts))
  let cursor: string | undefined
  do {
    const result = await call(workspace, "conversations.replies", {
      ...{ channel, ts: thread, limit: 200, include_all_metadata: true },
      ...(cursor === undefined ? {} : { cursor }),
    })
    if ("attempt" in result) return result
    const { messages: page, response_metadata: next } = result.answer
    for (const message of Array.isArray(page) ? (page as readonly Json[]) : []) {
      if (typeof message.ts !== "string" || recordedIds.has(message.ts) || message.user !== workspace.botUser) continue
      if (isMessageOf(message, reply, pending)) return { ts: message.ts }
    }
    const { next_cursor: nextCursor } = (next ?? {}) as Json
    cursor = typeof nextCursor === "string" && nextCursor !== "" ? nextCursor : undefined
  } while (cursor !== undefined)
  return { ts: undefined }
}

function isMessageOf(
  { metadata, text: sentText }: Json,
  { id }: SlackReply,
  { act, from, text }: PendingCall & { readonly text: string },
): boolean {
  const { event_type: type, event_payload: payload } = (metadata ?? {}) as Json
  if (act === "start")
    return type === undefined && typeof sentText === "string" && lettersOf(sentText) === lettersOf(text)
  const { reply, from: sentFrom } = (payload ?? {}) as Json
  return type === replyEvent && reply === id && Number(sentFrom) === from
}

/** The letters and digits of a text, which stay the same when Slack converts Markdown to its own markup. */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "")
