// A task that waits for the person to authorise something elsewhere. The person is sent there, and the task is followed
// in the meantime: when the agent goes on, our questions are ended here, and the run goes on too.

import { askingOf, elicitationOf } from "../../../asking/on-behalf.ts"
import type { Outcome } from "../../../core/elicitation.ts"
import type { Put } from "./answer.ts"
import { putLink, putNotice } from "./answer.ts"
import type { Attempt, RemoteTask } from "./attempt.ts"
import type { Turn } from "./look.ts"
import { follow } from "./look.ts"
import type { Wanted } from "./questions.ts"
import type { Snapshot } from "./snapshot.ts"

/** `left`: the agent has gone on. `ended`: one of the questions ended first, by its place in the list. */
export type Authorized =
  | { readonly kind: "left"; readonly turn: Turn }
  | { readonly kind: "ended"; readonly at: number; readonly outcome: Outcome }
  | { readonly kind: "refused"; readonly at: number; readonly message: string }

export interface Authorizing {
  readonly round: number
  readonly task: RemoteTask
  readonly snapshot: Snapshot
  readonly wanted: Wanted
}

export async function authorize(attempt: Attempt, authorizing: Authorizing): Promise<Authorized> {
  const { round, wanted } = authorizing
  const { links, text } = wanted
  // Not awaited: a question whose answer is awaited elsewhere is suspended, while the effect below keeps the run.
  const questions =
    links.length === 0
      ? [open(attempt, `notice ${round}`, (key, onAsked) => putNotice(attempt, key, { said: text, onAsked }))]
      : links.map((link, at) =>
          open(attempt, `link ${round}.${at + 1}`, (key, onAsked) => putLink(attempt, key, { ...link, onAsked })),
        )
  return attempt.ask.once(`authorization ${round}`, () => waitForEnd(attempt, authorizing, questions), {
    repeatable: true,
  })
}

/** The id of a question, or what came of it at once. */
type Question = Promise<Put | { readonly id: string }>

function open(
  attempt: Attempt,
  key: string,
  put: (key: string, onAsked: (id: string) => void) => Promise<Put>,
): Question {
  const { promise, resolve, reject } = Promise.withResolvers<Put | { readonly id: string }>()
  put(key, (id) => resolve({ id })).then(resolve, reject)
  // Asked in an earlier run: then it is not asked again, and its id is in the journal.
  elicitationOf(attempt.ask, key).then((id) => id !== undefined && resolve({ id }), reject)
  return promise
}

async function waitForEnd(
  attempt: Attempt,
  { task, snapshot }: Authorizing,
  questions: readonly Question[],
): Promise<Authorized> {
  const { hub } = askingOf(attempt.ask)
  const opened = await Promise.all(questions)
  const ids = opened.flatMap((one) => ("id" in one ? [one.id] : []))
  for (const id of ids) attempt.followed.add(id)
  const early = opened.findIndex((one) => !("id" in one))
  const over = new AbortController()
  const signal = AbortSignal.any([attempt.following, over.signal])
  const ending = async (one: Put | { readonly id: string }, at: number): Promise<Authorized> => {
    if ("refused" in one) return { kind: "refused", at, message: one.refused }
    return {
      kind: "ended",
      at,
      outcome: "id" in one ? await hub.wait(one.id, { signal, onAbort: "leave" }) : one.outcome,
    }
  }
  const leaving = async (): Promise<Authorized> => ({
    kind: "left",
    turn: await follow(attempt, { task, mark: snapshot.mark, signal, isHeld: true }),
  })
  try {
    const first =
      early < 0 ? await Promise.race([leaving(), ...opened.map(ending)]) : await ending(at(opened, early), early)
    await endQuestions(attempt, ids, first)
    return first
  } finally {
    over.abort()
  }
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index]
  if (found === undefined) throw new Error("There is no such question.")
  return found
}

const finished = { code: "finished", message: "the agent went on by itself" }
const gone = { code: "agent_gone", message: "the agent is gone" }
const given = { code: "given_up" }

/** Ends what is still open: nothing waits for it any more. */
async function endQuestions({ ask }: Attempt, ids: readonly string[], first: Authorized): Promise<void> {
  const { hub } = askingOf(ask)
  const isDone = first.kind === "left" && first.turn.kind === "turn" && !failures.has(first.turn.snapshot.state)
  const reason = isDone ? finished : first.kind === "left" ? gone : given
  for (const id of ids) {
    const status = (await hub.get(id))?.status
    if (status === "accepted") await (isDone ? hub.complete(id) : hub.fail(id, reason))
    else if (status === "pending") await hub.cancel(id, reason)
  }
}

const failures: ReadonlySet<Snapshot["state"]> = new Set(["failed", "canceled", "rejected"])
