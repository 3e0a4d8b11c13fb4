// What a check does with a call, whatever the revision: answers its questions, goes on without answering, looks again.

import type { Received } from "./exchange.ts"
import type { Json } from "./json.ts"
import type { UrlModePerson, UrlModeRevision, UrlModeTarget, UrlModeTool } from "./target.ts"
import type { Question, Turn } from "./turn.ts"

export interface Answer {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: Json
}

/** By question, where they are answered differently. */
export type Answers = Answer | ((question: Question) => Answer)

export interface Dialogue {
  /** What was seen last. */
  readonly turn: Turn
  /** Every question of this call, again each time that it was put. */
  readonly questions: readonly Question[]
  /** Whether the server has told, by a notification, that this question is completed. Always false on 2026-07-28. */
  isTold(question: Question): boolean
  /** Answers what was asked last and looks, at most so long, what comes of it. */
  answer(answers: Answers, limitMs?: number): Promise<Turn>
  /** Looks what comes next without answering: retries with the state alone, waits on, or calls anew after -32042. */
  goOn(limitMs?: number): Promise<Turn>
  /** Lets go. What is still open is declined, as a person would who has seen enough. */
  close(): Promise<void>
}

/** Whose client it is, and where what it receives is written down. */
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

/** The value, or undefined when it takes longer. */
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
