// One reply as a stream of events that survives lost connections: the stream is resumed after the last received event,
// so that no event is missing or repeated. A message is never sent twice.

import type { ChatChunk, ChatEvent } from "./chat-event.ts"
import { readChunk, toChatEvent } from "./chat-event.ts"
import { createConnection, isTemporary, pause } from "./connection.ts"
import { ClientError } from "./error.ts"
import { readSentEvents } from "./sent-events.ts"

export interface ReplyParts {
  /** Opens the stream after this position. Undefined when no reply is in progress. */
  readonly resume: (from: Position, signal: AbortSignal) => Promise<Response | undefined>
  /** Aborting it ends the reading, not the reply. */
  readonly signal: AbortSignal | undefined
}

/** The position up to which a reply was read. */
export interface Position {
  /** The number of the last received event. */
  readonly lastNumber: number
  /** The id of the reply's message. Undefined until the first event has arrived. */
  readonly message: string | undefined
}

/** The most attempts in a row to resume a stream. The pauses before them take about 32 s in all. */
const mostAttempts = 8
const firstPauseMs = 250
const longestPauseMs = 8_000

/** Yields the events of a reply from this position to its end. With `sendRequest`, sends the message first. */
export async function* readReply(
  { resume, signal }: ReplyParts,
  from: Position,
  sendRequest?: (signal: AbortSignal) => Promise<Response>,
): AsyncGenerator<ChatEvent, void, undefined> {
  let position = from
  let failures = 0
  for (let begin = sendRequest; ; begin = undefined) {
    const connection = createConnection(signal)
    try {
      const response = await (begin?.(connection.signal) ?? resume(position, connection.signal))
      if (response?.body == null) return
      for await (const { chunk, number } of readChunks(response.body, connection.onData)) {
        if (number !== undefined && number <= position.lastNumber) continue
        position = { lastNumber: number ?? position.lastNumber, message: messageOf(chunk) ?? position.message }
        failures = 0
        const event = toChatEvent(chunk)
        if (event !== undefined) yield number === undefined ? event : { ...event, number }
        if (event?.type === "end") return
      }
    } catch (error) {
      signal?.throwIfAborted()
      // A message whose request failed may have arrived, so it is not sent again.
      if (begin !== undefined || !isTemporary(error)) throw error
    } finally {
      connection.close()
    }
    if (failures >= mostAttempts) throw disconnected()
    await pause(Math.min(firstPauseMs * 2 ** failures, longestPauseMs), signal)
    failures += 1
  }
}

interface NumberedEvent {
  readonly chunk: ChatChunk
  readonly number: number | undefined
}

async function* readChunks(body: ReadableStream<Uint8Array>, onData: () => void): AsyncGenerator<NumberedEvent> {
  for await (const { id, data } of readSentEvents(body, onData)) {
    const chunk = readChunk(data)
    if (chunk !== undefined) yield { chunk, number: id === undefined ? undefined : Number(id) }
  }
}

const messageOf = ({ type, messageId }: ChatChunk): string | undefined =>
  type === "start" && typeof messageId === "string" ? messageId : undefined

const disconnected = (): ClientError => {
  const message = "The connection was lost and could not be resumed. The reply continues: resume it later."
  return new ClientError("disconnected", message)
}
