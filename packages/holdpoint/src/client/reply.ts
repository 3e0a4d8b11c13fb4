// One reply as a stream of events that survives lost connections: it is taken up again after the last event that arrived,
// so that nothing comes twice and nothing is missing. A message is never sent again.

import type { ChatChunk, ChatEvent } from "./chat-event.ts"
import { readChunk, toChatEvent } from "./chat-event.ts"
import { createConnection, isPassing, pause } from "./connection.ts"
import { ClientError } from "./error.ts"
import { readSentEvents } from "./sent-events.ts"

export interface ReplyParts {
  /** Opens the stream after this event of the reply with this id; undefined when nothing is under way. */
  readonly resume: (from: Position, signal: AbortSignal) => Promise<Response | undefined>
  /** Ends the reading, and not the reply. */
  readonly signal: AbortSignal | undefined
}

/** How far a reply was read. */
export interface Position {
  /** The number of the last event that arrived. */
  readonly last: number
  /** The id of the reply's message, once it is known. */
  readonly message: string | undefined
}

/** Attempts in a row to take up a stream, and the pauses before them: 31 s in all. */
const attempts = 8
const firstPauseMs = 250
const longestPauseMs = 8_000

/** The events of a reply from here to its end. `send` begins it, if it has not begun. */
export async function* readReply(
  { resume, signal }: ReplyParts,
  from: Position,
  send?: (signal: AbortSignal) => Promise<Response>,
): AsyncGenerator<ChatEvent, void, undefined> {
  let at = from
  let failures = 0
  for (let begin = send; ; begin = undefined) {
    const connection = createConnection(signal)
    try {
      const response = await (begin?.(connection.signal) ?? resume(at, connection.signal))
      if (response?.body == null) return
      for await (const { chunk, number } of readChunks(response.body, connection.hear)) {
        if (number !== undefined && number <= at.last) continue
        at = { last: number ?? at.last, message: messageOf(chunk) ?? at.message }
        failures = 0
        const event = toChatEvent(chunk)
        if (event !== undefined) yield number === undefined ? event : { ...event, number }
        if (event?.type === "end") return
      }
    } catch (error) {
      signal?.throwIfAborted()
      // Whether a message arrived whose sending failed is not known, so it is not sent again.
      if (begin !== undefined || !isPassing(error)) throw error
    } finally {
      connection.close()
    }
    if (failures >= attempts) throw disconnected()
    await pause(Math.min(firstPauseMs * 2 ** failures, longestPauseMs), signal)
    failures += 1
  }
}

interface Numbered {
  readonly chunk: ChatChunk
  readonly number: number | undefined
}

async function* readChunks(body: ReadableStream<Uint8Array>, hear: () => void): AsyncGenerator<Numbered> {
  for await (const { id, data } of readSentEvents(body, hear)) {
    const chunk = readChunk(data)
    if (chunk !== undefined) yield { chunk, number: id === undefined ? undefined : Number(id) }
  }
}

const messageOf = ({ type, messageId }: ChatChunk): string | undefined =>
  type === "start" && typeof messageId === "string" ? messageId : undefined

const disconnected = (): ClientError => {
  const message = "The connection was lost and could not be taken up again. The reply goes on: resume it later."
  return new ClientError("disconnected", message)
}
