// A conversation source that reads the event stream shared by all tabs of the browser.

import type { Client, LoadedChat, RunEvent } from "@holdpoint/client"
import type { ConversationSource, FollowedConversation, SourceEvent } from "./conversation-source.ts"
import { isRefused } from "./refusals.ts"
import type { SharedEvents, SharedEventsOptions } from "./shared-events.ts"
import { createSharedEvents } from "./shared-events.ts"

export interface SharedStreamParts {
  readonly client: Client
  readonly agent: string | undefined
  readonly events: SharedEvents<RunEvent>
}

/** When the stream is silent about a conversation for this long, the chat compares its position with the server's. */
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
      let isEnded = false
      let timer: ReturnType<typeof setTimeout> | undefined
      const report = (event: SourceEvent): void => {
        if (!isEnded) onEvent(event)
      }
      const position = createPosition(conversation, report)
      // When the stream was already open, an event between the load and this subscription is missed. A failed
      // comparison is repeated after the next connection.
      const compareLater = (): void => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          if (!position.isVerified())
            chatOf(id)
              .load()
              .then(position.compare, () => {})
        }, quietMs)
      }
      const stop = events.follow(id, {
        event: position.advance,
        state(state) {
          isStopped = state === "refused"
          if (state === "connected") compareLater()
          // A refused stream is not reported, because the chat's next request is refused as well and shows the sign-in.
          if (!isStopped) report({ type: "connection", isLost: state === "lost" })
        },
      })
      reconnect()
      compareLater()
      return () => {
        isEnded = true
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

/** Tracks the position in a conversation, and reports `missed` when events between two positions are missing. */
function createPosition({ loaded }: FollowedConversation, onEvent: (event: SourceEvent) => void) {
  let lastPosition = { messageId: loaded?.reply?.messageId, number: loaded?.reply?.number ?? 0 }
  /** Whether an event or a comparison has confirmed the position since the conversation was loaded. */
  let isVerified = false
  const isNext = (messageId: string, number: number): boolean =>
    messageId === lastPosition.messageId ? number === lastPosition.number + 1 : number === 1
  return {
    isVerified: () => isVerified,
    advance(runEvent: RunEvent): void {
      if (runEvent.type !== "reply") return
      const { messageId, number, event } = runEvent
      isVerified = true
      if (messageId === lastPosition.messageId && number <= lastPosition.number) return
      const isMissing = !isNext(messageId, number)
      lastPosition = { messageId, number }
      if (isMissing) onEvent({ type: "missed" })
      else if (event !== undefined) onEvent({ type: "reply", messageId, event: { ...event, number } })
    },
    compare(loadedChat: LoadedChat | undefined): void {
      const { messageId, number = 0 } = loadedChat?.reply ?? {}
      const isBehind = messageId !== lastPosition.messageId || number > lastPosition.number
      if (!isVerified && isBehind) onEvent({ type: "missed" })
      isVerified = true
    },
  }
}

const openStreams = new Map<string, { readonly events: SharedEvents<RunEvent>; users: number }>()

/** Opens the stream of a server and person, which all elements and tabs share. The caller must close it after use. */
export function openSharedEvents(name: string, client: Client): SharedEvents<RunEvent> {
  const existing = openStreams.get(name)
  const sharedStream = existing ?? { events: createSharedEvents<RunEvent>(toOptions(name, client)), users: 0 }
  openStreams.set(name, sharedStream)
  sharedStream.users += 1
  let isClosed = false
  return {
    ...sharedStream.events,
    close() {
      if (isClosed) return
      isClosed = true
      sharedStream.users -= 1
      if (sharedStream.users > 0) return
      openStreams.delete(name)
      sharedStream.events.close()
    },
  }
}

function toOptions(name: string, client: Client): SharedEventsOptions<RunEvent> {
  return {
    name,
    locks: "locks" in navigator ? navigator.locks : undefined,
    isRefusal: isRefused,
    read: ({ onState, after, ...request }) =>
      client.events({
        ...request,
        ...(after === undefined ? {} : { after }),
        onConnection: (isOpen) => onState(isOpen ? "connected" : "lost"),
      }),
  }
}
