// Runs a handler that may ask, from its start to its result. Knows nothing about where the call came from.

import { isSettled } from "../core/elicitation.ts"
import type { HoldpointError } from "../core/error.ts"
import { isHoldpointError } from "../core/error.ts"
import { answersOf } from "./late-no.ts"
import { noteAsker } from "./note-asker.ts"
import type { Answer, OpenCall } from "./open-call.ts"
import type { Run, RunStart, Waiting } from "./run.ts"
import { createRun, endRun } from "./run.ts"

/**
 * How a run ended. `answer`: what the handler returned, or the carrier's interim answer. `failure`: an error whose
 * message is for the caller.
 */
export type CallEnd = { readonly answer: unknown } | { readonly failure: HoldpointError }

/** Runs a function that asks, until it ends or until everything it does waits for a person. */
export async function runCall<Request>(
  start: RunStart<Request>,
  handler: (run: Run<Request>) => Promise<unknown>,
  isSecond = false,
): Promise<CallEnd> {
  const { run, ended: runEnd } = startRun(start, handler)
  const end = await runEnd
  endRun(run)
  const { signal, carrier } = run
  const call = await run.call
  if (call?.answer !== undefined) return { answer: call.answer.value }
  const result = checkEnd(end, call)
  // The client is gone. The same call may be resumed later, with the effects in its journal.
  if (signal.aborted && !("value" in result)) {
    await (start.call === undefined ? call?.giveUp() : call?.release())
    throw "error" in result ? result.error : signal.reason
  }
  if ("waiting" in result) return { answer: await carrier.suspend(run, result.waiting) }
  if ("error" in result && isConnectionLost(result.error) && !isSecond) {
    // On its next run, the handler asks for the account.
    return runCall(call === undefined ? start : { ...start, call: call.restart() }, handler, true)
  }
  await endCall(run, call, "value" in result ? result : undefined)
  if ("value" in result) return { answer: result.value }
  if (isHoldpointError(result.error)) return { failure: result.error }
  throw result.error
}

type RunEnd = { readonly value: unknown } | { readonly error: unknown } | { readonly waiting: readonly Waiting[] }

/** Starts the handler. `ended` resolves when the handler has ended, or when everything it does waits for people. */
function startRun<Request>(start: RunStart<Request>, handler: (run: Run<Request>) => Promise<unknown>) {
  const { promise: runEnd, resolve } = Promise.withResolvers<RunEnd>()
  const run = createRun(start, resolve)
  handler(run).then(
    (value) => resolve({ value }),
    (error: unknown) => resolve({ error }),
  )
  return { run, ended: runEnd }
}

/** Checks that the run repeated the earlier one. A run that diverged counts as failed, whatever its result. */
function checkEnd(end: RunEnd, call: OpenCall | undefined): RunEnd {
  if ("error" in end) return { error: reasonOf(end.error) }
  try {
    call?.journal.check()
    return end
  } catch (error) {
    return { error }
  }
}

/** Returns the cause of an AbortError, which some functions of Node throw instead of the signal's reason. */
const reasonOf = (error: unknown): unknown =>
  error instanceof Error && error.name === "AbortError" && isHoldpointError(error.cause) ? error.cause : error

const isConnectionLost = (error: unknown): boolean => isHoldpointError(error) && error.code === "connection_needed"

/**
 * Ends the call and cancels its open forms, which are useless now. A consent stays open, and its page says that the
 * call no longer waits for it.
 */
async function endCall(run: Run, call: OpenCall | undefined, answer: Answer | undefined): Promise<void> {
  const { hub, report } = run.asking
  if (call === undefined) return
  try {
    const questions = answersOf(call).map(({ elicitation }) => elicitation)
    const [isFinished] = await Promise.all([call.finish(answer), noteAsker(run, call, { questions, state: "over" })])
    // Another request has taken over the call, and needs its open questions.
    if (!isFinished) return
    for (const entry of call.journal.entries.values()) {
      const openQuestion = entry.kind === "asked" ? await hub.get(entry.elicitation) : undefined
      if (openQuestion === undefined || isSettled(openQuestion.status)) continue
      if (openQuestion.mode === "form") await hub.cancel(openQuestion.id, { code: "call_over" })
      else await noteAsker(run, call, { questions: [openQuestion.id], state: "gone" })
    }
  } catch (error) {
    // The result of the call is returned nevertheless.
    report("cleaning up after a call", error)
  }
}
