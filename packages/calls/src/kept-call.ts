// Supports work that continues between the runs of a call, such as the process of a script: the call's id, and
// questions that the process asks by itself. Decision 73 says why such work continues.

import type { FormSource, Outcome } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import type { ConfirmWords } from "@holdpoint/hub/forms"
import type { Ask } from "./ask.ts"
import { stateOf } from "./ask.ts"
import { checkKey, keyWithin } from "./key.ts"
import { askQuestion } from "./prompting.ts"
import type { Question, QuestionOptions, Wording } from "./question.ts"
import { confirmQuestion, formQuestion, urlQuestion } from "./question.ts"
import type { Run } from "./run.ts"
import { callOf, runStep } from "./run.ts"

/** The call behind an `ask` object, for work that continues between the call's runs. Created by `keptCall`. */
export interface KeptCall {
  /** The same in all runs of the call. */
  readonly id: string
  /**
   * Whether the client was answered with a question and has come back, so that the work should still be in progress.
   */
  readonly isContinued: boolean
  /** Calls back when this run of the handler has ended or is suspended. */
  onRunEnd(listener: () => void): void
}

/** Returns the call behind an `ask` object. Stores nothing. Throws when another request works on the same call. */
export async function keptCall(ask: object): Promise<KeptCall> {
  const { run } = stateOf(ask)
  const { id, round, generation, wasSentAway, isGuest } = await callOf(run)
  if (isGuest)
    throw new HoldpointError(
      "already_settled",
      "Another request already continues the same call. This request stops here; wait for the result of the other one.",
    )
  return {
    id,
    // A call that its client gave up and then made again starts from its beginning.
    isContinued: generation === 0 && (round > 0 || wasSentAway),
    onRunEnd(listener) {
      run.endListeners = [...run.endListeners, listener]
    },
  }
}

/** A question of a program that runs beside the handler: a form, two words for yes and no, or an address. */
export type ProgramQuestion = {
  readonly key: string
  readonly message: string
  readonly options?: QuestionOptions
  /** When it aborts, the question is withdrawn, and the call continues. */
  readonly signal?: AbortSignal
} & ({ readonly form: FormSource } | { readonly confirm: ConfirmWords } | { readonly url: string })

/** Asks the question of a program. Resolves to the outcome, also for a refusal. Throws when the question is invalid. */
export async function askForProgram(ask: Ask, programQuestion: ProgramQuestion): Promise<Outcome> {
  const { run, scope } = stateOf(ask)
  const { message, options = {}, signal } = programQuestion
  const question = toQuestion(
    run,
    { key: keyWithin(scope, checkKey(programQuestion.key)), message, options },
    programQuestion,
  )
  if (signal === undefined) return runStep(run, askQuestion, question)
  const withdrawable = makeWithdrawable(run, question, signal)
  try {
    return await runStep(run, askQuestion, withdrawable.question)
  } finally {
    withdrawable.stop()
  }
}

function toQuestion(run: Run, wording: Wording, programQuestion: ProgramQuestion): Question {
  if ("form" in programQuestion) return formQuestion(run, wording, programQuestion.form)
  if ("confirm" in programQuestion) return confirmQuestion(run, wording, programQuestion.confirm)
  return urlQuestion(run, wording, programQuestion.url)
}

/** Withdraws the question at the hub when the signal aborts, also after the run was suspended. */
function makeWithdrawable(run: Run, question: Question, signal: AbortSignal) {
  const { hub, report } = run.asking
  let isAsking = false
  const withdraw = async (): Promise<void> => {
    const entry = (await run.call)?.journal.get(question.key)
    if (entry?.kind === "asked") await hub.cancel(entry.elicitation, withdrawnReason)
  }
  const onAbort = (): void => {
    if (!isAsking) withdraw().catch((error: unknown) => report("withdrawing a question", error))
  }
  signal.addEventListener("abort", onAbort, { once: true })
  return {
    question: {
      ...question,
      async ask(...args: Parameters<Question["ask"]>) {
        isAsking = true
        const elicitation = await question.ask(...args)
        isAsking = false
        if (signal.aborted) await hub.cancel(elicitation.id, withdrawnReason)
        return elicitation
      },
    },
    stop: () => signal.removeEventListener("abort", onAbort),
  }
}

const withdrawnReason = { code: "withdrawn", message: "the program that asked has withdrawn it" }
