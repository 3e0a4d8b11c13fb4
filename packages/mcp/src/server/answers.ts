// Tracks when the requests of one server are over: answered (even if the client does not read the answer) or given up.
// Uses callbacks instead of promises to save memory, because many requests are held at once.

import type { RequestId, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"
import { memberOf } from "./client.ts"

export interface Answers {
  /** Calls `callback` when every request is answered or given up. */
  callOnEnd(callback: () => void): void
  /**
   * Resolves to the SDK's response, or to an empty response when every request is over and at least one was given up.
   */
  untilGivenUp(response: Promise<Response>): Promise<Response>
  /** Marks a request as given up: the SDK does not answer cancelled requests. */
  giveUp(id: RequestId): void
}

interface State {
  unansweredIds: readonly RequestId[]
  /** Whether at least one request was given up. */
  hasGivenUp: boolean
  isOver: boolean
  onEnd: () => void
  onGivenUp: () => void
}

export function watchAnswers(transport: WebStandardStreamableHTTPServerTransport, ids: readonly RequestId[]): Answers {
  const state: State = {
    ...{ unansweredIds: ids, hasGivenUp: false, isOver: false },
    ...{ onEnd: doNothing, onGivenUp: doNothing },
  }
  const answers: State & Answers = Object.assign(Object.create(methods) as Answers, state)
  const { send, onclose } = transport
  transport.send = async (message, options) => {
    try {
      await send.call(transport, message, options)
    } finally {
      if (!("method" in message)) settle(answers, memberOf(message, "id"))
    }
  }
  transport.onclose = () => {
    onclose?.()
    answers.hasGivenUp = true
    end(answers)
  }
  return answers
}

const doNothing = (): void => {}

const methods: Answers & ThisType<State & Answers> = {
  callOnEnd(callback) {
    if (this.isOver) callback()
    else this.onEnd = callback
  },
  async untilGivenUp(response) {
    const { promise, resolve } = Promise.withResolvers<Response>()
    this.onGivenUp = () => resolve(new Response(null, { status: 202 }))
    if (this.isOver && this.hasGivenUp) this.onGivenUp()
    try {
      return await Promise.race([response, promise])
    } finally {
      // Drops the callback, which would keep the response in memory for as long as its request is held.
      this.onGivenUp = doNothing
    }
  },
  giveUp(id) {
    this.hasGivenUp ||= this.unansweredIds.includes(id)
    settle(this, id)
  },
}

function settle(state: State, id: unknown): void {
  if (!state.unansweredIds.includes(id as RequestId)) return
  state.unansweredIds = state.unansweredIds.filter((other) => other !== id)
  if (state.unansweredIds.length === 0) end(state)
}

function end(state: State): void {
  if (state.isOver) return
  state.isOver = true
  state.onEnd()
  if (state.hasGivenUp) state.onGivenUp()
}
