// When the requests that one server was made for are over: answered, whether or not anybody reads it, or given up. Many are
// held at once, so that callbacks stand here in place of promises.

import type { RequestId, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"
import { memberOf } from "./client.ts"

export interface Answers {
  /** Calls back when all are over. */
  whenOver(onOver: () => void): void
  /** What the SDK responds; nothing when all are over before that, and some have no answer. */
  orGivenUp(handled: Promise<Response>): Promise<Response>
  /** The SDK answers no request that was taken back. */
  giveUp(id: RequestId): void
}

interface State {
  waiting: readonly RequestId[]
  /** Some were given up. */
  isShort: boolean
  isOver: boolean
  onOver: () => void
  onGivenUp: () => void
}

export function watchAnswers(transport: WebStandardStreamableHTTPServerTransport, ids: readonly RequestId[]): Answers {
  const state: State = { waiting: ids, isShort: false, isOver: false, onOver: nothing, onGivenUp: nothing }
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
    answers.isShort = true
    end(answers)
  }
  return answers
}

const nothing = (): void => {}

const methods: Answers & ThisType<State & Answers> = {
  whenOver(onOver) {
    if (this.isOver) onOver()
    else this.onOver = onOver
  },
  async orGivenUp(handled) {
    const { promise, resolve } = Promise.withResolvers<Response>()
    this.onGivenUp = () => resolve(new Response(null, { status: 202 }))
    if (this.isOver && this.isShort) this.onGivenUp()
    try {
      return await Promise.race([handled, promise])
    } finally {
      // Else the response would be kept for as long as its request is held.
      this.onGivenUp = nothing
    }
  },
  giveUp(id) {
    this.isShort ||= this.waiting.includes(id)
    settle(this, id)
  },
}

function settle(state: State, id: unknown): void {
  if (!state.waiting.includes(id as RequestId)) return
  state.waiting = state.waiting.filter((other) => other !== id)
  if (state.waiting.length === 0) end(state)
}

function end(state: State): void {
  if (state.isOver) return
  state.isOver = true
  state.onOver()
  if (state.isShort) state.onGivenUp()
}
