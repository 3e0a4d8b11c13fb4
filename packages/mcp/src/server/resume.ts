// Lets 2025 clients resume a lost stream by Last-Event-ID, at the process that holds the request. The buffer is
// bounded, and removed when the client has read the stream to its end.

import type { Runtime } from "@holdpoint/hub"
import { encodeEvents, toEventLine } from "@holdpoint/hub/internal"
import { toServerSentEvent } from "@holdpoint/hub/stream"
import { noteClientBack, noteClientGone, noteDelivered } from "./delivery.ts"
import type { Reading } from "./held-response.ts"
import { readNext, streamHeaders } from "./held-response.ts"
import type { Session } from "./state.ts"
import type { Connection } from "./surface.ts"

export interface Resumption {
  /** Returns a response whose events have ids, from a stream that is being read. */
  begin(reading: Reading, origin: StreamOrigin): Response
  /**
   * Returns the events after this one, and 204 for a stream that its client has read to the end. Undefined for an id
   * that this server did not issue, `gone` for a stream that this process no longer buffers.
   */
  resume(session: string, eventId: string): Response | "gone" | undefined
  close(): void
}

export interface StreamOrigin {
  readonly session: Session
  readonly connection: Connection
  /** Called when another connection reads the stream. The end of the original connection is then ignored. */
  readonly onResumed: () => void
}

interface BufferedStream extends Reading {
  readonly id: string
  readonly connection: Connection
  readonly onResumed: () => void
  isPumping: boolean
  /** The buffered events, from number `from` on, without their ids. */
  items: readonly Uint8Array[]
  from: number
  isOver: boolean
  /** The client that reads the stream now. */
  client: ClientReader | undefined
}

interface StreamBuffer {
  /** Reads the SDK's stream while the client wants more, or while no client reads it. */
  pump(stream: BufferedStream): void
  /** Called when the client has read the stream to its end. */
  finish(stream: BufferedStream): void
  keepEnded(stream: BufferedStream): void
}

/** The most events buffered per stream: unread ones while no client reads it, already sent ones while one does. */
const mostItems = 200
/** The most bytes buffered for all streams that ended before their client resumed them. */
const mostBytes = 16_000_000
/** How long an ended stream stays buffered for a client that lost its connection. */
const bufferMs = 2 * 60_000
/** The most finished streams whose ids stay in memory. */
const mostFinished = 1_000

export function createResumption({ newId, after }: Pick<Runtime, "newId" | "after">): Resumption {
  const streams = new Map<string, BufferedStream>()
  /** The ended streams, oldest first: their size, and the timer that removes them. */
  const endedStreams = new Map<string, { readonly size: number; readonly cancel: () => void }>()
  /** The sessions of streams that their client has read to the end, oldest first. */
  const finishedSessions = new Map<string, string | undefined>()
  let bytes = 0
  let isClosed = false

  const removeEnded = (id: string): void => {
    const stream = endedStreams.get(id)
    bytes -= stream?.size ?? 0
    stream?.cancel()
    endedStreams.delete(id)
  }
  const forget = (id: string): void => {
    removeEnded(id)
    streams.delete(id)
  }
  const finish = ({ id, connection }: BufferedStream): void => {
    forget(id)
    finishedSessions.set(id, connection.session)
    const [oldest] = finishedSessions.keys()
    if (finishedSessions.size > mostFinished && oldest !== undefined) finishedSessions.delete(oldest)
  }
  const end = (stream: BufferedStream): void => {
    stream.isOver = true
    stream.client?.wake()
    if (stream.client === undefined) keepEnded(stream)
  }
  const keepEnded = ({ id, items }: BufferedStream): void => {
    // After closing, a timer would only keep the process alive.
    if (isClosed) {
      forget(id)
      return
    }
    const size = items.reduce((sum, item) => sum + item.byteLength, 0)
    endedStreams.set(id, { size, cancel: after(bufferMs, () => forget(id)) })
    bytes += size
    for (const oldest of endedStreams.keys()) if (bytes > mostBytes) forget(oldest)
  }
  const pump = async (stream: BufferedStream): Promise<void> => {
    if (stream.isPumping || stream.isOver) return
    stream.isPumping = true
    let isOver = false
    try {
      while (!isOver && isWanted(stream)) isOver = !bufferChunk(stream, await readNext(stream))
    } finally {
      stream.isPumping = false
    }
    if (isOver) end(stream)
  }
  const buffer: StreamBuffer = {
    // A broken stream counts as ended.
    pump: (stream) => void pump(stream).catch(() => end(stream)),
    finish,
    keepEnded,
  }

  const read = (stream: BufferedStream, next: number): Response => {
    const reader = new ClientReader(buffer, stream, Math.max(next, stream.from))
    const previousReader = stream.client
    stream.client = reader
    previousReader?.wake()
    return new Response(new ReadableStream(reader, { highWaterMark: 0 }), { headers: streamHeaders })
  }

  return {
    begin(reading, { session, connection, onResumed }) {
      const id = newId()
      // Clients of 2025-11-25 accept events without data: the first event gives the client an id, even if no message
      // follows for a long time.
      const items = session.revision === "2025-11-25" ? [withoutData] : noItems
      const { reader, firstChunk } = reading
      const stream: BufferedStream = {
        id,
        connection,
        onResumed,
        reader,
        firstChunk,
        items,
        from: 0,
        isPumping: false,
        isOver: false,
        client: undefined,
      }
      streams.set(id, stream)
      return read(stream, 0)
    },
    resume(session, eventId) {
      const [, id = "", eventNumber] = /^held_([0-9a-zA-Z-]{1,64})_([0-9]{1,9})$/.exec(eventId) ?? []
      if (eventNumber === undefined) return undefined
      // 204 because the official clients resume every stream that ended without a response, also of a cancelled call.
      if (finishedSessions.has(id) && finishedSessions.get(id) === session) return new Response(null, { status: 204 })
      const stream = streams.get(id)
      if (stream?.connection.session !== session) return "gone"
      removeEnded(id)
      stream.onResumed()
      for (const incoming of stream.connection.incoming.values()) noteClientBack(stream.connection.surface, incoming)
      return read(stream, Number(eventNumber) + 1)
    },
    close() {
      isClosed = true
      for (const id of [...endedStreams.keys()]) forget(id)
    },
  }
}

