// The stream of events of a person: replies and timelines of the conversations that a page shows, and steps of the
// person's questions. A lost connection is resumed after the last received event, so that no event is missing or
// repeated.

import type { TimelineItem } from "@holdpoint/hub/stream"
import type { Status } from "@holdpoint/hub/wire"
import type { ChatChunk, ChatEvent } from "./chat-event.ts"
import { isChunk, isObject, readObject, toChatEvent } from "./chat-event.ts"
import { createConnection, isTemporary, pause } from "./connection.ts"
import { toClientError } from "./error.ts"
import type { SendRequest } from "./request.ts"
import type { SentEvent } from "./sent-events.ts"
import { readSentEvents } from "./sent-events.ts"

/** The conversations to follow: at most 20, which may begin later. */
export interface Following {
  readonly conversations: readonly string[]
  /** The `id` of an event, after which the stream resumes. */
  readonly after?: string
  readonly signal?: AbortSignal
  /** Called with true when the connection is open, and with false when it is lost. */
  readonly onConnection?: (isOpen: boolean) => void
}

/** An event of a followed conversation or of the person's inbox. `id` resumes the stream after this event. */
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
  /** The position of the chunk in the reply, from 1. */
  readonly number: number
  readonly chunk: ChatChunk
  /** The chunk as an event. Absent for a chunk that has no content of its own, such as the end of a text. */
  readonly event?: ChatEvent
}

/** A step of one of the person's questions. Without a question, only the number of open questions. */
interface FollowedInbox {
  readonly type: "inbox"
  readonly open: number
  readonly elicitationId?: string
  /** The kind of the step: asked, opened, accepted, completed, declined … */
  readonly kind?: string
  readonly status?: Status
}

const firstPauseMs = 250
const longestPauseMs = 15_000

/** Yields events until the signal aborts or the loop is left. Throws when the server refuses. */
export async function* readEvents(
  request: SendRequest,
  { conversations, after, signal, onConnection = () => {} }: Following,
): AsyncGenerator<RunEvent, void, undefined> {
  const query = conversations.map((name) => `conversation=${encodeURIComponent(name)}`).join("&")
  let lastId = after
  for (let failures = 0; ; failures += 1) {
    const connection = createConnection(signal)
    try {
      const headers = lastId === undefined ? {} : { "last-event-id": lastId }
      const response = await request({ path: `events?${query}`, headers, signal: connection.signal })
      if (response.body === null) throw await toClientError(response)
      onConnection(true)
      for await (const sentEvent of readSentEvents(response.body, connection.onData)) {
        failures = 0
        lastId = sentEvent.id ?? lastId
        const event = toRunEvent(sentEvent, lastId)
        if (event !== undefined) yield event
      }
    } catch (error) {
      signal?.throwIfAborted()
      // A connection that was closed after a long silence is opened again.
      if (!connection.signal.aborted && !isTemporary(error)) throw error
    } finally {
      connection.close()
    }
    onConnection(false)
    await pause(Math.min(firstPauseMs * 2 ** failures, longestPauseMs), signal)
  }
}

/**
 * Converts a server-sent event. Undefined for an event that only sets the id, and for unknown events of newer servers.
 */
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
