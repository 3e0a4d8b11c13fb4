// For work that lives on between the runs of a call, such as the process of a script: the call's id, and questions that
// the process asks by itself. Decision 73 says why such work is kept.

import type { ConfirmWords } from "../core/confirmation.ts"
import type { Outcome } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { FormSource } from "../core/question.ts"
import type { Ask } from "./ask.ts"
import { stateOf } from "./ask.ts"
import { checkKey, keyWithin } from "./key.ts"
import { askQuestion } from "./prompting.ts"
import type { Question, QuestionOptions, Wording } from "./question.ts"
import { confirmQuestion, formQuestion, urlQuestion } from "./question.ts"
import type { Run } from "./run.ts"
import { callOf, runStep } from "./run.ts"

/** The call behind an `ask` object, for work that is kept under the call's id. Created by `keptCall`. */
export interface KeptCall {
  /** The same in all runs of the call. */
  readonly id: string
  /** Whether the client was answered with a question and has come back: what was kept should still be there. */
  readonly isContinued: boolean
  /** Calls back when this run of the handler has ended or is suspended. */
  onRunEnd(end: () => void): void
}

/** Returns the call behind an `ask` object. Stores nothing. Throws when another request works on the same call. */
export async function keptCall(ask: object): Promise<KeptCall> {
  const { run } = stateOf(ask)
  const { id, round, generation, wasSentAway, isGuest } = await callOf(run)
  if (isGuest)
    throw new HoldpointError(
      "already_settled",
      "The same call is already being continued by another request. This one stops here; wait for the result of the other.",
    )
  return {
    id,
    // A call that its client gave up starts from its beginning.
    isContinued: generation === 0 && (round > 0 || wasSentAway),
    onRunEnd(end) {
      run.ends = [...run.ends, end]
    },
  }
}

/** A question of a program that runs beside the handler: a form, two words for yes and no, or an address. */
export type ProgramQuestion = {
  readonly key: string
  readonly message: string
  readonly options?: QuestionOptions
  /** Withdraws the question when it is aborted; the call goes on. */
  readonly signal?: AbortSignal
} & ({ readonly form: FormSource } | { readonly confirm: ConfirmWords } | { readonly url: string })

/** Asks what a program wants to know. Resolves to the outcome, whatever it is; throws when the question is invalid. */
export async function askForProgram(ask: Ask, asked: ProgramQuestion): Promise<Outcome> {
  const { run, scope } = stateOf(ask)
  const { message, options = {}, signal } = asked
  const question = toQuestion(run, { key: keyWithin(scope, checkKey(asked.key)), message, options }, asked)
  if (signal === undefined) return runStep(run, askQuestion, question)
  const withdrawable = withdrawnBy(run, question, signal)
  try {
    return await runStep(run, askQuestion, withdrawable.question)
  } finally {
    withdrawable.stop()
  }
}

function toQuestion(run: Run, wording: Wording, asked: ProgramQuestion): Question {
  if ("form" in asked) return formQuestion(run, wording, asked.form)
  if ("confirm" in asked) return confirmQuestion(run, wording, asked.confirm)
  return urlQuestion(run, wording, asked.url)
}

/** A suspended question is never resolved in its run, so that its signal stays observed until the question is withdrawn. */
function withdrawnBy(run: Run, question: Question, signal: AbortSignal) {
  const { hub, report } = run.asking
  let isAsking = false
  const withdraw = async (): Promise<void> => {
    const entry = (await run.call)?.journal.get(question.key)
    if (entry?.kind === "asked") await hub.cancel(entry.elicitation, withdrawn)
  }
  const onAbort = (): void => {
    if (!isAsking) withdraw().catch((error: unknown) => report("withdrawing a question", error))
  }
  signal.addEventListener("abort", onAbort, { once: true })
  return {
    question: {
      ...question,
      async ask(...given: Parameters<Question["ask"]>) {
        isAsking = true
        const elicitation = await question.ask(...given)
        isAsking = false
        if (signal.aborted) await hub.cancel(elicitation.id, withdrawn)
        return elicitation
      },
    },
    stop: () => signal.removeEventListener("abort", onAbort),
  }
}

const withdrawn = { code: "withdrawn", message: "the program that asked has taken it back" }
