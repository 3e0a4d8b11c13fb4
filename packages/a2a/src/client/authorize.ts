// A task that waits until the person authorises something on another site. The person is asked to go there while the
// task is polled: when the agent continues, the hub's questions end and the run continues.

import { askingOf, elicitationOf } from "@holdpoint/calls/internal"
import type { Outcome } from "@holdpoint/hub"
import type { QuestionResult } from "./answer.ts"
import { askToConfirm, askToOpenLink } from "./answer.ts"
import type { Attempt, RemoteTask } from "./attempt.ts"
import type { TurnResult } from "./poll.ts"
import { pollTask } from "./poll.ts"
import type { TaskQuestions } from "./questions.ts"
import type { Snapshot } from "./snapshot.ts"

/**
 * `left`: the agent continued first. `ended`: a question ended first. `refused`: a question cannot be shown to a
 * person. `at` is the index of that question.
 */
export type AuthorizationResult =
  | { readonly kind: "left"; readonly turn: TurnResult }
  | { readonly kind: "ended"; readonly at: number; readonly outcome: Outcome }
  | { readonly kind: "refused"; readonly at: number; readonly message: string }

export interface Authorization {
  readonly round: number
  readonly task: RemoteTask
  readonly snapshot: Snapshot
  readonly questions: TaskQuestions
}

export async function authorize(attempt: Attempt, authorizing: Authorization): Promise<AuthorizationResult> {
  const { round } = authorizing
  const { links, text } = authorizing.questions
  // The questions are awaited inside the effect below: a run that awaits a question directly may be suspended.
  const questions =
    links.length === 0
      ? [open(attempt, `notice ${round}`, (key, onAsked) => askToConfirm(attempt, key, { text, onAsked }))]
      : links.map((link, at) =>
          open(attempt, `link ${round}.${at + 1}`, (key, onAsked) => askToOpenLink(attempt, key, { ...link, onAsked })),
        )
  return attempt.ask.once(`authorization ${round}`, () => waitForEnd(attempt, authorizing, questions), {
    repeatable: true,
  })
}

/** Resolves to the id of a question, or to its result if it ended at once. */
type Question = Promise<QuestionResult | { readonly id: string }>

function open(
  attempt: Attempt,
  key: string,
  askQuestion: (key: string, onAsked: (id: string) => void) => Promise<QuestionResult>,
): Question {
  const { promise, resolve, reject } = Promise.withResolvers<QuestionResult | { readonly id: string }>()
  askQuestion(key, (id) => resolve({ id })).then(resolve, reject)
  // A question that an earlier run asked is not asked again, and its id is read from the journal.
  elicitationOf(attempt.ask, key).then((id) => id !== undefined && resolve({ id }), reject)
  return promise
}

async function waitForEnd(
  attempt: Attempt,
  { task, snapshot }: Authorization,
  questions: readonly Question[],
): Promise<AuthorizationResult> {
  const { hub } = askingOf(attempt.ask)
  const openedQuestions = await Promise.all(questions)
  const ids = openedQuestions.flatMap((question) => ("id" in question ? [question.id] : []))
  for (const id of ids) attempt.taskQuestions.add(id)
  const firstEnded = openedQuestions.findIndex((question) => !("id" in question))
  const waitEnd = new AbortController()
  const signal = AbortSignal.any([attempt.following, waitEnd.signal])
  const ending = async (
    question: QuestionResult | { readonly id: string },
    at: number,
  ): Promise<AuthorizationResult> => {
    if ("refused" in question) return { kind: "refused", at, message: question.refused }
    return {
      kind: "ended",
      at,
      outcome: "id" in question ? await hub.wait(question.id, { signal, onAbort: "leave" }) : question.outcome,
    }
  }
  const leaving = async (): Promise<AuthorizationResult> => ({
    kind: "left",
    turn: await pollTask(attempt, { task, mark: snapshot.mark, signal, isHeld: true }),
  })
  try {
    const firstResult =
      firstEnded < 0
        ? await Promise.race([leaving(), ...openedQuestions.map(ending)])
        : await ending(itemAt(openedQuestions, firstEnded), firstEnded)
    await endQuestions(attempt, ids, firstResult)
    return firstResult
  } finally {
    waitEnd.abort()
  }
}

function itemAt<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new Error("There is no such question.")
  return item
}

const agentFinished = { code: "finished", message: "the agent continued without an answer" }
const agentGone = { code: "agent_gone", message: "the agent is gone" }
const givenUp = { code: "given_up" }

/** Ends the hub's questions that are still open, because the agent's task no longer waits for them. */
async function endQuestions({ ask }: Attempt, ids: readonly string[], firstResult: AuthorizationResult): Promise<void> {
  const { hub } = askingOf(ask)
  const isDone =
    firstResult.kind === "left" && firstResult.turn.kind === "turn" && !failures.has(firstResult.turn.snapshot.state)
  const reason = isDone ? agentFinished : firstResult.kind === "left" ? agentGone : givenUp
  for (const id of ids) {
    const status = (await hub.get(id))?.status
    if (status === "accepted") await (isDone ? hub.complete(id) : hub.fail(id, reason))
    else if (status === "pending") await hub.cancel(id, reason)
  }
}

const failures: ReadonlySet<Snapshot["state"]> = new Set(["failed", "canceled", "rejected"])
