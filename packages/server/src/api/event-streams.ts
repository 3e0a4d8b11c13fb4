// The open streams of a server: each sends its events immediately and a comment as heartbeat, so that proxies and
// clients do not treat a silent connection as dead.

import type { Runtime } from "@holdpoint/hub"
import { createHeartbeat, encodeEvents, eventStreamHeaders, keepOpen } from "@holdpoint/hub/internal"
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

/** Creates responses of server-sent events, with a heartbeat every 15 s for all of them. */
export function createEventStreams(runtime: Pick<Runtime, "after">): EventStreams {
  const open = new Set<AbortController>()
  const heartbeat = createHeartbeat(runtime)
  return {
    respond(events, { leave, headers = {}, place }) {
      let stopHeartbeat = (): void => {}
      const end = (): void => {
        open.delete(leave)
        stopHeartbeat()
        place.release()
      }
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          open.add(leave)
          stopHeartbeat = heartbeat.add(() => keepOpen(controller))
        },
        async pull(controller) {
          const { done, value } = await events.next().catch((error: unknown) => {
            end()
            throw error
          })
          if (done !== true) return controller.enqueue(encodeEvents(value))
          end()
          controller.close()
        },
        cancel() {
          end()
          leave.abort()
          // Ends the generator between two events, so that its `finally` blocks run.
          events.return(undefined).catch(() => {})
        },
      })
      return new Response(body, { headers: { ...eventStreamHeaders, ...headers } })
    },
    close() {
      heartbeat.close()
      for (const leave of open) leave.abort()
    },
  }
}
