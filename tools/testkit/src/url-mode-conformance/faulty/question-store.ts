// The faulty servers' storage: questions, and the state that travels through the client.

import { createHmac, randomBytes, randomUUID } from "node:crypto"
import type { Behaviour, Question, StateContent } from "./behaviour.ts"
import { hash } from "./behaviour.ts"

export interface QuestionStore {
  readonly behaviour: Behaviour
  readonly questions: Map<string, Question>
  ask(owner: string, call: string, session?: string): Question
  /** Resolves when the question is finished or refused, or after the limit. */
  untilSettled(question: Question, ms?: number): Promise<void>
  change(question: Question, status: Question["status"]): void
  seal(question: Question): string
  open(state: unknown, owner: string, call: string): Question | undefined
  /** Advances the time by an hour. */
  age(): void
  onDone(listener: (question: Question) => void): void
}

const lifetimeMs = 600_000

export function createQuestionStore(behaviour: Behaviour): QuestionStore {
  const key = randomBytes(32)
  const questions = new Map<string, Question>()
  const used = new Set<string>()
  const waiting = new Map<string, Set<() => void>>()
  const listeners: ((question: Question) => void)[] = []
  let ageMs = 0
  const now = (): number => Date.now() + ageMs
  const sign = (text: string): string => createHmac("sha256", key).update(text).digest("base64url")

  return {
    behaviour,
    questions,
    ask(owner, call, session) {
      const question: Question = { id: randomUUID(), owner, call, session, status: "open" }
      questions.set(question.id, question)
      return question
    },
    untilSettled: (question, ms) =>
      new Promise((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
        const wake = (): void => {
          clearTimeout(timer)
          resolve()
        }
        const wakers = waiting.get(question.id) ?? new Set()
        waiting.set(question.id, wakers.add(wake))
      }),
    change(question, status) {
      question.status = status
      if (status === "done") for (const listener of listeners) listener(question)
      for (const wake of waiting.get(question.id) ?? []) wake()
    },
    seal(question) {
      const content: StateContent = {
        question: question.id,
        owner: behaviour.ownerInState(question.owner),
        call: hash(question.call),
        expiresAt: now() + lifetimeMs,
        nonce: randomUUID(),
      }
      const text = Buffer.from(JSON.stringify(content)).toString("base64url")
      return `${text}.${sign(text)}`
    },
    open(state, owner, call) {
      const [text = "", signature] = typeof state === "string" ? state.split(".") : []
      if (behaviour.checksSignature && (signature !== sign(text) || String(state).split(".").length !== 2))
        return undefined
      const content = readState(text)
      if (content === undefined) return undefined
      const presented = { owner, call, now: now(), used: used.has(content.nonce) }
      used.add(content.nonce)
      if (!behaviour.opensState(content, presented)) return undefined
      return questions.get(content.question)
    },
    age() {
      ageMs += 3_600_000
    },
    onDone: (listener) => void listeners.push(listener),
  }
}

function readState(text: string): StateContent | undefined {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as StateContent
  } catch {
    return undefined
  }
}
