// The response to a request of 2026-07-28, whose header is sent as late as possible: plain when the answer comes soon,
// a stream once the request is held. Records whether the client received the answer.

import { encodeEvents, keepReadOpen } from "@holdpoint/hub/internal"
import { toServerSentEvent } from "@holdpoint/hub/stream"
import { noteClientGone, noteDelivered, watchDelivery } from "./delivery.ts"
import { isStream, streamHeaders } from "./held-response.ts"
import type { Connection } from "./surface.ts"

export interface LateResponse {
  /** Aborted when the client stops reading the response. */
  readonly disconnected: AbortController
  /** Sends the header now; the answer follows on a stream. Does nothing when the response has begun. */
  begin(): void
  /** Responds with the answer. Resolves when the header can be sent. */
  respond(pendingResponse: Promise<Response>): Promise<Response>
  /** Called when the client's request is aborted. The object itself is the event listener, which saves a closure. */
  handleEvent(): void
}

type Requests = Pick<Connection, "surface" | "incoming">

interface State extends Requests, Pick<LateResponse, "disconnected"> {
  readonly response: Promise<Response>
  /** The functions that settle `response`. Undefined as soon as one of them was called. */
  header: Omit<PromiseWithResolvers<Response>, "promise"> | undefined
  /** The stream, if the response is one. */
  controller: ReadableStreamDefaultController<Uint8Array> | undefined
  /** The answer as server-sent events. Undefined until the handler has answered. */
  events: AsyncIterator<Uint8Array> | undefined
  isForwarding: boolean
  stopHeartbeat: (() => void) | undefined
}

interface Source {
  start(controller: ReadableStreamDefaultController<Uint8Array>): void
  pull(): Promise<void>
  cancel(): void
}

type LateState = LateResponse & State & Source

export function createLateResponse({ surface, incoming }: Requests): LateResponse {
  const { promise: response, resolve, reject } = Promise.withResolvers<Response>()
  const state: State = {
    ...{ surface, incoming, disconnected: new AbortController(), response, header: { resolve, reject } },
    ...{ controller: undefined, events: undefined, isForwarding: false, stopHeartbeat: undefined },
  }
  return Object.assign(Object.create(methods) as LateState, state)
}

/** The shared prototype of all late responses, to save memory: many are held at the same time. */
const methods: Omit<LateState, keyof State> & ThisType<LateState> = {
  begin() {
    if (this.header === undefined) return
    this.header.resolve(new Response(new ReadableStream(this, { highWaterMark: 0 }), { headers: streamHeaders }))
    this.header = undefined
  },
  respond(pendingResponse) {
    this.stopHeartbeat = this.surface.heartbeat.add(() => beat(this))
    pendingResponse.then(
      (answer) => setAnswer(this, answer),
      (error: unknown) => fail(this, error),
    )
    return this.response
  },
  handleEvent() {
    this.disconnected.abort()
  },
  start(controller) {
    this.controller = controller
  },
  pull() {
    return forward(this).catch((error: unknown) => fail(this, error))
  },
  cancel() {
    this.stopHeartbeat?.()
    for (const incoming of this.incoming.values()) noteClientGone(this.surface, incoming)
    this.disconnected.abort()
  },
}

/** Begins the response, or keeps its connection alive. A client that does not read is sent one heartbeat at most. */
function beat(state: LateState): void {
  if (state.header !== undefined) state.begin()
  else if (state.controller !== undefined) keepReadOpen(state.controller)
}

function setAnswer(state: LateState, answer: Response): void {
  if (state.header === undefined) {
    state.events = eventsOf(answer)
    forward(state).catch((error: unknown) => fail(state, error))
    return
  }
  state.stopHeartbeat?.()
  state.header.resolve(watchDelivery(answer, state))
  state.header = undefined
}

function fail(state: LateState, error: unknown): void {
  state.stopHeartbeat?.()
  state.header?.reject(error)
  state.controller?.error(error)
}

/** Sends the next event. A client that reads past the last event has received the answer. */
async function forward(state: LateState): Promise<void> {
  const { events, controller } = state
  if (events === undefined || state.isForwarding) return
  state.isForwarding = true
  const { done, value } = await events.next()
  state.isForwarding = false
  if (done !== true) return controller?.enqueue(value)
  state.stopHeartbeat?.()
  for (const incoming of state.incoming.values()) noteDelivered(state.surface, incoming)
  controller?.close()
}

async function* eventsOf(answer: Response): AsyncGenerator<Uint8Array> {
  if (isStream(answer) && answer.body !== null) yield* answer.body
  else yield encodeEvents(toServerSentEvent({ event: "message", data: JSON.stringify(await answer.json()) }))
}
