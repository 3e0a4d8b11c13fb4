// Streams of requests of 2025 that a client lost and takes up again where it lost them (Last-Event-ID), at the process that
// holds the request. What is kept for that is bounded, and goes when the client has read it to its end.

import type { Runtime } from "../../ports/runtime.ts"
import { found, watchDelivery } from "./delivery.ts"
import type { Reading } from "./held-response.ts"
import { streamHeaders } from "./held-response.ts"
import type { Session } from "./state.ts"
import type { Connection } from "./surface.ts"

export interface Resumption {
  /** The stream that is being read, as a response whose events have ids. */
  begin(reading: Reading, of: Begun): Response
  /** What comes after this event. Undefined for an id that is not of ours, `gone` for one that is not known here any more. */
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
  /** What was said, from `first` on. */
  readonly items: string[]
  first: number
  isOver: boolean
  /** Of the client that reads it now. */
  reader: { next: number; wake: () => void } | undefined
}

/** Of one stream that no client reads; of one that is read, what it has behind it. */
const mostItems = 200
/** Of all streams together that ended before their client came again. */
const mostCharacters = 16_000_000
/** A client that lost its connection comes again within this, or calls again. */
const keptMs = 2 * 60_000

export function createResumption({ newId, after }: Pick<Runtime, "newId" | "after">): Resumption {
  const streams = new Map<string, Kept>()
  /** By stream, oldest first: how much is kept of it, and for how long. */
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
  /** Reads on, whether or not a client does. */
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
          // Another connection of the same client has it from now on.
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
      // Its client knows events without data: it has an id at once, also if nothing is told for long.
      const items = session.revision === "2025-11-25" ? [`id: ${nameOf(id, 0)}\ndata: \n\n`] : []
      const kept: Kept = { id, connection, items, first: 0, isOver: false, reader: undefined }
      streams.set(id, kept)
      const client = read(kept, 0)
      // A stream that breaks has ended.
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

/** One of each for all streams: each piece is whole. */
const decoder = new TextDecoder()
const encoder = new TextEncoder()

const nameOf = (stream: string, at: number): string => `held_${stream}_${at}`

/** A comment keeps a connection alive, and means nothing later. */
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
