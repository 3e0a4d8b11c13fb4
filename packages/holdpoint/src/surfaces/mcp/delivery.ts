// Whether what a request was answered with has reached its client. A call that was not delivered is taken up when it is made
// again, and one that was is never. A connection that took the last byte counts as delivery: more cannot be known.

import type { OpenCall } from "../../asking/open-call.ts"
import type { McpRequest } from "./request.ts"
import type { Connection, Incoming, Surface } from "./surface.ts"

/** From now on the request works on this call. */
export function workOn({ surface, connection, context, incoming }: McpRequest, call: OpenCall): void {
  incoming.call = call
  connection.onWork?.(context.mcpReq.id)
  surface.holds.answering(call, incoming)
  // The SDK answers no request that was taken back.
  const { signal } = context.mcpReq
  const giveUp = (): void => {
    if (incoming.isAnswered !== true) lost(surface, incoming)
  }
  signal.addEventListener("abort", giveUp, { once: true })
  if (incoming.isLost === true || signal.aborted) giveUp()
}

/** A stream also ends when its request was taken back: its last byte then carried no result. */
export function delivered({ report }: Pick<Surface, "report">, { call, isLost }: Incoming): void {
  if (isLost === true) return
  call?.delivered().catch((error: unknown) => report("putting away a call that was answered", error))
}

export function lost({ report }: Pick<Surface, "report">, incoming: Incoming): void {
  incoming.isLost = true
  incoming.call?.lost().catch((error: unknown) => report("noting that a client is gone", error))
}

/** The same response, which tells whether it was read to its end. */
export function watchDelivery(response: Response, { surface, incoming }: Connection): Response {
  const calls = [...incoming.values()]
  if (response.body === null || calls.length === 0) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        for (const one of calls) delivered(surface, one)
        controller.close()
      },
      cancel(reason) {
        for (const one of calls) lost(surface, one)
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}
