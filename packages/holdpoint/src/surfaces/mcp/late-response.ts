// The response to a request of 2026-07-28, whose header is sent as late as possible: plain when the answer comes soon, a
// stream once the request is really held. Notes whether the client got the answer.

import { noteClientGone, noteDelivered, watchDelivery } from "./delivery.ts"
import { isStream, streamHeaders } from "./held-response.ts"
import type { Connection } from "./surface.ts"

export interface LateResponse {
  /** Aborted when the client stops reading the response. */
  readonly gone: AbortController
  /** Sends the header now; the answer follows on a stream. Does nothing when the response has begun. */
  begin(): void
  /** Responds with the answer. Resolves when the header can be sent. */
  respond(answering: Promise<Response>): Promise<Response>
  /** To be called when the client's request is aborted. An event listener's method, which needs no closure. */
  handleEvent(): void
}

type Requests = Pick<Connection, "surface" | "incoming">

interface State extends Requests, Pick<LateResponse, "gone"> {
  readonly response: Promise<Response>
  /** Settles `response`. Undefined once that was done. */
  header: Omit<PromiseWithResolvers<Response>, "promise"> | undefined
  /** The stream, if the response is one. */
  controller: ReadableStreamDefaultController<Uint8Array> | undefined
  /** The answer as events, once it is there. */
  events: AsyncIterator<Uint8Array> | undefined
  isForwarding: boolean
  unbeat: (() => void) | undefined
}

interface Source {
  start(controller: ReadableStreamDefaultController<Uint8Array>): void
  pull(): Promise<void>
  cancel(): void
}

type Late = LateResponse & State & Source

export function createLateResponse({ surface, incoming }: Requests): LateResponse {
  const { promise: response, resolve, reject } = Promise.withResolvers<Response>()
  const state: State = {
    ...{ surface, incoming, gone: new AbortController(), response, header: { resolve, reject } },
    ...{ controller: undefined, events: undefined, isForwarding: false, unbeat: undefined },
  }
  return Object.assign(Object.create(methods) as Late, state)
}

/** The shared prototype of all late responses, to save memory: many are held at the same time. */
const methods: Omit<Late, keyof State> & ThisType<Late> = {
  begin() {
    if (this.header === undefined) return
    this.header.resolve(new Response(new ReadableStream(this, { highWaterMark: 0 }), { headers: streamHeaders }))
    this.header = undefined
  },
  respond(answering) {
    this.unbeat = this.surface.heartbeat.add(() => beat(this))
    answering.then(
      (answer) => take(this, answer),
      (error: unknown) => fail(this, error),
    )
    return this.response
  },
  handleEvent() {
    this.gone.abort()
  },
  start(controller) {
    this.controller = controller
  },
  pull() {
    return forward(this)
  },
  cancel() {
    this.unbeat?.()
    for (const one of this.incoming.values()) noteClientGone(this.surface, one)
    this.gone.abort()
  },
}

const encoder = new TextEncoder()

/** Begins the response, or keeps its connection alive. A client that does not read is sent one heartbeat at most. */
function beat(late: Late): void {
  if (late.header !== undefined) late.begin()
  else if (late.controller?.desiredSize === 0) late.controller.enqueue(encoder.encode(": keepalive\n\n"))
}

function take(late: Late, answer: Response): void {
  if (late.header === undefined) {
    late.events = eventsOf(answer)
    void forward(late)
    return
  }
  late.unbeat?.()
  late.header.resolve(watchDelivery(answer, late))
  late.header = undefined
}

function fail(late: Late, error: unknown): void {
  late.unbeat?.()
  late.header?.reject(error)
  late.controller?.error(error)
}

/** Sends the next event. The client has got the answer when it asks for more than the last one. */
async function forward(late: Late): Promise<void> {
  const { events, controller } = late
  if (events === undefined || late.isForwarding) return
  late.isForwarding = true
  try {
    const { done, value } = await events.next()
    late.isForwarding = false
    if (done !== true) return controller?.enqueue(value)
    late.unbeat?.()
    for (const one of late.incoming.values()) noteDelivered(late.surface, one)
    controller?.close()
  } catch (error) {
    fail(late, error)
  }
}

async function* eventsOf(answer: Response): AsyncGenerator<Uint8Array> {
  if (isStream(answer) && answer.body !== null) yield* answer.body
  else yield encoder.encode(`event: message\ndata: ${JSON.stringify(await answer.json())}\n\n`)
}
