// Sends the text of one reply to Slack, as a streamed message or as whole messages. Each call is recorded before it is
// made, and its result afterwards.

import { closingAt, openingAt, wholeMessage, withoutEmptyLines } from "./message-parts.ts"
import type { PacedMethod, Pacer } from "./pacer.ts"
import type { Json, SlackWorkspace } from "./port.ts"
import { faultOf } from "./port.ts"
import type { PendingCall, SentMessage } from "./records.ts"
import {
  type Act,
  type Attempt,
  doneAttempt,
  lostReply,
  type ReplySnapshot,
  type SentMessages,
} from "./sent-messages.ts"

export interface Sender {
  /** Opens a stream with the text up to index `to`. */
  start(snapshot: ReplySnapshot, to: number): Promise<Attempt>
  append(snapshot: ReplySnapshot, to: number): Promise<Attempt>
  /** Ends the stream with the text up to index `to`. */
  stop(snapshot: ReplySnapshot, to: number): Promise<Attempt>
  /** Posts the text up to index `to` as a whole message. */
  post(snapshot: ReplySnapshot, to: number): Promise<Attempt>
}

export interface SenderParts {
  readonly messages: SentMessages
  readonly workspace: SlackWorkspace
  readonly pacer: Pacer
}

/** One call that sends text. */
interface TextCall {
  readonly snapshot: ReplySnapshot
  readonly to: number
  readonly args: Json
}

const methods = {
  start: "chat.startStream",
  append: "chat.appendStream",
  stop: "chat.stopStream",
  post: "chat.postMessage",
} as const satisfies Readonly<Record<Act, PacedMethod>>

/** Disables link previews, whose requests could leak data in an address, and the conversion of names to mentions. */
export const withoutPreviews = { unfurl_links: false, unfurl_media: false, link_names: false }

/** The `event_type` of the metadata by which a message of a reply is recognised. */
export const replyEvent = "holdpoint_reply"

export function createSender(parts: SenderParts): Sender {
  const { messages } = parts
  const { id, team, channel, thread, user } = messages.reply
  const target = { channel, thread_ts: thread }
  const metadata = (from: number): Json => ({ event_type: replyEvent, event_payload: { reply: id, from } })

  const post: Sender["post"] = (snapshot, to) => {
    const from = messages.sent
    const args = {
      ...target,
      markdown_text: wholeMessage(snapshot.text, { from, to }),
      metadata: metadata(from),
      ...withoutPreviews,
    }
    return send(parts, "post", { snapshot, to, args })
  }
  return {
    post,
    async start(snapshot, to) {
      const from = messages.sent
      const markdown_text = `${openingAt(snapshot.text, from)}${withoutEmptyLines(snapshot.text.slice(from, to))}`
      const args = { ...target, markdown_text, recipient_user_id: user, recipient_team_id: team }
      const attempt = await send(parts, "start", { snapshot, to, args })
      // Some conversations do not accept streams: their text is posted as a whole message.
      return attempt.kind === "hopeless" ? post(snapshot, to) : attempt
    },
    async append(snapshot, to) {
      const { open } = messages
      if (open === undefined) return doneAttempt
      const args = { channel, ts: open.ts, markdown_text: snapshot.text.slice(open.to, to) }
      return closeIfRefused(messages, await send(parts, "append", { snapshot, to, args }))
    },
    async stop(snapshot, to) {
      const { open } = messages
      if (open === undefined) return doneAttempt
      const remainder = `${snapshot.text.slice(open.to, to)}${closingAt(snapshot.text, to)}`
      const text = remainder === "" ? {} : { markdown_text: remainder }
      const args = { channel, ts: open.ts, ...text, metadata: metadata(open.from) }
      return closeIfRefused(messages, await send(parts, "stop", { snapshot, to, args }))
    },
  }
}

async function send({ messages, workspace, pacer }: SenderParts, act: Act, textCall: TextCall): Promise<Attempt> {
  const { snapshot, to, args } = textCall
  const { team, channel } = messages.reply
  const method = methods[act]
  const waitMs = pacer.reserve(team, method, channel)
  if (waitMs > 0) return { kind: "later", afterMs: waitMs }
  const { open } = messages
  const pending: PendingCall = { act, from: open?.from ?? messages.sent, to }
  await messages.update({ pending, chunk: snapshot.chunk })
  const result = await call(workspace, method, args)
  if ("answer" in result) {
    const ts = open?.ts ?? String(result.answer.ts)
    const lastMessage: SentMessage = { ts, from: pending.from, to, isOpen: act === "start" || act === "append" }
    await messages
      .setMessages(open === undefined ? [...messages.reply.messages, lastMessage] : messages.withLast(lastMessage))
      .catch((error: unknown) => removeStray({ messages, workspace }, ts, error))
    return doneAttempt
  }
  if (result.attempt.kind === "unsure") return result.attempt
  messages.clearPending()
  if (result.attempt.kind === "later") pacer.block(team, method, channel, result.attempt.afterMs)
  return result.attempt
}

/**
 * Deletes a message that this process posted after it had lost the reply: the new owner of the reply could not find the
 * message, because it was posted too late. Always rethrows the error.
 */
async function removeStray(
  { messages, workspace }: Pick<SenderParts, "messages" | "workspace">,
  ts: string,
  error: unknown,
): Promise<never> {
  const { channel } = messages.reply
  if (error === lostReply && !(await messages.isRecorded(ts))) await call(workspace, "chat.delete", { channel, ts })
  throw error
}

/** Closes the stream when Slack refuses the call: the stream has ended or was deleted, and a new message follows. */
async function closeIfRefused(messages: SentMessages, attempt: Attempt): Promise<Attempt> {
  const { open } = messages
  if (attempt.kind !== "hopeless" || open === undefined) return attempt
  await messages.setMessages(messages.withLast({ ...open, isOpen: false }))
  return doneAttempt
}

/** Calls one method of the Web API. Returns Slack's answer, or says whether a failed call can be retried. */
export async function call(
  workspace: SlackWorkspace,
  method: string,
  args: Json,
): Promise<{ readonly answer: Json } | { readonly attempt: Attempt }> {
  try {
    return { answer: await workspace.call(method, args) }
  } catch (error) {
    const fault = faultOf(error)
    if (fault.kind === "limited") return { attempt: { kind: "later", afterMs: fault.retryAfterMs } }
    return { attempt: fault.kind === "refused" ? { kind: "hopeless", code: fault.code } : { kind: "unsure" } }
  }
}
