// The GET stream of a session: notifies its client of completed links that it was given, and of list changes. It
// carries nothing about other clients' questions.

import type { ServerEvent, ServerEventBus } from "@modelcontextprotocol/server"
import type { Principal } from "../../core/principal.ts"
import { canAnswer } from "../../core/principal.ts"
import type { Entry } from "../../ports/trail.ts"
import type { Sessions } from "./sessions.ts"
import type { Session } from "./state.ts"
import type { Surface } from "./surface.ts"
import { completeNotification } from "./wire.ts"

export interface Streams {
  open(request: Request, session: Session, listener: Principal): Promise<Response>
  end(session: Session): void
  close(): void
}

const keepAliveMs = 15_000

interface Listener {
  readonly session: Session
  readonly principal: Principal
  write(text: string): void
  end(): void
}

export function createStreams(surface: Surface, sessions: Sessions, bus?: ServerEventBus): Streams {
  const listeners = new Set<Listener>()
  const encoder = new TextEncoder()
  let stopKeepingAlive: (() => void) | undefined
  let unfollow: (() => void) | undefined

  /** Sends keep-alives to all streams from one timer, while there are any. */
  const keepAlive = (): void => {
    stopKeepingAlive ??= surface.runtime.after(keepAliveMs, () => {
      stopKeepingAlive = undefined
      for (const { write } of listeners) write(": keepalive\n\n")
      if (listeners.size > 0) keepAlive()
    })
  }

  /**
   * Notifies the client. Only the stream that removes the link from the list does so: once, even if the session has
   * several streams.
   */
  const tell = async ({ session, write }: Listener, elicitation: string): Promise<void> => {
    if (!(await sessions.redeem(session, elicitation))) return
    write(toEvent(completeNotification(elicitation)))
  }

  const changed = ({ kind }: ServerEvent): void => {
    // Only the author's handler of resources/subscribe knows which client watches which resource.
    if (kind === "resource_updated") return
    const method = `notifications/${kind.replace("_", "/")}`
    for (const { write } of listeners) write(toEvent({ jsonrpc: "2.0", method }))
  }
  const unsubscribe = bus?.subscribe(changed)

  const happened = ({ id, kind }: Entry): void => {
    if (kind !== "completed") return
    tellAll(id).catch((error: unknown) => surface.report("telling that a question is done", error))
  }

  /**
   * Notifies all listeners of a completed question. Reads the question once; only its audience can have been given it.
   */
  const tellAll = async (id: string): Promise<void> => {
    const elicitation = await surface.hub.get(id)
    if (elicitation === undefined) return
    const theirs = [...listeners].filter(({ principal }) => canAnswer(elicitation, principal))
    await Promise.all(theirs.map((listener) => tell(listener, id)))
  }

  /** Notifies a new listener of links that were completed before it listened. */
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
    async open(request, session, principal) {
      if (!request.headers.get("accept")?.includes("text/event-stream"))
        return Response.json({ jsonrpc: "2.0", id: null, error: notAcceptable }, { status: 406 })
      let listener: Listener | undefined
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          listener = {
            ...{ session, principal },
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
      unsubscribe?.()
      for (const listener of [...listeners]) {
        leave(listener)
        listener.end()
      }
    },
  }
}

const toEvent = (message: object): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`

const notAcceptable = { code: -32_000, message: "Not Acceptable: Client must accept text/event-stream" }
