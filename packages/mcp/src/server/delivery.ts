// Tracks whether an answer has reached its client. A call whose answer was not delivered is continued when it is made
// again; a delivered call never is. An answer counts as delivered when the connection has accepted its last byte.

import type { OpenCall } from "@holdpoint/calls/internal"
import type { Reading } from "./held-response.ts"
import { isStream, readNext } from "./held-response.ts"
import type { McpRequest } from "./request.ts"
import type { Connection, Incoming, Surface } from "./surface.ts"

/** Links the request to the call that it continues, and records when its client gives up. */
export function attachCall({ surface, connection, context, incoming }: McpRequest, call: OpenCall): void {
  incoming.call = call
  connection.onWork?.(context.mcpReq.id)
  surface.holds.setPendingAnswer(call, incoming)
  // The signal aborts when the client cancels the request, which the SDK then never answers.
  const { signal } = context.mcpReq
  const giveUp = (): void => {
    if (incoming.isAnswered !== true) noteClientGone(surface, incoming)
  }
  signal.addEventListener("abort", giveUp, { once: true })
  if (incoming.isLost === true || signal.aborted) giveUp()
}

/** Called when a response was sent to its end. Ignored for a client that is gone: that stream ends without a result. */
export function noteDelivered({ report }: Pick<Surface, "report">, { call, isLost }: Incoming): void {
  if (isLost === true) return
  call?.noteDelivered().catch((error: unknown) => report("closing a call that was answered", error))
}

export function noteClientGone({ report }: Pick<Surface, "report">, incoming: Incoming): void {
  incoming.isLost = true
  incoming.call?.noteLost().catch((error: unknown) => report("noting that a client has disconnected", error))
}

/** Called when the client has resumed the stream. */
export function noteClientBack({ report }: Pick<Surface, "report">, incoming: Incoming): void {
  incoming.isLost = false
  incoming.call?.noteHeard().catch((error: unknown) => report("noting that a client has reconnected", error))
}

/**
 * Wraps a response to detect whether it was read to its end. `reading` is the body if reading has begun. A complete
 * answer of requests without a stored call is returned as it is, because nothing would be recorded: reading `body`
 * makes a stream of it, which takes longer to send.
 */
export function watchDelivery(
  response: Response,
  { surface, incoming }: Pick<Connection, "surface" | "incoming">,
  reading?: Reading,
): Response {
  const calls = [...incoming.values()]
  const isRecorded = isStream(response) ? calls.length > 0 : calls.some(({ call }) => call !== undefined)
  if ((!isRecorded && reading === undefined) || response.body === null) return response
  const { reader, firstChunk } = reading ?? { reader: response.body.getReader(), firstChunk: undefined }
  const watched = new WatchedBody(surface, calls, { reader, firstChunk })
  const { status, statusText, headers } = response
  return new Response(new ReadableStream(watched, { highWaterMark: 0 }), { status, statusText, headers })
}

/** The source of a response's body, which records whether the client has read it. */
class WatchedBody implements Reading {
  readonly reader: Reading["reader"]
  firstChunk: Reading["firstChunk"]
  readonly #surface: Surface
  readonly #calls: readonly Incoming[]

  constructor(surface: Surface, calls: readonly Incoming[], { reader, firstChunk }: Reading) {
    this.reader = reader
    this.firstChunk = firstChunk
    this.#surface = surface
    this.#calls = calls
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const { done, value } = await readNext(this)
    if (!done) return controller.enqueue(value)
    for (const incoming of this.#calls) noteDelivered(this.#surface, incoming)
    controller.close()
  }

  cancel(reason: unknown): Promise<void> {
    for (const incoming of this.#calls) noteClientGone(this.#surface, incoming)
    return this.reader.cancel(reason)
  }
}
