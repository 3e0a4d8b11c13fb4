// Calls of servers of revision 2025-11-25, which push questions in the middle of a call: the call stays open in this
// process while the run that made it is suspended. A pushed question does not name its call, so only one call is open
// at a time.

import { randomUUID } from "node:crypto"
import type { ElicitResult } from "@modelcontextprotocol/client"
import type { ElicitParams } from "./answer.ts"
import type { Settings } from "./settings.ts"
import type { Stopwatch } from "./stopwatch.ts"
import { startStopwatch } from "./stopwatch.ts"
import type { ToolResponse } from "./tool-response.ts"
import { tooManyQuestionsWords } from "./words.ts"

/** A question that the server pushed. */
export interface PushedQuestion {
  readonly params: ElicitParams
  /** Aborted when the server no longer wants the answer. */
  readonly signal: AbortSignal
  /** Sends the reply. A second reply is ignored. */
  reply(result: ElicitResult): void
}

export interface PushedCall {
  readonly isSent: boolean
  /** Sends the call. The signal is aborted when the call must end. */
  send(work: (signal: AbortSignal) => Promise<ToolResponse>): void
  /** Resolves to the question of this number, or to undefined when the call has ended without it. */
  question(number: number): Promise<PushedQuestion | undefined>
  /** The result of the call. Rejects when the call was not made because its account must be connected first. */
  readonly end: Promise<ToolResponse>
  cancel(reason: unknown): void
}

export interface PushedCalls {
  /** Prepares a call. Returns the name with which every run of the handler gets the call in this process. */
  prepare(): string
  get(name: string): PushedCall | undefined
  forget(name: string): void
  /** Queues the call until no other call is open. `leave` removes it from the queue, unless it was sent. */
  queue(call: PushedCall): { readonly granted: Promise<void>; leave(): void }
  onQuestion(params: ElicitParams, signal: AbortSignal): Promise<ElicitResult>
  close(): void
}

export function createPushedCalls(settings: Settings): PushedCalls {
  const calls = new Map<string, CallState>()
  const queue: QueueEntry[] = []
  let current: QueueEntry | undefined

  const grant = (): void => {
    if (current !== undefined) return
    current = queue.shift()
    current?.grant()
  }
  const release = (entry: QueueEntry): void => {
    const index = queue.indexOf(entry)
    if (index !== -1) queue.splice(index, 1)
    if (current !== entry) return
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
    queue(queuedCall) {
      const call = queuedCall as CallState
      const { promise: granted, resolve } = Promise.withResolvers<void>()
      const entry: QueueEntry = { call, grant: resolve }
      queue.push(entry)
      const releaseEntry = (): void => release(entry)
      call.end.then(releaseEntry, releaseEntry)
      grant()
      return {
        granted,
        leave() {
          if (!call.isSent) release(entry)
        },
      }
    },
    async onQuestion(params, signal) {
      const call = current?.call
      return call?.isSent === true ? call.ask(params, signal) : { action: "cancel" }
    },
    close() {
      for (const call of calls.values()) call.cancel(new Error("The connection is closed."))
    },
  }
}

/** Forgets ended calls whose runs were never resumed, the oldest first. */
function forgetOld(calls: Map<string, CallState>): void {
  for (const [name, { isOver }] of calls) {
    if (calls.size <= mostCalls) return
    if (isOver) calls.delete(name)
  }
}

const mostCalls = 1_000

interface QueueEntry {
  readonly call: CallState
  readonly grant: () => void
}

interface CallState extends PushedCall {
  readonly isOver: boolean
  ask(params: ElicitParams, signal: AbortSignal): Promise<ElicitResult>
}

function createCall(settings: Settings): CallState {
  const { runtime, limits } = settings
  const questions: PushedQuestion[] = []
  const waiters = new Set<() => void>()
  const { promise: end, resolve, reject } = Promise.withResolvers<ToolResponse>()
  const stop = new AbortController()
  let stopwatch: Stopwatch | undefined
  let isSent = false
  let isOver = false
  const wakeWaiters = (): void => {
    for (const wake of waiters) wake()
  }
  const stopFor = (words: string) => (): void => stop.abort(new Error(words))
  const finish = (settle: () => void): void => {
    if (isOver) return
    isOver = true
    stopwatch?.end()
    for (const { reply } of questions) reply({ action: "cancel" })
    settle()
    wakeWaiters()
  }
  const limit = (ms: number): void => {
    stopwatch?.end()
    stopwatch = isOver ? undefined : startStopwatch(runtime, ms, stopFor("The server took too long."))
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
      work(stop.signal).then(
        (response) => finish(() => resolve(response)),
        (error: unknown) => finish(() => reject(error)),
      )
    },
    ask(params, signal) {
      if (questions.length >= limits.questions) {
        const message = tooManyQuestionsWords(settings, limits.questions)
        finish(() => resolve({ kind: "error", message }))
        stop.abort(new Error("The server asked too many questions."))
        return Promise.resolve({ action: "cancel" })
      }
      const { promise, resolve: resolveReply } = Promise.withResolvers<ElicitResult>()
      stopwatch?.pause()
      // A person who never answers, and a run that is never resumed, must not keep the server's call open.
      const personLimit = startStopwatch(runtime, limits.openMs, stopFor("The person took too long."))
      const onReply = ({ action }: ElicitResult): void => {
        personLimit.end()
        limit(params.mode === "url" && action === "accept" ? limits.heldMs : limits.callMs)
      }
      promise.then(onReply, reject)
      signal.addEventListener("abort", () => resolveReply({ action: "cancel" }), { once: true })
      questions.push({ params, signal, reply: resolveReply })
      wakeWaiters()
      return promise
    },
    async question(number) {
      while (questions[number] === undefined && !isOver) {
        const { promise, resolve: wake } = Promise.withResolvers<void>()
        waiters.add(wake)
        await promise
        waiters.delete(wake)
      }
      return questions[number]
    },
  }
}
