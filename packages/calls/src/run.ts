// One run of a handler. Questions that must wait are collected; when nothing else is in progress, the run stops. Its
// suspended promises never resolve, and the handler runs again when the call is resumed.

import type { HoldpointError } from "@holdpoint/hub"
import { isStoreFailure } from "@holdpoint/hub/internal"
import type { Asking } from "./asking.ts"
import type { Asker, Carrier } from "./carrier.ts"
import type { Answer, OpenCall } from "./open-call.ts"
import type { Waiting } from "./waiting.ts"

export const suspended = Symbol("suspended")
export type Suspended = typeof suspended

export interface RunStart<Request> {
  readonly asking: Asking
  readonly carrier: Carrier<Request>
  readonly asker: Asker
  /** The carrier's data of this call. */
  readonly request: Request
  /** Aborted when the caller gives up. */
  readonly signal: AbortSignal
  /** The call that this run continues, if the carrier has it already. */
  readonly call?: OpenCall
}

/**
 * Why a run stops: everything that the handler does waits for people, the result is known from an earlier run, or the
 * storage failed.
 */
export type RunStop = { readonly waiting: readonly Waiting[] } | Answer | { readonly error: HoldpointError }

/**
 * The state of a run. Plain data instead of closures, to save memory: many runs are held at once. Carriers must not
 * change it.
 */
export interface Run<Request = unknown> extends Omit<RunStart<Request>, "call"> {
  readonly startedAt: number
  /** The call, after it was requested from the carrier. */
  call: Promise<OpenCall> | undefined
  waiting: readonly Waiting[]
  /** The number of questions and effects in progress. */
  stepsInProgress: number
  hasEnded: boolean
  /** Whether the storage has failed in this run. No effect begins then: another run repeats it. */
  hasFailed: boolean
  /** Effects, from the record of their beginning to their result. Undefined until the first one. */
  effectsInProgress: Set<Promise<unknown>> | undefined
  /** Questions, from the request to ask them to the note that they are asked. Undefined until the first one. */
  questionsInProgress: Set<Promise<unknown>> | undefined
  /** Whether the next run starts at once, here or in another process. */
  mustResumeAtOnce: boolean
  readonly stop: (end: RunStop) => void
  newQuestionListeners: readonly (() => void)[]
  /** The signals that tell the handler to stop, by scope. Undefined until the handler uses one. */
  signals: Map<string, AbortSignal> | undefined
  /** Callbacks for the end of the run. */
  endListeners: readonly (() => void)[]
}

/** Creates a run. `stop` is called when the handler need not continue. */
export function createRun<Request>(start: RunStart<Request>, stop: Run["stop"] = () => {}): Run<Request> {
  const { asking, carrier, asker, request, signal, call } = start
  return {
    ...{ asking, carrier, asker, request, signal, stop },
    startedAt: asking.runtime.now(),
    call: call === undefined ? undefined : Promise.resolve(call),
    ...{
      waiting: emptyList,
      stepsInProgress: 0,
      hasEnded: false,
      hasFailed: false,
      effectsInProgress: undefined,
      questionsInProgress: undefined,
      mustResumeAtOnce: false,
      newQuestionListeners: emptyList,
      signals: undefined,
      endListeners: emptyList,
    },
  }
}

/** One shared empty list. */
const emptyList: readonly never[] = []

export async function callOf(run: Run): Promise<OpenCall> {
  run.call ??= run.carrier.resume(run)
  const call = await run.call
  if (call.answer === undefined) return call
  run.hasEnded = true
  run.stop(call.answer)
  return neverSettle()
}

/** Work with its input as an argument, so that a held call does not need a closure. */
type Work<Input, T> = (run: Run, input: Input) => Promise<T | Suspended>

/**
 * Runs one question or effect of the handler. Never resolves for a suspended question, nor after the run has stopped. A
 * failure of the storage stops the run, so that no handler takes the failure for the result of a question or effect.
 */
export async function runStep<Input, T>(run: Run, work: Work<Input, T>, input: Input): Promise<T> {
  if (run.hasEnded) return neverSettle()
  run.stepsInProgress++
  let result: T | Suspended
  try {
    result = await work(run, input)
  } catch (error) {
    if (run.hasEnded) return neverSettle()
    if (!isStoreFailure(error)) throw error
    run.hasEnded = true
    run.hasFailed = true
    run.stop({ error })
    return neverSettle()
  } finally {
    settle(run)
  }
  return result === suspended || run.hasEnded ? neverSettle() : result
}

const neverSettle = <T>(): Promise<T> => new Promise<T>(() => {})

function settle(run: Run): void {
  run.stepsInProgress--
  if (run.stepsInProgress > 0 || (run.waiting.length === 0 && !run.mustResumeAtOnce)) return
  // Waits for the handler to react to the latest answer: its next question then belongs to the same round.
  setImmediate(() => {
    if (run.stepsInProgress > 0 || run.hasEnded) return
    run.hasEnded = true
    run.stop({ waiting: run.mustResumeAtOnce ? emptyList : run.waiting })
  })
}

export function suspendAt(run: Run, waiting: Waiting): Suspended {
  run.waiting = run.waiting.concat(waiting)
  if (waiting.isNew) for (const onNew of run.newQuestionListeners) onNew()
  return suspended
}

/** Stops the run as soon as nothing else is in progress. The next run starts at once, here or in another process. */
export function leaveAt(run: Run): Suspended {
  run.mustResumeAtOnce = true
  return suspended
}

/** Whether no other question or effect is in progress or waits. */
export const isAlone = (run: Run): boolean => run.stepsInProgress === 1 && run.waiting.length === 0

/** Calls back when a new question has to be shown. Returns an unsubscribe function. */
export function onNewQuestion(run: Run, onNew: () => void): () => void {
  run.newQuestionListeners = [...run.newQuestionListeners, onNew]
  if (run.waiting.some(({ isNew }) => isNew)) onNew()
  return () => {
    run.newQuestionListeners = run.newQuestionListeners.filter((other) => other !== onNew)
  }
}

/** Ends the run when the handler has ended: work that the handler left behind cannot ask any more. */
export function endRun(run: Run): void {
  run.hasEnded = true
  for (const end of run.endListeners) end()
}

/** Does the work of an effect. A run that the storage has stopped waits for it before the next run begins. */
export function trackEffect<T>(run: Run, work: () => Promise<T>): Promise<T> {
  run.effectsInProgress ??= new Set()
  return trackIn(run.effectsInProgress, work)
}

/** Asks a question. A call that ends in the meantime waits for it, and withdraws the question. */
export function trackQuestion<T>(run: Run, work: () => Promise<T>): Promise<T> {
  run.questionsInProgress ??= new Set()
  return trackIn(run.questionsInProgress, work)
}

async function trackIn<T>(inProgress: Set<Promise<unknown>>, work: () => Promise<T>): Promise<T> {
  const running = work()
  inProgress.add(running)
  try {
    return await running
  } finally {
    inProgress.delete(running)
  }
}
