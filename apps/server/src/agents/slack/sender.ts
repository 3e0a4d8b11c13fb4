// Sends the text of one reply to Slack: as a message that grows, or as whole messages. Each call is written down before it
// is made and when it is done.

import { closingAt, openingAt, wholeMessage, withoutEmptyLines } from "./message-parts.ts"
import type { PacedMethod, Pacer } from "./pacer.ts"
import type { Json, SlackWorkspace } from "./port.ts"
import { faultOf } from "./port.ts"
import type { PendingCall, SentMessage } from "./records.ts"
import { type Act, type Attempt, done, lostReply, type SentMessages, type Shown } from "./sent-messages.ts"

export interface Sender {
  /** Opens a stream with the text up to here. */
  start(shown: Shown, to: number): Promise<Attempt>
  append(shown: Shown, to: number): Promise<Attempt>
  /** Ends the stream with the text up to here. */
  stop(shown: Shown, to: number): Promise<Attempt>
  /** Posts a whole message. */
  post(shown: Shown, to: number): Promise<Attempt>
}

export interface SenderParts {
  readonly messages: SentMessages
  readonly workspace: SlackWorkspace
  readonly pacer: Pacer
}

interface Sending {
  readonly shown: Shown
  readonly to: number
  readonly args: Json
}

const methods = {
  start: "chat.startStream",
  append: "chat.appendStream",
  stop: "chat.stopStream",
  post: "chat.postMessage",
} as const satisfies Readonly<Record<Act, PacedMethod>>

/** No previews of links, by which a model could be made to tell others something, and no names made into mentions. */
export const quiet = { unfurl_links: false, unfurl_media: false, link_names: false }

export const replyEvent = "holdpoint_reply"

export function createSender(parts: SenderParts): Sender {
  const { messages } = parts
  const { id, team, channel, thread, user } = messages.reply
  const place = { channel, thread_ts: thread }
  const metadata = (from: number): Json => ({ event_type: replyEvent, event_payload: { reply: id, from } })

  const post: Sender["post"] = (shown, to) => {
    const from = messages.sent
    const args = { ...place, markdown_text: wholeMessage(shown.text, { from, to }), metadata: metadata(from), ...quiet }
    return send(parts, "post", { shown, to, args })
  }
  return {
    post,
    async start(shown, to) {
      const from = messages.sent
      const markdown_text = `${openingAt(shown.text, from)}${withoutEmptyLines(shown.text.slice(from, to))}`
      const args = { ...place, markdown_text, recipient_user_id: user, recipient_team_id: team }
      const attempt = await send(parts, "start", { shown, to, args })
      // Not every conversation takes streams.
      return attempt.is === "hopeless" ? post(shown, to) : attempt
    },
    async append(shown, to) {
      const { open } = messages
      if (open === undefined) return done
      const args = { channel, ts: open.ts, markdown_text: shown.text.slice(open.to, to) }
      return orClose(messages, await send(parts, "append", { shown, to, args }))
    },
    async stop(shown, to) {
      const { open } = messages
      if (open === undefined) return done
      const rest = `${shown.text.slice(open.to, to)}${closingAt(shown.text, to)}`
      const text = rest === "" ? {} : { markdown_text: rest }
      const args = { channel, ts: open.ts, ...text, metadata: metadata(open.from) }
      return orClose(messages, await send(parts, "stop", { shown, to, args }))
    },
  }
}

async function send({ messages, workspace, pacer }: SenderParts, act: Act, sending: Sending): Promise<Attempt> {
  const { shown, to, args } = sending
  const { team, channel } = messages.reply
  const method = methods[act]
  const waitMs = pacer.take(team, method, channel)
  if (waitMs > 0) return { is: "later", afterMs: waitMs }
  const { open } = messages
  const pending: PendingCall = { act, from: open?.from ?? messages.sent, to }
  await messages.note({ pending, chunk: shown.chunk })
  const made = await call(workspace, method, args)
  if ("answer" in made) {
    const ts = open?.ts ?? String(made.answer.ts)
    const last: SentMessage = { ts, from: pending.from, to, isOpen: act === "start" || act === "append" }
    await messages
      .settle(open === undefined ? [...messages.reply.messages, last] : messages.withLast(last))
      .catch((error: unknown) => removeStray({ messages, workspace }, ts, error))
    return done
  }
  if (made.attempt.is === "unsure") return made.attempt
  messages.forgetPending()
  if (made.attempt.is === "later") pacer.block(team, method, channel, made.attempt.afterMs)
  return made.attempt
}

/**
 * This process was stopped before it could make the call, and made it after another one had taken over the reply, which
 * has looked for the message in vain. Throws what it is given.
 */
async function removeStray(
  { messages, workspace }: Pick<SenderParts, "messages" | "workspace">,
  ts: string,
  error: unknown,
): Promise<never> {
  const { channel } = messages.reply
  if (error === lostReply && !(await messages.isKnown(ts))) await call(workspace, "chat.delete", { channel, ts })
  throw error
}

/** Slack has ended the stream, or the message is gone: what follows is a message of its own. */
async function orClose(messages: SentMessages, attempt: Attempt): Promise<Attempt> {
  const { open } = messages
  if (attempt.is !== "hopeless" || open === undefined) return attempt
  await messages.settle(messages.withLast({ ...open, isOpen: false }))
  return done
}

/** One call of the Web API. */
export async function call(
  workspace: SlackWorkspace,
  method: string,
  args: Json,
): Promise<{ readonly answer: Json } | { readonly attempt: Attempt }> {
  try {
    return { answer: await workspace.call(method, args) }
  } catch (error) {
    const fault = faultOf(error)
    if (fault.is === "limited") return { attempt: { is: "later", afterMs: fault.retryAfterMs } }
    return { attempt: fault.is === "refused" ? { is: "hopeless", code: fault.code } : { is: "unsure" } }
  }
}
