// One run of a handler. Questions that have to wait are gathered, and when nothing else is under way the run stops there:
// what waits never goes on, and the handler is run again when the call is resumed.

import type { Asking } from "./asking.ts"
import type { Asker, Carrier } from "./carrier.ts"
import type { Answer, OpenCall } from "./open-call.ts"

/** A question at which a run stops. */
export interface Waiting {
  readonly key: string
  readonly elicitation: string
  /** How long the person has. */
  readonly lifetimeMs: number
  /** The person has to be shown it, which must not wait for what they were shown before. */
  readonly isNew: boolean
}

export const suspended = Symbol("suspended")
export type Suspended = typeof suspended

export interface RunStart<Request> {
  readonly asking: Asking
  readonly carrier: Carrier<Request>
  readonly asker: Asker
  /** What the carrier knows of this call. */
  readonly request: Request
  /** Aborted when the caller gives up. */
  readonly signal: AbortSignal
  /** The call that this run goes on with, if that is known already. */
  readonly call?: OpenCall
}

/** All that the handler does waits; or what it would give is known from an earlier run. */
export type Stop = { readonly waiting: readonly Waiting[] } | Answer

/** Plain data, changed by the functions of this file alone: many runs are held at once. */
export interface Run<Request = unknown> extends Omit<RunStart<Request>, "call"> {
  readonly startedAt: number
  /** The call, once it was looked at. */
  call: Promise<OpenCall> | undefined
  waiting: readonly Waiting[]
  /** What is being asked and done. */
  underWay: number
  isOver: boolean
  readonly stop: (end: Stop) => void
  hurries: readonly (() => void)[]
  /** Aborted when the handler has to stop, if it has asked for that. */
  stopped: AbortSignal | undefined
  /** What is done when the run is over. */
  ends: readonly (() => void)[]
}

/** `stop` is called when the handler need not go on. */
export function createRun<Request>(start: RunStart<Request>, stop: Run["stop"] = () => {}): Run<Request> {
  const { asking, carrier, asker, request, signal, call } = start
  return {
    ...{ asking, carrier, asker, request, signal, stop },
    startedAt: asking.runtime.now(),
    call: call === undefined ? undefined : Promise.resolve(call),
    ...{ waiting: none, underWay: 0, isOver: false, hurries: none, stopped: undefined, ends: none },
  }
}

/** One empty list for all. */
const none: readonly never[] = []

export async function callOf(run: Run): Promise<OpenCall> {
  run.call ??= run.carrier.resume(run)
  const call = await run.call
  if (call.answer === undefined) return call
  run.isOver = true
  run.stop(call.answer)
  return never()
}

/** With its input apart: a function for each call that is held would be one too many. */
type Work<Input, T> = (run: Run, input: Input) => Promise<T | Suspended>

/** What is asked or done goes through here. Never resolves for what waits, nor after the run has stopped. */
export async function during<Input, T>(run: Run, work: Work<Input, T>, input: Input): Promise<T> {
  if (run.isOver) return never()
  run.underWay++
  let result: T | Suspended
  try {
    result = await work(run, input)
  } catch (error) {
    if (run.isOver) return never()
    throw error
  } finally {
    settle(run)
  }
  return result === suspended || run.isOver ? never() : result
}

const never = <T>(): Promise<T> => new Promise<T>(() => {})

function settle(run: Run): void {
  run.underWay--
  if (run.underWay > 0 || run.waiting.length === 0) return
  // What has just been answered may lead to the next question, which then belongs to the same round.
  setImmediate(() => {
    if (run.underWay > 0 || run.isOver) return
    run.isOver = true
    run.stop({ waiting: run.waiting })
  })
}

export function suspendAt(run: Run, waiting: Waiting): Suspended {
  run.waiting = run.waiting.concat(waiting)
  if (waiting.isNew) for (const hurry of run.hurries) hurry()
  return suspended
}

/** Nothing else is being asked or done, nor waits. */
export const isAlone = (run: Run): boolean => run.underWay === 1 && run.waiting.length === 0

/** Calls back when something has to be shown, unless what is returned was called before. */
export function whenNew(run: Run, hurry: () => void): () => void {
  run.hurries = [...run.hurries, hurry]
  if (run.waiting.some(({ isNew }) => isNew)) hurry()
  return () => {
    run.hurries = run.hurries.filter((other) => other !== hurry)
  }
}

/** The handler has come to its end: what it left running asks nothing any more. */
export function endRun(run: Run): void {
  run.isOver = true
  for (const end of run.ends) end()
}
