// The stream of events of a person: replies and timelines of the conversations that a page shows, and steps of the person's
// questions.
// A lost connection is taken up after the last event that arrived, so that nothing comes twice and nothing is missing.

import type { Status } from "../core/elicitation.ts"
import type { TimelineItem } from "../core/timeline.ts"
import type { ChatChunk, ChatEvent } from "./chat-event.ts"
import { isChunk, isObject, readObject, toChatEvent } from "./chat-event.ts"
import { createConnection, isPassing, pause } from "./connection.ts"
import { toClientError } from "./error.ts"
import type { SendRequest } from "./request.ts"
import type { SentEvent } from "./sent-events.ts"
import { readSentEvents } from "./sent-events.ts"

/** What is followed: at most 20 conversations, which may begin later. */
export interface Following {
  readonly conversations: readonly string[]
  /** The `id` of an event: the stream goes on after it. */
  readonly after?: string
  readonly signal?: AbortSignal
  /** Called when the connection is open, and when it was lost and is opened again. */
  readonly onConnection?: (isOpen: boolean) => void
}

/** What happens in a followed conversation or in the person's inbox. `id` resumes the stream after this event. */
export type RunEvent = FollowedEvent & { readonly id: string }

type FollowedEvent = FollowedReply | FollowedStep | FollowedInbox

/** A step of a followed conversation's timeline. */
interface FollowedStep {
  readonly type: "timeline"
  readonly conversationId: string
  readonly item: TimelineItem & { readonly messageId: string }
}

interface FollowedReply {
  readonly type: "reply"
  readonly conversationId: string
  /** The id of the reply's message. */
  readonly messageId: string
  /** The place of the chunk in the reply, from 1. */
  readonly number: number
  readonly chunk: ChatChunk
  /** What the chunk stands for; absent for one that only frames others. */
  readonly event?: ChatEvent
}

/** A step of one of the person's questions. Without a question: how many are open now. */
interface FollowedInbox {
  readonly type: "inbox"
  readonly open: number
  readonly elicitationId?: string
  /** What happened: asked, opened, accepted, completed, declined … */
  readonly kind?: string
  readonly status?: Status
}

const firstPauseMs = 250
const longestPauseMs = 15_000

/** Follows until the reader leaves. Throws refusals. */
export async function* readEvents(
  request: SendRequest,
  { conversations, after, signal, onConnection = () => {} }: Following,
): AsyncGenerator<RunEvent, void, undefined> {
  const query = conversations.map((name) => `conversation=${encodeURIComponent(name)}`).join("&")
  let last = after
  for (let failures = 0; ; failures += 1) {
    const connection = createConnection(signal)
    try {
      const headers = last === undefined ? {} : { "last-event-id": last }
      const response = await request({ path: `events?${query}`, headers, signal: connection.signal })
      if (response.body === null) throw await toClientError(response)
      onConnection(true)
      for await (const sent of readSentEvents(response.body, connection.hear)) {
        failures = 0
        last = sent.id ?? last
        const event = toRunEvent(sent, last)
        if (event !== undefined) yield event
      }
    } catch (error) {
      signal?.throwIfAborted()
      // A connection that was silent for too long is given up, and another one is opened.
      if (!connection.signal.aborted && !isPassing(error)) throw error
    } finally {
      connection.close()
    }
    onConnection(false)
    await pause(Math.min(firstPauseMs * 2 ** failures, longestPauseMs), signal)
  }
}

/** The event that was sent; undefined for one that only sets the id, and for what a newer server sends. */
function toRunEvent({ event = "", data }: SentEvent, id = ""): RunEvent | undefined {
  const read = Object.hasOwn(readers, event) ? readers[event] : undefined
  const fields = read?.(readObject(data) ?? {})
  return fields === undefined ? undefined : { ...fields, id }
}

type Data = Readonly<Record<string, unknown>>

const readers: Readonly<Record<string, (data: Data) => FollowedEvent | undefined>> = {
  reply({ conversationId, messageId, number, chunk }) {
    const isNamed = typeof conversationId === "string" && typeof messageId === "string" && typeof number === "number"
    if (!isNamed || !isChunk(chunk)) return undefined
    const event = toChatEvent(chunk)
    return { type: "reply", conversationId, messageId, number, chunk, ...(event === undefined ? {} : { event }) }
  },
  timeline({ conversationId, item }) {
    const isStep = typeof conversationId === "string" && isObject(item) && typeof item.kind === "string"
    return isStep ? { type: "timeline", conversationId, item: item as unknown as FollowedStep["item"] } : undefined
  },
  inbox({ open, id, kind, status }) {
    if (typeof open !== "number") return undefined
    if (typeof id !== "string") return { type: "inbox", open }
    return { type: "inbox", open, elicitationId: id, kind: String(kind), status: status as Status }
  },
}
