// When the requests that one server was made for are over: answered, whether or not anybody reads it, or given up.

import type { RequestId, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"
import { memberOf } from "./client.ts"

export interface Answers {
  /** All are over. */
  readonly over: Promise<void>
  /** All are over, and some have no answer. */
  readonly givenUp: Promise<void>
  /** The SDK answers no request that was taken back. */
  giveUp(id: RequestId): void
}

export function watchAnswers(transport: WebStandardStreamableHTTPServerTransport, ids: readonly RequestId[]): Answers {
  const waiting = new Set(ids)
  const over = Promise.withResolvers<void>()
  const givenUp = Promise.withResolvers<void>()
  let isShort = false
  const settle = (id: unknown): void => {
    if (!waiting.delete(id as RequestId) || waiting.size > 0) return
    over.resolve()
    if (isShort) givenUp.resolve()
  }
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    try {
      await send(message, options)
    } finally {
      if (!("method" in message)) settle(memberOf(message, "id"))
    }
  }
  const { onclose } = transport
  transport.onclose = () => {
    onclose?.()
    over.resolve()
    givenUp.resolve()
  }
  return {
    over: over.promise,
    givenUp: givenUp.promise,
    giveUp(id) {
      isShort ||= waiting.has(id)
      settle(id)
    },
  }
}
