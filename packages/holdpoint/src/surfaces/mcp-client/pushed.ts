// Calls of 2025 servers, which push their questions in the middle of a call: the call stays open in this process while
// the run that made it is suspended. A pushed question does not name its call, so there is one call at a time.

import { randomUUID } from "node:crypto"
import type { ElicitResult } from "@modelcontextprotocol/client"
import type { Asked } from "./answer.ts"
import type { Leg } from "./leg.ts"
import type { Settings } from "./settings.ts"
import type { Stopwatch } from "./stopwatch.ts"
import { startStopwatch } from "./stopwatch.ts"

/** A question that the server pushed. */
export interface PushedQuestion {
  readonly asked: Asked
  /** Aborted when the server no longer wants the answer. */
  readonly signal: AbortSignal
  /** Sends the reply. A second one is ignored. */
  reply(result: ElicitResult): void
}

export interface PushedCall {
  readonly isSent: boolean
  /** Sends the call. The signal is aborted when it has to end. */
  send(work: (signal: AbortSignal) => Promise<Leg>): void
  /** Resolves to the question of this number, or to undefined when the call has ended without it. */
  question(number: number): Promise<PushedQuestion | undefined>
  /** What came of the call. Rejects when it was not made, because its account has to be connected. */
  readonly end: Promise<Leg>
  cancel(reason: unknown): void
}

export interface PushedCalls {
  /** Prepares a call. Returns the name under which every run of the handler finds it in this process. */
  prepare(): string
  get(name: string): PushedCall | undefined
  forget(name: string): void
  /** Waits until no other call is open. `leave` gives the turn back unless the call was sent. */
  queue(call: PushedCall): { readonly granted: Promise<void>; leave(): void }
  onQuestion(asked: Asked, signal: AbortSignal): Promise<ElicitResult>
  close(): void
}

export function createPushedCalls(settings: Settings): PushedCalls {
  const calls = new Map<string, State>()
  const waiting: Turn[] = []
  let current: Turn | undefined

  const grant = (): void => {
    if (current !== undefined) return
    current = waiting.shift()
    current?.grant()
  }
  const release = (turn: Turn): void => {
    const at = waiting.indexOf(turn)
    if (at !== -1) waiting.splice(at, 1)
    if (current !== turn) return
    current = undefined
    grant()
  }
  return {
    prepare() {
      const name = randomUUID()
      calls.set(name, createCall(settings))
      forgetOld(calls)
      return name
    },
    get: (name) => calls.get(name),
    forget: (name) => void calls.delete(name),
    queue(given) {
      const call = given as State
      const { promise: granted, resolve } = Promise.withResolvers<void>()
      const turn: Turn = { call, grant: resolve }
      waiting.push(turn)
      const over = (): void => release(turn)
      call.end.then(over, over)
      grant()
      return {
        granted,
        leave() {
          if (!call.isSent) release(turn)
        },
      }
    },
    async onQuestion(asked, signal) {
      const call = current?.call
      return call?.isSent === true ? call.ask(asked, signal) : { action: "cancel" }
    },
    close() {
      for (const call of calls.values()) call.cancel(new Error("The connection is closed."))
    },
  }
}

/** Forgets ended calls whose runs were never resumed, the oldest first. */
function forgetOld(calls: Map<string, State>): void {
  for (const [name, { isOver }] of calls) {
    if (calls.size <= mostKept) return
    if (isOver) calls.delete(name)
  }
}

const mostKept = 1_000

interface Turn {
  readonly call: State
  readonly grant: () => void
}

interface State extends PushedCall {
  readonly isOver: boolean
  ask(asked: Asked, signal: AbortSignal): Promise<ElicitResult>
}

function createCall({ runtime, limits }: Settings): State {
  const questions: PushedQuestion[] = []
  const looking = new Set<() => void>()
  const { promise: end, resolve, reject } = Promise.withResolvers<Leg>()
  const stop = new AbortController()
  let watch: Stopwatch | undefined
  let isSent = false
  let isOver = false
  const tell = (): void => {
    for (const look of looking) look()
  }
  const stopFor = (words: string) => (): void => stop.abort(new Error(words))
  const limit = (ms: number): void => {
    watch?.end()
    watch = isOver ? undefined : startStopwatch(runtime, ms, stopFor("The server took too long."))
  }
  return {
    get isSent() {
      return isSent
    },
    get isOver() {
      return isOver
    },
    end,
    cancel: (reason) => stop.abort(reason),
    send(work) {
      if (isSent) return
      isSent = true
      limit(limits.callMs)
      const finish = (settle: () => void): void => {
        isOver = true
        watch?.end()
        for (const { reply } of questions) reply({ action: "cancel" })
        settle()
        tell()
      }
      work(stop.signal).then(
        (leg) => finish(() => resolve(leg)),
        (error: unknown) => finish(() => reject(error)),
      )
    },
    ask(asked, signal) {
      const { promise, resolve: answered } = Promise.withResolvers<ElicitResult>()
      watch?.pause()
      // A person who never answers, and a run that is never resumed, must not keep the server's call open.
      const endless = startStopwatch(runtime, limits.openMs, stopFor("The person took too long."))
      void promise.then(({ action }) => {
        endless.end()
        limit(asked.mode === "url" && action === "accept" ? limits.heldMs : limits.callMs)
      })
      signal.addEventListener("abort", () => answered({ action: "cancel" }), { once: true })
      questions.push({ asked, signal, reply: answered })
      tell()
      return promise
    },
    async question(number) {
      while (questions[number] === undefined && !isOver) {
        const { promise, resolve: look } = Promise.withResolvers<void>()
        looking.add(look)
        await promise
        looking.delete(look)
      }
      return questions[number]
    },
  }
}
