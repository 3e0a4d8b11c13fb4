// Server-sent events: lines as they come, with a comment now and then so that no proxy or client takes the silence for a
// dead connection. One timer serves all streams.

import type { Runtime } from "../../ports/runtime.ts"

/** The open streams of server-sent events of a server. Made by `createEventStreams`. */
export interface EventStreams {
  /** Answers with these events. `leave` is called when the client goes away. */
  respond(events: AsyncGenerator<string>, options: EventStreamOptions): Response
  /** Ends all streams. Their clients may come again. */
  close(): void
}

export interface EventStreamOptions {
  readonly leave: AbortController
  readonly headers?: Readonly<Record<string, string>>
}

/** Below the shortest time after which proxies and clients give up a silent connection. */
const heartbeatMs = 15_000

/** Makes responses of server-sent events, with a comment every 15 s for all of them. */
export function createEventStreams(runtime: Pick<Runtime, "after">): EventStreams {
  const open = new Map<ReadableStreamDefaultController<Uint8Array>, AbortController>()
  let cancel: (() => void) | undefined
  const beat = (): void => {
    cancel = undefined
    for (const controller of open.keys()) controller.enqueue(heartbeat)
    arm()
  }
  const arm = (): void => {
    if (open.size > 0) cancel ??= runtime.after(heartbeatMs, beat)
  }
  return {
    respond(events, { leave, headers = {} }) {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          open.set(controller, leave)
          arm()
        },
        async pull(controller) {
          const { done, value } = await events.next().catch((error: unknown) => {
            open.delete(controller)
            throw error
          })
          if (done !== true) return controller.enqueue(encoder.encode(value))
          open.delete(controller)
          controller.close()
        },
        cancel() {
          for (const [controller, one] of open) if (one === leave) open.delete(controller)
          leave.abort()
          // Between two events nothing else would run what the generator has to do in the end.
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
  // Without it some proxies collect the events before they pass them on.
  "x-accel-buffering": "no",
}
