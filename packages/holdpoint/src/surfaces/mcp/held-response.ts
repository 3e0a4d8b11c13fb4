// When a response begins. What can be answered soon is answered plainly: until then no header is sent, so that a proxy may
// send the request elsewhere when this process dies. A stream begins when the request is really held.

import type { Pulse } from "./pulse.ts"

export interface Holding {
  readonly pulse: Pulse
  /** Resolves when the request is held for a person. */
  readonly held: Promise<undefined>
  /** The client has gone. */
  readonly onGone: () => void
}

/** Of 2026-07-28. */
export async function respond(answering: Promise<Response>, { pulse, held, onGone }: Holding): Promise<Response> {
  return (await soon<Response | undefined>(pulse, answering, held)) ?? toStream(answering, pulse, onGone)
}

/** The body of a response that is being read. */
export interface Reading {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>
  /** What was read already, or is about to be. */
  readonly first: ReturnType<Reading["reader"]["read"]> | undefined
}

/** Of 2025: the SDK's stream, from when something is in it. Undefined for what is no stream. */
export async function whenBegun(response: Response, pulse: Pulse): Promise<Reading | undefined> {
  const reader = isStream(response) ? response.body?.getReader() : undefined
  if (reader === undefined) return undefined
  const first = reader.read()
  await soon(pulse, first)
  return { reader, first }
}

/** Undefined when it takes longer than proxies and clients wait for a header. */
async function soon<T>(pulse: Pulse, ...some: readonly Promise<T>[]): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>()
  const unbeat = pulse.add(() => late.resolve(undefined))
  return Promise.race([...some, late.promise]).finally(unbeat)
}

/** Says from time to time that it is there, and then what the answer is. */
function toStream(answering: Promise<Response>, pulse: Pulse, onGone: () => void): Response {
  const encoder = new TextEncoder()
  let unbeat = (): void => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      unbeat = pulse.add(() => controller.enqueue(encoder.encode(": keepalive\n\n")))
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

/** As the SDK's own. */
export const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  "x-accel-buffering": "no",
}
