// Server-sent events: how an event is written, the headers of a stream, and the heartbeat that keeps silent streams
// open. HTML standard, section 9.2. Pure: the timer is an argument.

/** One event of a stream. A client resumes after the last `id` that it received. */
export interface ServerSentEvent {
  readonly id?: string | number | undefined
  /** The type of the event. Clients take “message” when there is none. */
  readonly event?: string | undefined
  /** How long the client waits, in milliseconds, before it connects again. */
  readonly retry?: number | undefined
  readonly data?: string | undefined
}

/** The text of an event. A line break in `data` begins another line of data. */
export function toServerSentEvent({ id, event, retry, data }: ServerSentEvent): string {
  let lines = ""
  if (id !== undefined) lines += toEventLine("id", id)
  if (event !== undefined) lines += toEventLine("event", event)
  if (retry !== undefined) lines += toEventLine("retry", retry)
  if (data !== undefined) for (const line of linesOf(data)) lines += `data: ${line}\n`
  return `${lines}\n`
}

/** One line of an event. Line breaks and NUL are removed: they would end the line, or make clients ignore the id. */
export const toEventLine = (name: "id" | "event" | "retry", value: string | number): string =>
  `${name}: ${String(value).replaceAll(lineEnds, "")}\n`

const lineEnds = /[\r\n\0]/g

const linesOf = (data: string): readonly string[] => (/[\r\n]/.test(data) ? data.split(/\r\n|\r|\n/) : [data])

/** A line that clients ignore. */
export const toEventComment = (text: string): string => `: ${text.replaceAll(lineEnds, "")}\n\n`

/** The headers of a stream. Without the last one, some proxies buffer the events. */
export const eventStreamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const

export const encodeEvents = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

const encoder = new TextEncoder()

const heartbeatComment = encoder.encode(toEventComment("keepalive"))

/** Sends a comment, unless earlier data is still unread: a client that does not read is sent no more of them. */
export function keepOpen(controller: ReadableStreamDefaultController<Uint8Array>): void {
  if ((controller.desiredSize ?? 0) > 0) controller.enqueue(heartbeatComment)
}

/** Like `keepOpen`, for a stream without a buffer: sends the comment while the client waits for data. */
export function keepReadOpen(controller: ReadableStreamDefaultController<Uint8Array>): void {
  if (controller.desiredSize === 0) controller.enqueue(heartbeatComment)
}

/** One timer for all streams and held requests of a server. */
export interface Heartbeat {
  /** Calls `beat` at every heartbeat. Returns an unsubscribe function. */
  add(beat: () => void): () => void
  close(): void
}

/** The interval, several times shorter than the minute after which proxies and impatient clients give up. */
export const heartbeatMs = 15_000

export function createHeartbeat({ after }: HeartbeatTimer): Heartbeat {
  const beats = new Set<() => void>()
  let cancel: (() => void) | undefined
  const arm = (): void => {
    cancel ??= after(heartbeatMs, () => {
      cancel = undefined
      for (const beat of beats) beat()
      if (beats.size > 0) arm()
    })
  }
  return {
    add(beat) {
      beats.add(beat)
      arm()
      return () => {
        beats.delete(beat)
      }
    },
    close() {
      cancel?.()
      beats.clear()
    },
  }
}

export interface HeartbeatTimer {
  /** Calls back once after about `delayMs`. Returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void
}
