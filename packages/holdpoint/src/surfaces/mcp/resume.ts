// Lets 2025 clients resume a lost stream by Last-Event-ID, at the process that holds the request. The buffer is
// bounded, and removed when the client has read the stream to its end.

import type { Runtime } from "../../ports/runtime.ts"
import { found, watchDelivery } from "./delivery.ts"
import type { Reading } from "./held-response.ts"
import { streamHeaders } from "./held-response.ts"
import type { Session } from "./state.ts"
import type { Connection } from "./surface.ts"

export interface Resumption {
  /** Returns a response whose events have ids, from a stream that is being read. */
  begin(reading: Reading, of: Begun): Response
  /**
   * Returns the events after this one. Undefined for an id that this server did not issue, `gone` for a stream that is
   * no longer buffered here.
   */
  resume(session: string, eventId: string): Response | "gone" | undefined
  close(): void
}

export interface Begun {
  readonly session: Session
  readonly connection: Connection
}

interface Kept {
  readonly id: string
  readonly connection: Connection
  /** The buffered events, from number `first` on. */
  readonly items: string[]
  first: number
  isOver: boolean
  /** The position of the client that reads the stream now. */
  reader: { next: number; wake: () => void } | undefined
}

/** The most events buffered per stream: unread ones while no client reads it, already sent ones while one does. */
const mostItems = 200
/** The most characters buffered for all streams that ended before their client resumed them. */
const mostCharacters = 16_000_000
/** How long an ended stream stays buffered for a client that lost its connection. */
const keptMs = 2 * 60_000

export function createResumption({ newId, after }: Pick<Runtime, "newId" | "after">): Resumption {
  const streams = new Map<string, Kept>()
  /** The ended streams, oldest first: their size, and the timer that removes them. */
  const ended = new Map<string, { readonly size: number; readonly cancel: () => void }>()
  let characters = 0

  const takeOut = (id: string): void => {
    const kept = ended.get(id)
    characters -= kept?.size ?? 0
    kept?.cancel()
    ended.delete(id)
  }
  const forget = (id: string): void => {
    takeOut(id)
    streams.delete(id)
  }
  const end = (kept: Kept): void => {
    kept.isOver = true
    kept.reader?.wake()
    if (kept.reader === undefined) keepEnded(kept)
  }
  const keepEnded = ({ id, items }: Kept): void => {
    const size = items.reduce((sum, item) => sum + item.length, 0)
    ended.set(id, { size, cancel: after(keptMs, () => forget(id)) })
    characters += size
    for (const oldest of ended.keys()) if (characters > mostCharacters) forget(oldest)
  }
  /** Reads the stream to its end, whether or not a client reads it. */
  const pump = async (kept: Kept, { reader, first }: Reading): Promise<void> => {
    for (let part = await (first ?? reader.read()); !part.done; part = await reader.read())
      say(kept, decoder.decode(part.value))
  }

  const read = (kept: Kept, next: number): Response => {
    const reader = { next: Math.max(next, kept.first), wake: () => {} }
    kept.reader?.wake()
    kept.reader = reader
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          // The loop ends when another connection of the same client has taken over the stream.
          while (kept.reader === reader && !kept.isOver && reader.next - kept.first >= kept.items.length)
            await new Promise<void>((resolve) => (reader.wake = resolve))
          const item = kept.reader === reader ? kept.items[reader.next - kept.first] : undefined
          if (item !== undefined) {
            reader.next++
            return controller.enqueue(encoder.encode(item))
          }
          if (kept.reader === reader) forget(kept.id)
          controller.close()
        },
        cancel() {
          if (kept.reader !== reader) return
          kept.reader = undefined
          if (kept.isOver) keepEnded(kept)
        },
      },
      { highWaterMark: 0 },
    )
    return watchDelivery(new Response(body, { headers: streamHeaders }), kept.connection)
  }

  return {
    begin(reading, { session, connection }) {
      const id = newId()
      // Clients of 2025-11-25 accept events without data: the first one gives them an id even if no message follows for
      // long.
      const items = session.revision === "2025-11-25" ? [`id: ${nameOf(id, 0)}\ndata: \n\n`] : []
      const kept: Kept = { id, connection, items, first: 0, isOver: false, reader: undefined }
      streams.set(id, kept)
      const client = read(kept, 0)
      // A broken stream counts as ended.
      pump(kept, reading).then(
        () => end(kept),
        () => end(kept),
      )
      return client
    },
    resume(session, eventId) {
      const [, id = "", at] = /^held_([0-9a-zA-Z-]{1,64})_([0-9]{1,9})$/.exec(eventId) ?? []
      if (at === undefined) return undefined
      const kept = streams.get(id)
      if (kept?.connection.session !== session) return "gone"
      takeOut(id)
      for (const one of kept.connection.incoming.values()) found(kept.connection.surface, one)
      return read(kept, Number(at) + 1)
    },
    close() {
      for (const id of [...ended.keys()]) forget(id)
    },
  }
}

/** Shared by all streams, because each chunk contains whole events. */
const decoder = new TextDecoder()
const encoder = new TextEncoder()

const nameOf = (stream: string, at: number): string => `held_${stream}_${at}`

/** Buffers an event. Comments are only heartbeats, and are not buffered. */
function say(kept: Kept, text: string): void {
  const { items, reader } = kept
  const isComment = text.startsWith(":")
  if (isComment && reader === undefined) return
  items.push(isComment ? text : `id: ${nameOf(kept.id, kept.first + items.length)}\n${text}`)
  while (items.length > mostItems && (reader === undefined || kept.first < reader.next)) {
    items.shift()
    kept.first++
  }
  reader?.wake()
}
