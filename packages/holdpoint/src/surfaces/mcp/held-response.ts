// When a response begins. A request that can be answered soon gets a plain response: no header is sent before, so that
// a proxy may retry elsewhere when this process dies. A stream begins only when the request is really held.

import type { Heartbeat } from "./heartbeat.ts"

export interface Holding {
  readonly heartbeat: Heartbeat
  /** Resolves when the request is held for a person. */
  readonly held: Promise<undefined>
  /** Called when the client has disconnected. */
  readonly onGone: () => void
}

/** Responds to a request of 2026-07-28. */
export async function respond(answering: Promise<Response>, { heartbeat, held, onGone }: Holding): Promise<Response> {
  return (await soon<Response | undefined>(heartbeat, answering, held)) ?? toStream(answering, heartbeat, onGone)
}

/** The body of a response that is being read. */
export interface Reading {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>
  /** The first chunk, if it was already requested. */
  first: ReturnType<Reading["reader"]["read"]> | undefined
}

/** Requests the next chunk, and keeps no reference to the first one. */
export function readNext(reading: Reading): ReturnType<Reading["reader"]["read"]> {
  const next = reading.first ?? reading.reader.read()
  reading.first = undefined
  return next
}

/** Waits until the SDK's stream for a 2025 client has data. Undefined when the response is not a stream. */
export async function whenBegun(response: Response, heartbeat: Heartbeat): Promise<Reading | undefined> {
  const reader = isStream(response) ? response.body?.getReader() : undefined
  if (reader === undefined) return undefined
  const first = reader.read()
  await soon(heartbeat, first)
  return { reader, first }
}

/** Resolves to the first result. Undefined when it takes longer than proxies and clients wait for a header. */
async function soon<T>(heartbeat: Heartbeat, ...some: readonly Promise<T>[]): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>()
  const unbeat = heartbeat.add(() => late.resolve(undefined))
  return Promise.race([...some, late.promise]).finally(unbeat)
}

/** A stream that sends a heartbeat from time to time, and then the answer. */
function toStream(answering: Promise<Response>, heartbeat: Heartbeat, onGone: () => void): Response {
  const encoder = new TextEncoder()
  let unbeat = (): void => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      unbeat = heartbeat.add(() => controller.enqueue(encoder.encode(": keepalive\n\n")))
      writeAnswer(answering, (part) => controller.enqueue(part)).then(
        () => {
          unbeat()
          controller.close()
        },
        (error: unknown) => {
          unbeat()
          controller.error(error)
        },
      )
    },
    cancel() {
      unbeat()
      onGone()
    },
  })
  return new Response(body, { headers: streamHeaders })
}

async function writeAnswer(answering: Promise<Response>, write: (part: Uint8Array) => void): Promise<void> {
  const response = await answering
  if (isStream(response) && response.body !== null) {
    for await (const part of response.body) write(part)
    return
  }
  write(new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(await response.json())}\n\n`))
}

export const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true

/** The same headers that the SDK sends. */
export const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  "x-accel-buffering": "no",
}
