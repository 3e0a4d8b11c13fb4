// A scripted person: an outlet that answers as a test says. It logs the hub's replies and throws nothing, so a test
// asserts on the log. A change of the person's behaviour takes effect from the next question on.

import type { Answer, Elicitation, Hub, Outlet, Principal, Refusal, Runtime, StepResult } from "@holdpoint/hub"
import { canAnswer, systemRuntime } from "@holdpoint/hub"
import { withDefaults } from "@holdpoint/hub/forms"

/** The content of an answer. Without it, a form is sent with its defaults. */
export type Filling = Readonly<Record<string, unknown>> | ((question: Elicitation) => unknown)

/** A log entry of a scripted person: a question shown or withdrawn, or an answer and its result. */
export type PersonEvent = { readonly at: number; readonly id: string } & (
  | { readonly what: "shown" | "withdrawn"; readonly question: Elicitation }
  | { readonly what: Answer["action"] | "finish"; readonly result: StepResult }
  | { readonly what: "failed"; readonly error: unknown }
)

/** A scripted person. Methods such as `accepts` set how the person behaves, and return the same person. */
export interface Person {
  readonly principal: Principal
  /** Accepts: a form with this content, a link without content. */
  accepts(filling?: Filling): Person
  declines(): Person
  cancels(): Person
  /** Sees questions and does not answer. */
  ignores(): Person
  /** Waits this long before answering. A question that is withdrawn in the meantime is not answered. */
  isSlow(ms: number): Person
  /** Sends every answer twice, one after the other. */
  answersTwice(): Person
  /** Answers just after the deadline, even if the question was withdrawn. */
  answersLate(): Person
  /** After accepting a link, completes the question as its page would. */
  finishes(): Person
  outlet(hub: Pick<Hub, "answer" | "complete">): Outlet
  /** Resolves to the next question that was shown and that `sees` has not returned yet. */
  sees(): Promise<Elicitation>
  /** Resolves when no answer of this person is scheduled or in progress. */
  rests(): Promise<void>
  readonly log: readonly PersonEvent[]
  readonly refusals: readonly Refusal[]
}

interface Plan {
  readonly action: Answer["action"] | "ignore"
  readonly filling?: Filling | undefined
  readonly delayMs: number
  readonly times: 1 | 2
  readonly late: boolean
  readonly finishes: boolean
}

const alice: Principal = { tenant: "test", issuer: "https://id.example.test", subject: "alice" }

/** A scripted person who answers questions in a test. */
export function person(principal: Principal = alice, options: { readonly runtime?: Runtime } = {}): Person {
  const runtime = options.runtime ?? systemRuntime
  const log: PersonEvent[] = []
  const seesWaiters: ((question: Elicitation) => void)[] = []
  const unseen: Elicitation[] = []
  const cancelAnswer = new Map<string, () => void>()
  const pendingAnswers = new Set<Promise<void>>()
  let plan: Plan = { action: "ignore", delayMs: 0, times: 1, late: false, finishes: false }

  const logEvent = (id: string, event: DistributiveOmit<PersonEvent, "at" | "id">): void => {
    log.push({ at: runtime.now(), id, ...event } as PersonEvent)
  }

  const answer = async (hub: Pick<Hub, "answer" | "complete">, question: Elicitation, current: Plan): Promise<void> => {
    const { id } = question
    if (current.action === "ignore") return
    try {
      const content = current.action === "accept" ? fill(current.filling, question) : undefined
      const reply = {
        by: principal,
        action: current.action,
        via: "person",
        ...(content === undefined ? {} : { content }),
      }
      for (let time = 0; time < current.times; time++) {
        logEvent(id, { what: current.action, result: await hub.answer(id, reply) })
      }
      if (current.finishes && current.action === "accept" && question.mode === "url") {
        logEvent(id, { what: "finish", result: await hub.complete(id) })
      }
    } catch (error) {
      logEvent(id, { what: "failed", error })
    }
  }

  const scheduleAnswer = (hub: Pick<Hub, "answer" | "complete">, question: Elicitation): void => {
    const currentPlan = plan
    if (currentPlan.action === "ignore") return
    const delayMs = currentPlan.late ? question.expiresAt - runtime.now() + 1 : currentPlan.delayMs
    const { promise, resolve } = Promise.withResolvers<void>()
    const begin = (): void => resolve(answer(hub, question, currentPlan))
    pendingAnswers.add(promise)
    void promise.finally(() => pendingAnswers.delete(promise))
    if (delayMs === 0) {
      queueMicrotask(begin)
      return
    }
    const cancelTimer = runtime.after(delayMs, begin)
    if (currentPlan.late) return
    cancelAnswer.set(question.id, () => {
      cancelTimer()
      resolve()
    })
  }

  const withPlan = (change: Partial<Plan>): Person => {
    plan = { ...plan, ...change }
    return self
  }

  const self: Person = {
    principal,
    log,
    get refusals() {
      return log.flatMap((event) => ("result" in event && !event.result.ok ? [event.result.refusal] : []))
    },
    accepts: (filling) => withPlan({ action: "accept", filling }),
    declines: () => withPlan({ action: "decline" }),
    cancels: () => withPlan({ action: "cancel" }),
    ignores: () => withPlan({ action: "ignore" }),
    isSlow: (delayMs) => withPlan({ delayMs }),
    answersTwice: () => withPlan({ times: 2 }),
    answersLate: () => withPlan({ late: true }),
    finishes: () => withPlan({ finishes: true }),
    async sees() {
      return unseen.shift() ?? new Promise<Elicitation>((resolve) => seesWaiters.push(resolve))
    },
    async rests() {
      while (pendingAnswers.size > 0) await Promise.all(pendingAnswers)
    },
    outlet: (hub) => ({
      name: `person ${principal.subject}`,
      async deliver(question) {
        if (!canAnswer(question, principal)) return { state: "unable", why: `it is not for ${principal.subject}` }
        logEvent(question.id, { what: "shown", question })
        const waiter = seesWaiters.shift()
        if (waiter === undefined) unseen.push(question)
        else waiter(question)
        scheduleAnswer(hub, question)
        return { state: "shown" }
      },
      async withdraw(question) {
        logEvent(question.id, { what: "withdrawn", question })
        cancelAnswer.get(question.id)?.()
        cancelAnswer.delete(question.id)
      },
    }),
  }
  return self
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

function fill(filling: Filling | undefined, question: Elicitation): unknown {
  if (question.mode === "url") return undefined
  if (typeof filling === "function") return filling(question)
  return filling ?? withDefaults(question.requestedSchema)
}
