// A source of events with a connection of its own: one stream for the reply that is under way.

import type { ChatEvent, Client } from "@holdpoint/sdk/client"
import { ClientError } from "@holdpoint/sdk/client"
import type { ConversationSource, SourceEvent } from "./source.ts"

export interface OwnStreamParts {
  readonly client: Client
  readonly agent: string | undefined
}

/** After the client has given up, it is tried again at this pace, and at once when the browser is online again. */
const tryAgainMs = 5_000

export function createOwnStream({ client, agent }: OwnStreamParts): ConversationSource {
  const followers = new Map<string, Set<(event: SourceEvent) => void>>()
  const report = (conversationId: string, event: SourceEvent): void => {
    for (const tell of followers.get(conversationId) ?? []) tell(event)
  }
  const chatOf = (conversationId: string) => client.chat(conversationId, agent === undefined ? {} : { agent })

  /** Reads to the end of the reply, over any number of lost connections. */
  async function read(conversationId: string, events: AsyncIterable<ChatEvent>, signal: AbortSignal): Promise<void> {
    let last = 0
    for (let reading = events; ; reading = chatOf(conversationId).resume(last, { signal })) {
      try {
        for await (const event of reading) {
          last = event.number ?? last
          report(conversationId, { type: "reply", event })
        }
        report(conversationId, { type: "idle" })
        return
      } catch (error) {
        if (signal.aborted) return
        if (!isLost(error)) {
          report(conversationId, isNothing(error) ? { type: "idle" } : { type: "refused", error })
          return
        }
        report(conversationId, { type: "connection", isLost: true })
        await pause(signal)
      }
    }
  }

  return {
    follow(conversationId, onEvent) {
      const controller = new AbortController()
      const all = followers.get(conversationId) ?? new Set()
      followers.set(conversationId, all.add(onEvent))
      const { signal } = controller
      void read(conversationId, chatOf(conversationId).resume(0, { signal }), signal)
      return () => {
        controller.abort()
        all.delete(onEvent)
      }
    },
    async post(conversationId, text) {
      const controller = new AbortController()
      const events = chatOf(conversationId).send(text, { signal: controller.signal })
      // The first event tells that the server has taken the message.
      const first = await events.next()
      if (first.done !== true) void read(conversationId, startingWith(first.value, events), controller.signal)
    },
  }
}

async function* startingWith(first: ChatEvent, rest: AsyncIterable<ChatEvent>): AsyncGenerator<ChatEvent> {
  yield first
  yield* rest
}

const isLost = (error: unknown): boolean =>
  error instanceof ClientError && (error.code === "disconnected" || error.status === undefined || error.status >= 500)

/** The conversation has not begun. */
const isNothing = (error: unknown): boolean => error instanceof ClientError && error.status === 404

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer)
      removeEventListener("online", go)
      resolve()
    }
    const timer = setTimeout(go, tryAgainMs)
    addEventListener("online", go)
    signal.addEventListener("abort", go)
  })
}
