// Tracks when the requests of one server are over: answered (even if the client does not read the answer) or given up.
// Uses callbacks instead of promises to save memory, because many requests are held at once.

import type { RequestId, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"
import { memberOf } from "./client.ts"

const doNothing = (): void => {}

export class Answers {
  #unansweredIds: readonly RequestId[]
  /** Whether at least one request was given up. */
  #hasGivenUp = false
  #isOver = false
  #onEnd = doNothing
  #onGivenUp = doNothing

  constructor(ids: readonly RequestId[]) {
    this.#unansweredIds = ids
  }

  /** Calls `callback` when every request is answered or given up. */
  callOnEnd(callback: () => void): void {
    if (this.#isOver) callback()
    else this.#onEnd = callback
  }

  /**
   * Resolves to the SDK's response, or to an empty response when every request is over and at least one was given up.
   */
  async untilGivenUp(response: Promise<Response>): Promise<Response> {
    const { promise, resolve } = Promise.withResolvers<Response>()
    this.#onGivenUp = () => resolve(new Response(null, { status: 202 }))
    if (this.#isOver && this.#hasGivenUp) this.#onGivenUp()
    try {
      return await Promise.race([response, promise])
    } finally {
      // Drops the callback, which would keep the response in memory for as long as its request is held.
      this.#onGivenUp = doNothing
    }
  }

  /** Marks a request as given up: the SDK does not answer cancelled requests. */
  giveUp(id: RequestId): void {
    this.#hasGivenUp ||= this.#unansweredIds.includes(id)
    this.settle(id)
  }

  settle(id: unknown): void {
    if (!this.#unansweredIds.includes(id as RequestId)) return
    this.#unansweredIds = this.#unansweredIds.filter((other) => other !== id)
    if (this.#unansweredIds.length === 0) this.#end()
  }

  /** Called when the transport is closed. */
  giveUpAll(): void {
    this.#hasGivenUp = true
    this.#end()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onEnd()
    if (this.#hasGivenUp) this.#onGivenUp()
  }
}

export function watchAnswers(transport: WebStandardStreamableHTTPServerTransport, ids: readonly RequestId[]): Answers {
  const answers = new Answers(ids)
  const { send, onclose } = transport
  transport.send = async (message, options) => {
    try {
      await send.call(transport, message, options)
    } finally {
      if (!("method" in message)) answers.settle(memberOf(message, "id"))
    }
  }
  transport.onclose = () => {
    onclose?.()
    answers.giveUpAll()
  }
  return answers
}
