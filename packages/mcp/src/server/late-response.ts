// The response to a request of 2026-07-28, whose header is sent as late as possible: plain when the answer comes soon,
// a stream once the request is held. Records whether the client received the answer.

import { encodeEvents, keepReadOpen } from "@holdpoint/hub/internal"
import { toServerSentEvent } from "@holdpoint/hub/stream"
import { noteClientGone, noteDelivered, watchDelivery } from "./delivery.ts"
import { isStream, streamHeaders } from "./held-response.ts"
import type { Connection } from "./surface.ts"

type Requests = Pick<Connection, "surface" | "incoming">

export class LateResponse {
  /** Aborted when the client stops reading the response. */
  readonly disconnected = new AbortController()
  readonly #surface: Requests["surface"]
  readonly #incoming: Requests["incoming"]
  readonly #response: Promise<Response>
  /** The functions that settle `response`. Undefined as soon as one of them was called. */
  #header: Omit<PromiseWithResolvers<Response>, "promise"> | undefined
  /** The stream, if the response is one. */
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  /** The answer as server-sent events. Undefined until the handler has answered. */
  #events: AsyncIterator<Uint8Array> | undefined
  #isForwarding = false
  #stopHeartbeat: (() => void) | undefined

  constructor({ surface, incoming }: Requests) {
    const { promise: response, resolve, reject } = Promise.withResolvers<Response>()
    this.#surface = surface
    this.#incoming = incoming
    this.#response = response
    this.#header = { resolve, reject }
  }

  /** Sends the header now; the answer follows on a stream. Does nothing when the response has begun. */
  begin(): void {
    if (this.#header === undefined) return
    this.#header.resolve(new Response(new ReadableStream(this, { highWaterMark: 0 }), { headers: streamHeaders }))
    this.#header = undefined
  }

  /** Responds with the answer. Resolves when the header can be sent. */
  respond(pendingResponse: Promise<Response>): Promise<Response> {
    this.#stopHeartbeat = this.#surface.heartbeat.add(() => this.#beat())
    pendingResponse.then(
      (answer) => this.#setAnswer(answer),
      (error: unknown) => this.#fail(error),
    )
    return this.#response
  }

  /** Called when the client's request is aborted. The object itself is the event listener, which saves a closure. */
  handleEvent(): void {
    this.disconnected.abort()
  }

  /** This and the next two are called by the stream, whose source the object is. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
  }

  pull(): Promise<void> {
    return this.#forward().catch((error: unknown) => this.#fail(error))
  }

  cancel(): void {
    this.#stopHeartbeat?.()
    for (const incoming of this.#incoming.values()) noteClientGone(this.#surface, incoming)
    this.disconnected.abort()
  }

  /** Begins the response, or keeps its connection alive. A client that does not read is sent one heartbeat at most. */
  #beat(): void {
    if (this.#header !== undefined) this.begin()
    else if (this.#controller !== undefined) keepReadOpen(this.#controller)
  }

  #setAnswer(answer: Response): void {
    if (this.#header === undefined) {
      this.#events = eventsOf(answer)
      this.#forward().catch((error: unknown) => this.#fail(error))
      return
    }
    this.#stopHeartbeat?.()
    this.#header.resolve(watchDelivery(answer, { surface: this.#surface, incoming: this.#incoming }))
    this.#header = undefined
  }

  #fail(error: unknown): void {
    this.#stopHeartbeat?.()
    this.#header?.reject(error)
    this.#controller?.error(error)
  }

  /** Sends the next event. A client that reads past the last event has received the answer. */
  async #forward(): Promise<void> {
    if (this.#events === undefined || this.#isForwarding) return
    this.#isForwarding = true
    const { done, value } = await this.#events.next()
    this.#isForwarding = false
    if (done !== true) return this.#controller?.enqueue(value)
    this.#stopHeartbeat?.()
    for (const incoming of this.#incoming.values()) noteDelivered(this.#surface, incoming)
    this.#controller?.close()
  }
}

async function* eventsOf(answer: Response): AsyncGenerator<Uint8Array> {
  if (isStream(answer) && answer.body !== null) yield* answer.body
  else yield encodeEvents(toServerSentEvent({ event: "message", data: JSON.stringify(await answer.json()) }))
}
