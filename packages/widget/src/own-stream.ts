// A source of events with a connection of its own: one stream for the reply that is under way.

import type { ChatEvent, Client } from "@holdpoint/sdk/client"
import { ClientError } from "@holdpoint/sdk/client"
import type { ConversationSource, SourceEvent } from "./source.ts"
import { isUnderWay } from "./source.ts"

export interface OwnStreamParts {
  readonly client: Client
  readonly agent: string | undefined
}

/** After the client has given up, it is tried again at this pace, and at once when the browser is online again. */
const tryAgainMs = 5_000

export function createOwnStream({ client, agent }: OwnStreamParts): ConversationSource {
  const followers = new Map<string, (event: SourceEvent) => void>()
  const report = (conversationId: string, event: SourceEvent): void => followers.get(conversationId)?.(event)
  const chatOf = (conversationId: string) => client.chat(conversationId, agent === undefined ? {} : { agent })
  const leaving = new Map<string, AbortController>()

  /** Reads to the end of the reply, over any number of lost connections. */
  async function read(conversationId: string, events: AsyncIterable<ChatEvent>, signal: AbortSignal): Promise<void> {
    let last = 0
    for (let reading = events; ; reading = chatOf(conversationId).resume(last, { signal })) {
      try {
        for await (const event of reading) {
          last = event.number ?? last
          report(conversationId, { type: "reply", event })
        }
        return
      } catch (error) {
        if (signal.aborted) return
        if (!isLost(error)) return report(conversationId, { type: "refused", error })
        report(conversationId, { type: "connection", isLost: true })
        await pause(signal)
      }
    }
  }

  return {
    follow({ id, loaded }, onEvent) {
      const controller = new AbortController()
      const { signal } = controller
      followers.set(id, onEvent)
      leaving.set(id, controller)
      if (isUnderWay(loaded)) void read(id, chatOf(id).resume(loaded?.reply?.number ?? 0, { signal }), signal)
      return () => {
        controller.abort()
        followers.delete(id)
      }
    },
    async post(conversationId, text) {
      const signal = leaving.get(conversationId)?.signal ?? new AbortController().signal
      const events = chatOf(conversationId).send(text, { signal })
      // The first event tells that the server has taken the message.
      const first = await events.next()
      if (first.done !== true) void read(conversationId, startingWith(first.value, events), signal)
    },
  }
}

async function* startingWith(first: ChatEvent, rest: AsyncIterable<ChatEvent>): AsyncGenerator<ChatEvent> {
  yield first
  yield* rest
}

const isLost = (error: unknown): boolean =>
  error instanceof ClientError && (error.status === undefined || error.status === 429 || error.status >= 500)

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer)
      removeEventListener("online", go)
      resolve()
    }
    const timer = setTimeout(go, tryAgainMs)
    addEventListener("online", go)
    signal.addEventListener("abort", go, { once: true })
  })
}
