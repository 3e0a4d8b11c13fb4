// A source of events on the one stream that all tabs of the browser share.

import type { Client, LoadedChat, RunEvent } from "@holdpoint/sdk/client"
import { isRefused } from "./refusals.ts"
import type { SharedEvents, SharedEventsOptions } from "./shared-events.ts"
import { createSharedEvents } from "./shared-events.ts"
import type { ConversationSource, FollowedConversation, SourceEvent } from "./source.ts"

export interface SharedStreamParts {
  readonly client: Client
  readonly agent: string | undefined
  readonly events: SharedEvents<RunEvent>
}

/** A stream that has told nothing of a conversation for this long is compared with the conversation once. */
const quietMs = 400

export function createSharedStream({ client, agent, events }: SharedStreamParts): ConversationSource {
  const chatOf = (id: string) => client.chat(id, agent === undefined ? {} : { agent })
  let isStopped = false
  const reconnect = (): void => {
    if (isStopped) events.reconnect()
  }
  return {
    follow(conversation, onEvent) {
      const { id } = conversation
      let isOver = false
      let timer: ReturnType<typeof setTimeout> | undefined
      const tell = (event: SourceEvent): void => {
        if (!isOver) onEvent(event)
      }
      const position = createPosition(conversation, tell)
      // The stream may have been open before, and passed on what happened after the conversation was loaded. When this look
      // fails, the next connection leads to another one.
      const look = (): void => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          if (!position.isKnown())
            chatOf(id)
              .load()
              .then(position.compare, () => {})
        }, quietMs)
      }
      const stop = events.follow(id, {
        event: position.hear,
        state(state) {
          isStopped = state === "refused"
          if (state === "connected") look()
          // The chat's own requests are refused as well, and lead to a sign-in.
          if (!isStopped) tell({ type: "connection", isLost: state === "lost" })
        },
      })
      reconnect()
      look()
      return () => {
        isOver = true
        clearTimeout(timer)
        stop()
      }
    },
    async post(id, text) {
      await chatOf(id).post(text)
      reconnect()
    },
  }
}

/** How far a conversation was heard of. What was missed makes the chat load it again. */
function createPosition({ loaded }: FollowedConversation, onEvent: (event: SourceEvent) => void) {
  let last = { messageId: loaded?.reply?.messageId, number: loaded?.reply?.number ?? 0 }
  /** Whether the stream is known to have gone on where the loaded conversation ended. */
  let isKnown = false
  const isNext = (messageId: string, number: number): boolean =>
    messageId === last.messageId ? number === last.number + 1 : number === 1
  return {
    isKnown: () => isKnown,
    hear(told: RunEvent): void {
      if (told.type !== "reply") return
      const { messageId, number, event } = told
      isKnown = true
      if (messageId === last.messageId && number <= last.number) return
      const isMissing = !isNext(messageId, number)
      last = { messageId, number }
      if (isMissing) onEvent({ type: "missed" })
      else if (event !== undefined) onEvent({ type: "reply", messageId, event: { ...event, number } })
    },
    compare(now: LoadedChat | undefined): void {
      const { messageId, number = 0 } = now?.reply ?? {}
      const isBehind = messageId !== last.messageId || number > last.number
      if (!isKnown && isBehind) onEvent({ type: "missed" })
      isKnown = true
    },
  }
}

const open = new Map<string, { readonly events: SharedEvents<RunEvent>; users: number }>()

/** The stream of a server and person, shared by the elements of this page and by its tabs. Close it after use. */
export function openSharedEvents(name: string, client: Client): SharedEvents<RunEvent> {
  const known = open.get(name)
  const kept = known ?? { events: createSharedEvents<RunEvent>(toOptions(name, client)), users: 0 }
  open.set(name, kept)
  kept.users += 1
  let isClosed = false
  return {
    ...kept.events,
    close() {
      if (isClosed) return
      isClosed = true
      kept.users -= 1
      if (kept.users > 0) return
      open.delete(name)
      kept.events.close()
    },
  }
}

function toOptions(name: string, client: Client): SharedEventsOptions<RunEvent> {
  return {
    name,
    locks: "locks" in navigator ? navigator.locks : undefined,
    isRefusal: isRefused,
    read: ({ onState, after, ...wanted }) =>
      client.events({
        ...wanted,
        ...(after === undefined ? {} : { after }),
        onConnection: (isOpen) => onState(isOpen ? "connected" : "lost"),
      }),
  }
}
