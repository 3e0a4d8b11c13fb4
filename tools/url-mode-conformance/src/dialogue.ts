// A dialogue is one tool call of a check, in any revision: the check answers the call's questions, or continues without
// an answer.

import type { CallState, Question } from "./call-state.ts"
import type { ReceivedMessage } from "./exchange.ts"
import type { Json } from "./json.ts"
import type { UrlModePerson, UrlModeRevision, UrlModeTarget, UrlModeTool } from "./target.ts"

export interface Answer {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: Json
}

/** One answer to all questions, or a function that returns the answer to each. */
export type Answers = Answer | ((question: Question) => Answer)

export interface ToolCall {
  /** The latest state of the call. */
  readonly callState: CallState
  /** Every question that the server sent in this call, with repetitions. */
  readonly questions: readonly Question[]
  /** Whether a notification reported this question as completed. Always false on 2026-07-28. */
  isCompletionReported(question: Question): boolean
  /** Answers the latest questions, and returns the call's next state within the time limit. */
  answer(answers: Answers, limitMs?: number): Promise<CallState>
  /** Continues without an answer: retries with the state only, waits longer, or calls again after -32042. */
  continueCall(limitMs?: number): Promise<CallState>
  /** Declines open questions, and ends the call. */
  close(): Promise<void>
}

/** The client of one person, and the log of every message that it receives. */
export interface Client {
  readonly target: UrlModeTarget
  readonly revision: UrlModeRevision
  readonly person: UrlModePerson
  readonly log: ReceivedMessage[]
}

export interface CallOptions {
  readonly capabilities: Json
  readonly limitMs: number
  /** Params of `tools/call` besides `name` and `arguments`. */
  readonly params?: Json
}

export const paramsOf = ({ name, arguments: toolArguments }: UrlModeTool): Json => ({
  name,
  arguments: toolArguments ?? {},
})

export const headersOf = ({ target, person }: Client): Readonly<Record<string, string>> => target.people?.[person] ?? {}

/** The promise's value, or undefined when `ms` milliseconds pass first. */
export async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, ms, undefined)
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

export const answerTo = (answers: Answers, question: Question): Answer =>
  typeof answers === "function" ? answers(question) : answers
