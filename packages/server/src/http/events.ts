// Server-sent events: one for each step of this person's questions, so that an open inbox stays up to date.

import { isHoldpointError } from "@holdpoint/hub"
import { encodeEvents, eventStreamHeaders, keepOpen } from "@holdpoint/hub/internal"
import { toServerSentEvent } from "@holdpoint/hub/stream"
import type { Guest } from "./guest.ts"
import { respond } from "./respond.ts"
import type { Route, Site } from "./site.ts"

export const followInbox: Route = async ({ site, request }) => {
  const guest = await site.gate.enter(request, "inbox")
  // A 401 response makes an open page reload and show the sign-in, after its session was ended in another browser.
  if (guest instanceof Response) return respond(null, { status: 401 })
  // A HEAD request has no body, so a stream would never be read or closed.
  if (request.method === "HEAD") return respond(null, {})
  const streamPlace = site.places.take({ person: guest.principal })
  if (streamPlace === undefined) return respond(null, { status: 429, headers: { "retry-after": "60" } })
  const isStillThere = async (): Promise<boolean> => !((await site.gate.enter(request, "inbox")) instanceof Response)
  return respond(toStream({ site, guest, disconnected: request.signal, isStillThere, leave: streamPlace.release }), {
    headers: { ...eventStreamHeaders, "cache-control": "no-store, no-transform" },
  })
}

interface Follower {
  readonly site: Site
  readonly guest: Guest
  readonly disconnected: AbortSignal
  /**
   * Whether the person is still signed in. Checked before each event, because a session may end while its page is open.
   */
  readonly isStillThere: () => Promise<boolean>
  /** Called when the stream has ended. */
  readonly leave: () => void
}

function toStream(follower: Follower): ReadableStream<Uint8Array> {
  const { site, disconnected, leave } = follower
  const stop = new AbortController()
  let stopHeartbeat = (): void => {}
  return new ReadableStream({
    start(controller) {
      const send = (text: string): void => {
        if (!stop.signal.aborted) controller.enqueue(encodeEvents(text))
      }
      disconnected.addEventListener("abort", () => stop.abort(), { once: true })
      send(toServerSentEvent({ retry: 2000 }))
      stopHeartbeat = site.heartbeat.add(() => keepOpen(controller))
      void follow(follower, stop.signal, send)
        .catch((error: unknown) => {
          const isEnd = stop.signal.aborted || (isHoldpointError(error) && error.code === "closed")
          if (!isEnd) site.report("following an inbox", error)
        })
        .finally(() => {
          leave()
          stopHeartbeat()
          if (!stop.signal.aborted) controller.close()
        })
    },
    cancel() {
      leave()
      stopHeartbeat()
      stop.abort()
    },
  })
}

async function follow(
  { site, guest, isStillThere }: Follower,
  signal: AbortSignal,
  send: (text: string) => void,
): Promise<void> {
  const { principal } = guest
  for await (const { id, kind, status, position } of site.hub.watch({ principal }, { signal })) {
    if (!(await isStillThere())) return
    send(toServerSentEvent({ id: position, data: JSON.stringify({ id, kind, status }) }))
  }
}
