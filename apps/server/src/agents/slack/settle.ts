// Puts the messages of a reply right: after a call of which it is unknown whether it was made, because the connection was
// lost or the process died, and when the run has dropped a step of which Slack shows something. All calls may be repeated.

import { wholeMessage } from "./message-parts.ts"
import type { Json, SlackWorkspace } from "./port.ts"
import type { PendingCall, SentMessage, SlackReply } from "./records.ts"
import { call, replyEvent } from "./sender.ts"
import { type Attempt, done, type SentMessages, type Shown } from "./sent-messages.ts"

export interface Settling {
  /** The text now. */
  readonly shown: Shown
  /** The text when the pending call was made. */
  readonly before: string
  /** How many characters of the text are as they were then. */
  readonly unchanged: number
}

export async function settle(
  { messages, workspace }: { readonly messages: SentMessages; readonly workspace: SlackWorkspace },
  { shown, before, unchanged }: Settling,
): Promise<Attempt> {
  const { reply } = messages
  const { pending } = reply
  const found = await withPending({ messages, workspace }, before)
  if ("attempt" in found) return found.attempt
  const last = found.all.length - 1
  // A message that was posted at once is complete, if it is there.
  const isUnsure = (index: number): boolean => pending !== undefined && pending.act !== "post" && index === last
  const kept: SentMessage[] = []
  for (const [index, message] of found.all.entries()) {
    if (message.to <= unchanged && !isUnsure(index)) {
      kept.push(message)
      continue
    }
    const to = Math.max(message.from, Math.min(message.to, unchanged))
    const attempt = await rewrite({ reply, workspace }, { ...message, to }, shown.text)
    if (attempt.is !== "done") return attempt
    if (to > message.from) kept.push({ ...message, to, isOpen: false })
  }
  await messages.settle(kept, shown.chunk)
  return done
}

/** All messages that are in Slack, with that of the pending call. */
async function withPending(
  { messages, workspace }: { readonly messages: SentMessages; readonly workspace: SlackWorkspace },
  before: string,
): Promise<{ readonly all: readonly SentMessage[] } | { readonly attempt: Attempt }> {
  const { reply, open } = messages
  const { pending } = reply
  if (pending === undefined) return { all: reply.messages }
  if (open !== undefined) return { all: messages.withLast({ ...open, to: pending.to }) }
  const found = await findMessage({ reply, workspace }, { ...pending, text: wholeMessage(before, pending) })
  if ("attempt" in found) return found
  if (found.ts === undefined) return { all: reply.messages }
  const { from, to, act } = pending
  return { all: [...reply.messages, { ts: found.ts, from, to, isOpen: act === "start" }] }
}

interface Place {
  readonly reply: SlackReply
  readonly workspace: SlackWorkspace
}

/** Makes a message contain this part of the text and nothing else, whatever it contained before. */
async function rewrite({ reply: { channel }, workspace }: Place, message: SentMessage, text: string): Promise<Attempt> {
  const { ts, isOpen } = message
  // A refusal means that it is so already: the stream has ended, or the message is gone.
  const repeat = async (method: string, args: Json): Promise<Attempt> => {
    const made = await call(workspace, method, { channel, ts, ...args })
    return "answer" in made || made.attempt.is === "hopeless" ? done : made.attempt
  }
  const stopped = isOpen ? await repeat("chat.stopStream", {}) : done
  if (stopped.is !== "done") return stopped
  const markdown_text = wholeMessage(text, message)
  return markdown_text.trim() === "" ? repeat("chat.delete", {}) : repeat("chat.update", { markdown_text })
}

type Found = { readonly ts: string | undefined } | { readonly attempt: Attempt }

/**
 * The message of a call of which it is unknown whether it was made. A posted message is known by its metadata. A stream
 * has none until it ends: it is the message of the app in this thread that has this text and is not known yet.
 */
async function findMessage(
  { reply, workspace }: Place,
  sought: PendingCall & { readonly text: string },
): Promise<Found> {
  const { channel, thread, messages } = reply
  const known = new Set(messages.map(({ ts }) => ts))
  let cursor: string | undefined
  do {
    const made = await call(workspace, "conversations.replies", {
      ...{ channel, ts: thread, limit: 200, include_all_metadata: true },
      ...(cursor === undefined ? {} : { cursor }),
    })
    if ("attempt" in made) return made
    const { messages: page, response_metadata: next } = made.answer
    for (const one of Array.isArray(page) ? (page as readonly Json[]) : []) {
      if (typeof one.ts !== "string" || known.has(one.ts) || one.user !== workspace.botUser) continue
      if (isSought(one, reply, sought)) return { ts: one.ts }
    }
    const { next_cursor: more } = (next ?? {}) as Json
    cursor = typeof more === "string" && more !== "" ? more : undefined
  } while (cursor !== undefined)
  return { ts: undefined }
}

function isSought(
  { metadata, text: shown }: Json,
  { id }: SlackReply,
  { act, from, text }: PendingCall & { readonly text: string },
): boolean {
  const { event_type: type, event_payload: payload } = (metadata ?? {}) as Json
  if (act === "start") return type === undefined && typeof shown === "string" && lettersOf(shown) === lettersOf(text)
  const { reply, from: at } = (payload ?? {}) as Json
  return type === replyEvent && reply === id && Number(at) === from
}

/** Slack shows Markdown in its own markup: letters and digits stay the same. */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "")
