// The GET stream of a session: notifies its client of its own completed links, and of list changes. The stream contains
// nothing about other clients' questions.

import type { Entry, Principal } from "@holdpoint/hub"
import { canAnswer } from "@holdpoint/hub"
import { encodeEvents, eventStreamHeaders, keepOpen, toEventComment } from "@holdpoint/hub/internal"
import { toServerSentEvent } from "@holdpoint/hub/stream"
import type { ServerEvent, ServerEventBus } from "@modelcontextprotocol/server"
import type { Sessions } from "./sessions.ts"
import type { Session } from "./state.ts"
import type { Surface } from "./surface.ts"
import { completeNotification } from "./wire.ts"

export interface Streams {
  open(request: Request, session: Session, listener: Principal): Promise<Response>
  end(session: Session): void
  close(): void
}

interface Listener {
  readonly session: Session
  readonly principal: Principal
  write(text: string): void
  stopHeartbeat(): void
  end(): void
}

export function createStreams(surface: Surface, sessions: Sessions, bus?: ServerEventBus): Streams {
  const listeners = new Set<Listener>()
  let unfollow: (() => void) | undefined

  /**
   * Notifies the client. Only the stream that removes the link from the list does so: once, even if the session has
   * several streams.
   */
  const notify = async ({ session, write }: Listener, elicitation: string): Promise<void> => {
    if (!(await sessions.removeLink(session, elicitation))) return
    write(toEvent(completeNotification(elicitation)))
  }

  const onListChanged = ({ kind }: ServerEvent): void => {
    // Only the author's handler of resources/subscribe knows which client watches which resource.
    if (kind === "resource_updated") return
    const method = `notifications/${kind.replace("_", "/")}`
    for (const { write } of listeners) write(toEvent({ jsonrpc: "2.0", method }))
  }
  const unsubscribe = bus?.subscribe(onListChanged)

  const onEntry = ({ id, kind }: Entry): void => {
    if (kind !== "completed") return
    notifyAll(id).catch((error: unknown) => surface.report("notifying a client of a completed question", error))
  }

  /**
   * Notifies all listeners of a completed question. Reads the question once. Only listeners in its audience can have
   * received its link.
   */
  const notifyAll = async (id: string): Promise<void> => {
    const elicitation = await surface.hub.get(id)
    if (elicitation === undefined) return
    const audience = [...listeners].filter(({ principal }) => canAnswer(elicitation, principal))
    await Promise.all(audience.map((listener) => notify(listener, id)))
  }

  /** Notifies a new listener of links that were completed before its stream was opened. */
  const catchUp = async (listener: Listener): Promise<void> => {
    for (const id of await sessions.pendingLinks(listener.session)) {
      const elicitation = await surface.hub.get(id)
      if (elicitation?.status === "completed") await notify(listener, id)
    }
  }

  const leave = (listener: Listener): void => {
    listeners.delete(listener)
    listener.stopHeartbeat()
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
            session,
            principal,
            write: (text) => controller.enqueue(encodeEvents(text)),
            stopHeartbeat: surface.heartbeat.add(() => keepOpen(controller)),
            end: () => controller.close(),
          }
          listeners.add(listener)
          unfollow ??= surface.followers.followAll(onEntry)
          listener.write(toEventComment("listening"))
          catchUp(listener).catch((error: unknown) =>
            surface.report("notifying a client of completed questions", error),
          )
        },
        cancel() {
          if (listener !== undefined) leave(listener)
        },
      })
      return new Response(body, { headers: eventStreamHeaders })
    },
    end(session) {
      for (const listener of [...listeners]) {
        if (listener.session.id !== session.id) continue
        leave(listener)
        listener.end()
      }
    },
    close() {
      unsubscribe?.()
      for (const listener of [...listeners]) {
        leave(listener)
        listener.end()
      }
    },
  }
}

const toEvent = (message: object): string => toServerSentEvent({ event: "message", data: JSON.stringify(message) })

const notAcceptable = { code: -32_000, message: "Not Acceptable: Client must accept text/event-stream" }
