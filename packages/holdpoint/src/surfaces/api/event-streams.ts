// Server-sent events: sends lines immediately, and a comment as heartbeat, so that proxies and clients do not treat a
// silent connection as dead. One timer serves all streams.

import type { Runtime } from "../../ports/runtime.ts"
import type { StreamPlace } from "./stream-places.ts"

/** The open streams of server-sent events of a server. Created by `createEventStreams`. */
export interface EventStreams {
  /** Creates a response that streams these events. `leave` is aborted when the client disconnects, and by `close`. */
  respond(events: AsyncGenerator<string>, options: EventStreamOptions): Response
  /** Ends all streams. Their clients may reconnect. */
  close(): void
}

export interface EventStreamOptions {
  readonly leave: AbortController
  readonly headers?: Readonly<Record<string, string>>
  /** The place of this stream, which is released at its end. */
  readonly place: StreamPlace
}

/** The interval of heartbeats, shorter than the time after which proxies and clients close a silent connection. */
const heartbeatMs = 15_000

/** Creates responses of server-sent events, with a heartbeat every 15 s for all of them. */
export function createEventStreams(runtime: Pick<Runtime, "after">): EventStreams {
  const open = new Map<ReadableStreamDefaultController<Uint8Array>, AbortController>()
  let cancel: (() => void) | undefined
  const beat = (): void => {
    cancel = undefined
    // A client that does not read its stream is sent no further heartbeat.
    for (const controller of open.keys()) if ((controller.desiredSize ?? 0) > 0) controller.enqueue(heartbeat)
    arm()
  }
  const arm = (): void => {
    if (open.size > 0) cancel ??= runtime.after(heartbeatMs, beat)
  }
  return {
    respond(events, { leave, headers = {}, place }) {
      const end = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
        open.delete(controller)
        place.release()
      }
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          open.set(controller, leave)
          arm()
        },
        async pull(controller) {
          const { done, value } = await events.next().catch((error: unknown) => {
            end(controller)
            throw error
          })
          if (done !== true) return controller.enqueue(encoder.encode(value))
          end(controller)
          controller.close()
        },
        cancel() {
          for (const [controller, one] of open) if (one === leave) end(controller)
          leave.abort()
          // Ends the generator between two events, so that its `finally` blocks run.
          events.return(undefined).catch(() => {})
        },
      })
      return new Response(body, { headers: { ...eventHeaders, ...headers } })
    },
    close() {
      cancel?.()
      for (const leave of open.values()) leave.abort()
    },
  }
}

const encoder = new TextEncoder()
const heartbeat = encoder.encode(": waiting\n\n")

const eventHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  // Without this header, some proxies buffer the events.
  "x-accel-buffering": "no",
}