/** One connection that reads a stream. It is itself the source of the response's body. */
class ClientReader {
  /** The number of the next event. */
  next: number
  readonly #buffer: StreamBuffer
  readonly #stream: BufferedStream
  /** Set while the client waits for an event. */
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor(buffer: StreamBuffer, stream: BufferedStream, next: number) {
    this.#buffer = buffer
    this.#stream = stream
    this.next = next
  }

  get isWaiting(): boolean {
    return this.#controller !== undefined
  }

  pull(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
    this.wake()
    if (this.isWaiting) this.#buffer.pump(this.#stream)
  }

  /** Called when an event arrives, when the stream ends, or when another reader takes over. */
  wake(): void {
    const stream = this.#stream
    const controller = this.#controller
    // Another connection of the same client may have taken over the stream.
    const isCurrent = stream.client === this
    const item = isCurrent ? stream.items[this.next - stream.from] : undefined
    if (controller === undefined || (isCurrent && item === undefined && !stream.isOver)) return
    this.#controller = undefined
    if (item !== undefined) {
      controller.enqueue(toEvent(stream.id, this.next++, item))
      return
    }
    if (isCurrent) {
      this.#buffer.finish(stream)
      for (const incoming of stream.connection.incoming.values()) noteDelivered(stream.connection.surface, incoming)
    }
    controller.close()
  }

  cancel(): void {
    const stream = this.#stream
    this.#controller = undefined
    if (stream.client !== this) return
    stream.client = undefined
    for (const incoming of stream.connection.incoming.values()) noteClientGone(stream.connection.surface, incoming)
    if (stream.isOver) this.#buffer.keepEnded(stream)
    else this.#buffer.pump(stream)
  }
}

const noItems: readonly never[] = []
const withoutData = encodeEvents(toServerSentEvent({ data: "" }))

/** Whether the chunk is a comment, which is only a heartbeat: not buffered while no client reads. */
const isComment = (item: Uint8Array): boolean => item[0] === 0x3a

/** Adds its id to an event. A chunk is one whole event or one comment; comments get no id. */
const toEvent = (stream: string, eventNumber: number, item: Uint8Array): Uint8Array =>
  isComment(item) ? item : Buffer.concat([encodeEvents(toEventLine("id", `held_${stream}_${eventNumber}`)), item])

const isWanted = ({ client }: BufferedStream): boolean => client === undefined || client.isWaiting

/** Buffers a chunk. Returns false at the stream's end. Uses `concat`, because `push` reserves room for more entries. */
function bufferChunk(stream: BufferedStream, { done, value }: Awaited<ReturnType<typeof readNext>>): boolean {
  if (done) return false
  const { client } = stream
  if (client === undefined && isComment(value)) return true
  stream.items = stream.items.concat(value)
  const isSpare = (): boolean => client === undefined || stream.from < client.next
  while (stream.items.length > mostItems && isSpare()) {
    stream.items = stream.items.slice(1)
    stream.from++
  }
  client?.wake()
  return true
}
