// The stream that a client of a session listens on: it is told that questions it was given are done, and nothing of
// anybody else's.

import type { Entry } from "../../ports/trail.ts"
import type { Sessions } from "./sessions.ts"
import type { Session } from "./state.ts"
import type { Surface } from "./surface.ts"
import { completeNotification } from "./wire.ts"

export interface Streams {
  open(request: Request, session: Session): Promise<Response>
  end(session: Session): void
  close(): void
}

const keepAliveMs = 15_000

interface Listener {
  readonly session: Session
  write(text: string): void
  end(): void
}

export function createStreams(surface: Surface, sessions: Sessions): Streams {
  const listeners = new Set<Listener>()
  const encoder = new TextEncoder()
  let stopKeepingAlive: (() => void) | undefined
  let unfollow: (() => void) | undefined

  /** One timer for all streams, while there are any. */
  const keepAlive = (): void => {
    stopKeepingAlive ??= surface.runtime.after(keepAliveMs, () => {
      stopKeepingAlive = undefined
      for (const { write } of listeners) write(": keepalive\n\n")
      if (listeners.size > 0) keepAlive()
    })
  }

  /** Whoever takes it off the list tells it: once, wherever else this session listens. */
  const tell = async ({ session, write }: Listener, elicitation: string): Promise<void> => {
    if (!(await sessions.keep(session, elicitation))) return
    write(`event: message\ndata: ${JSON.stringify(completeNotification(elicitation))}\n\n`)
  }

  const happened = ({ id, kind }: Entry): void => {
    if (kind !== "completed") return
    for (const listener of listeners)
      tell(listener, id).catch((error: unknown) => surface.report("telling that a question is done", error))
  }

  /** What was done while nobody listened. */
  const catchUp = async (listener: Listener): Promise<void> => {
    for (const id of await sessions.promised(listener.session)) {
      const elicitation = await surface.hub.get(id)
      if (elicitation?.status === "completed") await tell(listener, id)
    }
  }

  const leave = (listener: Listener): void => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    unfollow?.()
    unfollow = undefined
  }

  return {
    async open(request, session) {
      if (!request.headers.get("accept")?.includes("text/event-stream"))
        return Response.json({ jsonrpc: "2.0", id: null, error: notAcceptable }, { status: 406 })
      let listener: Listener | undefined
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          listener = {
            session,
            write: (text) => controller.enqueue(encoder.encode(text)),
            end: () => controller.close(),
          }
          listeners.add(listener)
          unfollow ??= surface.followers.followAll(happened)
          keepAlive()
          listener.write(": listening\n\n")
          catchUp(listener).catch((error: unknown) => surface.report("telling what is done", error))
        },
        cancel() {
          if (listener !== undefined) leave(listener)
        },
      })
      return new Response(body, {
        headers: { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" },
      })
    },
    end(session) {
      for (const listener of [...listeners]) {
        if (listener.session.id !== session.id) continue
        leave(listener)
        listener.end()
      }
    },
    close() {
      stopKeepingAlive?.()
      for (const listener of [...listeners]) {
        leave(listener)
        listener.end()
      }
    },
  }
}

const notAcceptable = { code: -32_000, message: "Not Acceptable: Client must accept text/event-stream" }
