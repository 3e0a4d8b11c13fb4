// Readers of a reply: of its own stream, or of the stream of events of a page. They leave, and come back by event id.

import type { NumberedEvent } from "../facts.ts"
import type { ReadStream } from "../history.ts"
import type { StormPerson } from "../people.ts"
import type { Random } from "../random.ts"
import { linger, type World } from "../world.ts"

interface StreamEvent {
  readonly id?: string | undefined
  readonly event?: string | undefined
  readonly data: string
}

/** Where a reader gets the numbered events of a reply. */
export interface Source {
  readonly name: string
  /** The headers with which the message is sent. */
  readonly prefer: Readonly<Record<string, string>>
  open(reader: Reader, stream: ReadStream): Promise<Response | undefined>
  /** Returns the numbered event of the reply, if this is one. */
  read(event: StreamEvent): NumberedEvent | undefined
}

export interface Reader {
  readonly source: Source
  readonly world: World
  readonly random: Random
  readonly person: StormPerson
  readonly conversation: string
  /** Called with each event of the reply. */
  readonly onChunk: (chunk: Chunk) => void
}

/** The stream of one reply, whose event ids are the numbers. */
export const runStream: Source = {
  name: "run stream",
  prefer: {},
  open: ({ world, person, conversation }, stream) => {
    const headers = { ...person.token("/run"), "last-event-id": String(stream.events.at(-1)?.number ?? 0) }
    return open(world, `/run/api/conversations/${conversation}/stream`, { headers })
  },
  read: ({ id, data }) => (id === undefined ? undefined : { number: Number(id), data }),
}

/**
 * Opens the stream of all events of a page, whose event ids are cursors, as a page does before it sends a message.
 * Undefined when there was no connection.
 */
export async function openPage(world: World, person: StormPerson, conversation: string) {
  let cursor: string | undefined
  const path = `/run/api/events?conversation=${conversation}`
  const source: Source = {
    name: "page events",
    prefer: { prefer: "respond-async" },
    async open(reader, stream) {
      // Without a cursor, the page has missed what ended in the meantime, and reads the reply itself.
      if (cursor === undefined) return runStream.open(reader, stream)
      return open(world, path, { headers: { ...person.token("/run"), "last-event-id": cursor } })
    },
    read(streamEvent) {
      const { id, event, data } = streamEvent
      if (event === undefined) return runStream.read(streamEvent)
      if (id !== undefined) cursor = id
      if (event !== "reply") return undefined
      const { number, chunk } = JSON.parse(data) as { readonly number: number; readonly chunk: object }
      return { number, data: JSON.stringify(chunk) }
    },
  }
  const response = await open(world, path, { headers: person.token("/run") })
  if (response?.status === 200) return { source, response }
  await response?.body?.cancel()
  return undefined
}

/** Reads the stream over as many connections as it takes. */
export async function readAll(reader: Reader, stream: ReadStream, first: Response | undefined): Promise<void> {
  const { world, random } = reader
  let response = first
  while (!world.over.aborted) {
    response ??= await resume(reader, stream)
    if (response !== undefined && (await readOne(reader, stream, response))) return
    response = undefined
    world.history.count("readers that came back")
    await linger(world, random.between(50, 400))
  }
}

async function resume(reader: Reader, stream: ReadStream): Promise<Response | undefined> {
  const response = await reader.source.open(reader, stream)
  if (response?.status === 200) return response
  await response?.body?.cancel()
  return undefined
}

/** Reads one connection, and returns whether the reply has ended. Leaves in the middle, now and then. */
async function readOne(reader: Reader, stream: ReadStream, response: Response): Promise<boolean> {
  const leaveAfter = reader.random.chance(0.3) ? reader.random.between(1, 20) : Number.POSITIVE_INFINITY
  let count = 0
  try {
    for await (const event of eventsOf(response)) {
      if (event.data === "[DONE]") {
        if (!stream.hasEnd) stream.events.push({ number: -1, data: "[DONE] without an end" })
        return true
      }
      const numbered = reader.source.read(event)
      if (numbered === undefined) continue
      stream.events.push(numbered)
      const chunk = JSON.parse(numbered.data) as Chunk
      reader.onChunk(chunk)
      if (chunk.type === "finish" || chunk.type === "abort") stream.hasEnd = true
      if (stream.hasEnd || ++count >= leaveAfter) return stream.hasEnd
    }
  } catch {
    // The connection was cut: the reader comes back.
  } finally {
    await response.body?.cancel().catch(() => {})
  }
  return stream.hasEnd
}

export interface Chunk {
  readonly type: string
  readonly delta?: string
  readonly id?: string
  readonly errorText?: string
  readonly data?: {
    readonly type: string
    readonly elicitationId: string
    readonly status?: string
    readonly message?: string
  }
}

export const stoppedWords = "The reply was stopped."

/** The reply as a person reads it: what came before a reset is discarded. */
export function wordsOf({ events }: Pick<ReadStream, "events">): string {
  let steps = [""]
  for (const { data } of events) {
    const chunk = readChunk(data)
    if (chunk.type === "start-step") steps.push("")
    if (chunk.type === "reset-step") steps = [...steps.slice(0, -1), ""]
    if (chunk.type === "text-delta") steps.push(`${steps.pop() ?? ""}${chunk.delta ?? ""}`)
    if (chunk.type === "error") steps.push(`ERROR: ${chunk.errorText ?? ""}`)
    if (chunk.type === "abort") steps.push(stoppedWords)
  }
  return steps.join("\n").trim()
}

function readChunk(data: string): Chunk {
  return data.startsWith("{") ? (JSON.parse(data) as Chunk) : { type: "unknown" }
}

/** Reads the same reply again, from its first event. */
export async function compareWithLog({ world, person, conversation }: Reader, stream: ReadStream): Promise<void> {
  const path = `/run/api/conversations/${conversation}/stream`
  while (!world.over.aborted) {
    const response = await open(world, path, { headers: { ...person.token("/run"), "last-event-id": "0" } })
    try {
      const log: { number: number; data: string }[] = []
      if (response?.status === 200)
        for await (const { id, data } of eventsOf(response)) {
          if (data === "[DONE]") return void Object.assign(stream, { log })
          if (id !== undefined) log.push({ number: Number(id), data })
        }
    } catch {
      // Cut: read again.
    }
    await linger(world, 200)
  }
}

export async function open(world: World, path: string, init: RequestInit): Promise<Response | undefined> {
  try {
    const response = await fetch(`${world.url}${path}`, { ...init, signal: world.over })
    if (!response.headers.has("x-storm")) return response
    await response.body?.cancel()
  } catch {
    // It is unknown what became of it.
  }
  return undefined
}

/** The events of a response, without comments. */
async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  let text = ""
  for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += piece
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = text.slice(0, end)
      text = text.slice(end + 2)
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data !== undefined)
        yield { id: /^id: (.*)$/m.exec(event)?.[1], event: /^event: (.*)$/m.exec(event)?.[1], data }
    }
  }
}
