// Lets 2025 clients resume a lost stream by Last-Event-ID, at the process that holds the request. The buffer is
// bounded, and removed when the client has read the stream to its end.

import type { Runtime } from "../../ports/runtime.ts"
import { noteClientBack, noteClientGone, noteDelivered } from "./delivery.ts"
import type { Reading } from "./held-response.ts"
import { readNext, streamHeaders } from "./held-response.ts"
import type { Session } from "./state.ts"
import type { Connection } from "./surface.ts"

export interface Resumption {
  /** Returns a response whose events have ids, from a stream that is being read. */
  begin(reading: Reading, of: Begun): Response
  /**
   * Returns the events after this one, and 204 for a stream that its client has read to the end. Undefined for an id
   * that this server did not issue, `gone` for a stream that is no longer buffered here.
   */
  resume(session: string, eventId: string): Response | "gone" | undefined
  close(): void
}

export interface Begun {
  readonly session: Session
  readonly connection: Connection
  /** Called when another connection reads the stream: the end of the original one then means nothing. */
  readonly onResumed: () => void
}

interface Kept extends Reading {
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

interface Keeping {
  /** Reads the SDK's stream while the client wants more, or while no client reads it. */
  pump(kept: Kept): Promise<void>
  /** The client has read the stream to its end. */
  finish(kept: Kept): void
  keepEnded(kept: Kept): void
}

interface ReaderState {
  readonly keeping: Keeping
  readonly kept: Kept
  /** The number of the next event. */
  next: number
  /** Set while the client waits for an event. */
  controller: ReadableStreamDefaultController<Uint8Array> | undefined
}

interface ClientReader extends Pick<ReaderState, "next" | "controller"> {
  pull(controller: ReadableStreamDefaultController<Uint8Array>): void
  cancel(): void
  /** To be called when there is an event, the end, or another reader. */
  wake(): void
}

/** The most events buffered per stream: unread ones while no client reads it, already sent ones while one does. */
const mostItems = 200
/** The most bytes buffered for all streams that ended before their client resumed them. */
const mostBytes = 16_000_000
/** How long an ended stream stays buffered for a client that lost its connection. */
const keptMs = 2 * 60_000
/** The most finished streams that are remembered. */
const mostFinished = 1_000

export function createResumption({ newId, after }: Pick<Runtime, "newId" | "after">): Resumption {
  const streams = new Map<string, Kept>()
  /** The ended streams, oldest first: their size, and the timer that removes them. */
  const ended = new Map<string, { readonly size: number; readonly cancel: () => void }>()
  /** The sessions of streams that their client has read to the end, oldest first. */
  const finished = new Map<string, string | undefined>()
  let bytes = 0
  let isClosed = false

  const takeOut = (id: string): void => {
    const kept = ended.get(id)
    bytes -= kept?.size ?? 0
    kept?.cancel()
    ended.delete(id)
  }
  const forget = (id: string): void => {
    takeOut(id)
    streams.delete(id)
  }
  const finish = ({ id, connection }: Kept): void => {
    forget(id)
    finished.set(id, connection.session)
    const [oldest] = finished.keys()
    if (finished.size > mostFinished && oldest !== undefined) finished.delete(oldest)
  }
  const end = (kept: Kept): void => {
    kept.isOver = true
    kept.client?.wake()
    if (kept.client === undefined) keepEnded(kept)
  }
  const keepEnded = ({ id, items }: Kept): void => {
    // After closing, a timer would only keep the process alive.
    if (isClosed) {
      forget(id)
      return
    }
    const size = items.reduce((sum, item) => sum + item.byteLength, 0)
    ended.set(id, { size, cancel: after(keptMs, () => forget(id)) })
    bytes += size
    for (const oldest of ended.keys()) if (bytes > mostBytes) forget(oldest)
  }
  const pump = async (kept: Kept): Promise<void> => {
    if (kept.isPumping || kept.isOver) return
    kept.isPumping = true
    let isOver = false
    try {
      while (!isOver && isWanted(kept)) isOver = !take(kept, await readNext(kept))
    } catch {
      // A broken stream counts as ended.
      isOver = true
    }
    kept.isPumping = false
    if (isOver) end(kept)
  }
  const keeping: Keeping = { pump, finish, keepEnded }

  const read = (kept: Kept, next: number): Response => {
    const state: ReaderState = { keeping, kept, next: Math.max(next, kept.from), controller: undefined }
    const reader = Object.assign(Object.create(readerMethods) as ClientReader, state)
    const earlier = kept.client
    kept.client = reader
    earlier?.wake()
    return new Response(new ReadableStream(reader, { highWaterMark: 0 }), { headers: streamHeaders })
  }

  return {
    begin(reading, { session, connection, onResumed }) {
      const id = newId()
      // Clients of 2025-11-25 accept events without data: the first one gives them an id even if no message follows for
      // long.
      const items = session.revision === "2025-11-25" ? [withoutData] : none
      const { reader, first } = reading
      const kept: Kept = {
        id,
        connection,
        onResumed,
        reader,
        first,
        items,
        from: 0,
        isPumping: false,
        isOver: false,
        client: undefined,
      }
      streams.set(id, kept)
      return read(kept, 0)
    },
    resume(session, eventId) {
      const [, id = "", at] = /^held_([0-9a-zA-Z-]{1,64})_([0-9]{1,9})$/.exec(eventId) ?? []
      if (at === undefined) return undefined
      // The official clients ask for more of a stream that ended without a response, as that of a cancelled call does.
      if (finished.has(id) && finished.get(id) === session) return new Response(null, { status: 204 })
      const kept = streams.get(id)
      if (kept?.connection.session !== session) return "gone"
      takeOut(id)
      kept.onResumed()
      for (const one of kept.connection.incoming.values()) noteClientBack(kept.connection.surface, one)
      return read(kept, Number(at) + 1)
    },
    close() {
      isClosed = true
      for (const id of [...ended.keys()]) forget(id)
    },
  }
}

/** Shared by all streams, because many are held at the same time. */
const readerMethods: Omit<ClientReader, "next" | "controller"> & ThisType<ReaderState & ClientReader> = {
  pull(controller) {
    this.controller = controller
    this.wake()
    if (this.controller !== undefined) void this.keeping.pump(this.kept)
  },
  wake() {
    const { keeping, kept, controller } = this
    // Another connection of the same client may have taken over the stream.
    const isCurrent = kept.client === this
    const item = isCurrent ? kept.items[this.next - kept.from] : undefined
    if (controller === undefined || (isCurrent && item === undefined && !kept.isOver)) return
    this.controller = undefined
    if (item !== undefined) return controller.enqueue(toEvent(kept.id, this.next++, item))
    if (isCurrent) {
      keeping.finish(kept)
      for (const one of kept.connection.incoming.values()) noteDelivered(kept.connection.surface, one)
    }
    controller.close()
  },
  cancel() {
    const { keeping, kept } = this
    this.controller = undefined
    if (kept.client !== this) return
    kept.client = undefined
    for (const one of kept.connection.incoming.values()) noteClientGone(kept.connection.surface, one)
    if (kept.isOver) keeping.keepEnded(kept)
    else void keeping.pump(kept)
  },
}

const encoder = new TextEncoder()
const none: readonly never[] = []
const withoutData = encoder.encode("data: \n\n")

/** Comments are only heartbeats, and are not buffered while no client reads. */
const isComment = (item: Uint8Array): boolean => item[0] === 0x3a

/** Each chunk is one whole event or comment. */
const toEvent = (stream: string, at: number, item: Uint8Array): Uint8Array =>
  isComment(item) ? item : Buffer.concat([encoder.encode(`id: held_${stream}_${at}\n`), item])

const isWanted = ({ client }: Kept): boolean => client === undefined || client.controller !== undefined

/** Buffers a chunk. False at the end. Uses `concat`, because `push` leaves room for sixteen more entries. */
function take(kept: Kept, { done, value }: Awaited<ReturnType<typeof readNext>>): boolean {
  if (done) return false
  const { client } = kept
  if (client === undefined && isComment(value)) return true
  kept.items = kept.items.concat(value)
  const isSpare = (): boolean => client === undefined || kept.from < client.next
  while (kept.items.length > mostItems && isSpare()) {
    kept.items = kept.items.slice(1)
    kept.from++
  }
  client?.wake()
  return true
}
