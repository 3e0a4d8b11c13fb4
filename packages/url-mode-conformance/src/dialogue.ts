// One call as a check drives it, in any revision: answers its questions, or continues without an answer.

import type { CallState, Question } from "./call-state.ts"
import type { Received } from "./exchange.ts"
import type { Json } from "./json.ts"
import type { UrlModePerson, UrlModeRevision, UrlModeTarget, UrlModeTool } from "./target.ts"

export interface Answer {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: Json
}

/** One answer for all questions, or a function of the question. */
export type Answers = Answer | ((question: Question) => Answer)

export interface Dialogue {
  /** The latest state of the call. */
  readonly callState: CallState
  /** Every question of this call, each time it was sent. */
  readonly questions: readonly Question[]
  /** Whether a notification reported this question as completed. Always false on 2026-07-28. */
  isTold(question: Question): boolean
  /** Answers the latest questions, and returns what follows within the limit. */
  answer(answers: Answers, limitMs?: number): Promise<CallState>
  /** Continues without an answer: retries with the state only, waits longer, or calls again after -32042. */
  goOn(limitMs?: number): Promise<CallState>
  /** Ends the call. Open questions are declined. */
  close(): Promise<void>
}

/** A person's client, and the log of what it receives. */
export interface Line {
  readonly target: UrlModeTarget
  readonly revision: UrlModeRevision
  readonly who: UrlModePerson
  readonly log: Received[]
}

export interface CallOptions {
  readonly capabilities: Json
  readonly limitMs: number
  /** Besides name and arguments. */
  readonly params?: Json
}

export const paramsOf = ({ name, arguments: given }: UrlModeTool): Json => ({ name, arguments: given ?? {} })

export const headersOf = ({ target, who }: Line): Readonly<Record<string, string>> => target.people?.[who] ?? {}

/** The value, or undefined when the time is over. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, ms, undefined)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

export const answerTo = (answers: Answers, question: Question): Answer =>
  typeof answers === "function" ? answers(question) : answers
