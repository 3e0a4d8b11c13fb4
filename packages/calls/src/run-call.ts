// Runs a handler that may ask, from its start to its result. Knows nothing about where the call came from.

import type { HoldpointError } from "@holdpoint/hub"
import { type Elicitation, isHoldpointError, isSettled } from "@holdpoint/hub"
import { isStoreFailure, mostFailures, waitAfter } from "@holdpoint/hub/internal"
import type { Asking } from "./asking.ts"
import type { Hold } from "./holds.ts"
import { answersOf } from "./late-no.ts"
import { noteAsker } from "./note-asker.ts"
import type { Answer, OpenCall } from "./open-call.ts"
import { isCallParent, parentOfCall } from "./parent.ts"
import type { Run, RunStart } from "./run.ts"
import { createRun, endRun } from "./run.ts"
import type { Waiting } from "./waiting.ts"

/**
 * How a run ended. `answer`: what the handler returned, or the carrier's interim answer. `failure`: an error whose
 * message is for the caller.
 */
export type CallEnd = { readonly answer: unknown } | { readonly failure: HoldpointError }

type Handler<Request> = (run: Run<Request>) => Promise<unknown>

/** What happened in the earlier runs of the same request. */
interface EarlierRuns {
  /** Whether the handler has run again because an account was lost. */
  readonly hasAskedAgain?: boolean
  /** How often the storage has failed. */
  readonly failures: number
}

/**
 * Runs a function that asks, until it ends or until everything it does waits for a person. While the storage fails, the
 * function runs again, with growing delays: what it has done is in the journal in memory, and is written as soon as the
 * storage works. Rejects with the failure of the storage only if nothing was begun, or if this process closes.
 */
export async function runCall<Request>(
  start: RunStart<Request>,
  handler: Handler<Request>,
  earlier: EarlierRuns = { failures: 0 },
): Promise<CallEnd> {
  const { run, ended: runEnd } = startRun(start, handler)
  const end = await runEnd
  endRun(run)
  return concludeRun(run, end, { start, handler, earlier }).catch(async (error: unknown) => {
    if (!isStoreFailure(error)) throw error
    const call = await recover(run, error, { isClaimed: start.call !== undefined, failures: earlier.failures })
    const nextStart = call === undefined ? start : { ...start, call }
    return runCall(nextStart, handler, { ...earlier, failures: earlier.failures + 1 })
  })
}

interface RunParts<Request> {
  readonly start: RunStart<Request>
  readonly handler: Handler<Request>
  readonly earlier: EarlierRuns
}

async function concludeRun<Request>(
  run: Run<Request>,
  end: RunEnd,
  { start, handler, earlier }: RunParts<Request>,
): Promise<CallEnd> {
  const { signal, carrier } = run
  const call = await run.call
  if (call?.answer !== undefined) return { answer: call.answer.value }
  const result = checkEnd(end, call)
  if ("error" in result && isStoreFailure(result.error)) throw result.error
  // The client is gone. The same call may be resumed later, with the effects in its journal.
  if (signal.aborted && !("value" in result)) {
    await (start.call === undefined ? call?.giveUp() : call?.release())
    throw "error" in result ? result.error : signal.reason
  }
  if ("waiting" in result) return { answer: await carrier.suspend(run, result.waiting) }
  if ("error" in result && isConnectionLost(result.error) && earlier.hasAskedAgain !== true) {
    // On its next run, the handler asks for the account.
    const nextStart = call === undefined ? start : { ...start, call: call.restart() }
    return runCall(nextStart, handler, { ...earlier, hasAskedAgain: true })
  }
  await endCall(run, call, "value" in result ? result : undefined)
  if ("value" in result) return { answer: result.value }
  if (isHoldpointError(result.error)) return { failure: result.error }
  throw result.error
}

interface Recovery {
  /** Whether the carrier had the call before the first run. */
  readonly isClaimed: boolean
  readonly failures: number
}

/**
 * Waits before the next run of a call whose storage failed. Returns the call, if the run has one. Rejects if there is no
 * next run; what the call has done is then written in the background.
 */
async function recover(run: Run, error: unknown, { isClaimed, failures }: Recovery): Promise<OpenCall | undefined> {
  const { asking, signal } = run
  const { runtime, calls } = asking
  const { closing } = calls
  if (failures === 0) asking.report("storing a call, which is tried again,", error)
  await Promise.allSettled(run.effectsInProgress ?? [])
  const call = await run.call?.catch(() => undefined)
  const isGivenUp = (): boolean => signal.aborted || closing.aborted || (call === undefined && failures >= mostFailures)
  // The process does not close before the caller is told what became of the call.
  const hold: Hold = { call, onEnd() {} }
  asking.holds.holdUntilClose(hold)
  if (!isGivenUp()) await waitAfter({ runtime, closing }, failures, signal)
  asking.holds.release(hold)
  if (!isGivenUp()) return call?.again()
  call?.leave(() => (signal.aborted && !isClaimed ? call.giveUp() : call.release()))
  throw signal.aborted ? signal.reason : error
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
  const { asking } = run
  if (call === undefined) return
  const close = async (): Promise<void> => {
    // A handler that was stopped may have been about to ask.
    await Promise.allSettled(run.questionsInProgress ?? [])
    const consents = await cancelForms(asking, call, run.carrier.address(run, call).parent)
    // Another request has taken over the call, and needs its open questions.
    if (consents === undefined) return
    const questions = answersOf(call).map(({ elicitation }) => elicitation)
    const gone = consents.map(({ id }) => id)
    const [isFinished] = await Promise.all([call.finish(answer), noteAsker(run, call, { questions, state: "over" })])
    if (isFinished && gone.length > 0) await noteAsker(run, call, { questions: gone, state: "gone" })
  }
  try {
    await close()
  } catch (error) {
    // The result of the call is returned nevertheless.
    asking.report("cleaning up after a call", error)
    if (isStoreFailure(error)) call.leave(close)
  }
}

/** Ends a call whose work is done already: the process that did it died, or lost the call, before it cleaned up. */
export async function endLeftCall(asking: Pick<Asking, "hub">, call: OpenCall): Promise<void> {
  const consents = await cancelForms(asking, call, parentOfCall(call.id))
  if (consents !== undefined) await call.finish()
}

/**
 * Cancels the open forms of a call that is about to end: once it has ended, nothing would find them. Returns the open
 * consents of its journal, or undefined when another request has taken over the call.
 */
async function cancelForms(
  { hub }: Pick<Asking, "hub">,
  call: OpenCall,
  parent: string,
): Promise<readonly Elicitation[] | undefined> {
  const asked = [...call.journal.entries.values()].flatMap((entry) =>
    entry.kind === "asked" ? [entry.elicitation] : [],
  )
  const journaled = (await Promise.all(asked.map(hub.get))).filter((question) => question !== undefined)
  // A process that died after it asked may have left a question that the journal does not have.
  const listed = isCallParent(parent)
    ? await hub.list({ tenant: call.tenant, parent, state: "open", limit: mostOpen })
    : []
  const open = [...new Map([...journaled, ...listed].map((question) => [question.id, question])).values()].filter(
    ({ status }) => !isSettled(status),
  )
  const forms = open.filter(({ mode }) => mode === "form")
  if (forms.length > 0 && (call.isGuest || !(await isOurs(call)))) return undefined
  for (const { id } of forms) await hub.cancel(id, { code: "call_over" })
  return open.filter(({ id, mode }) => mode === "url" && asked.includes(id))
}

/** The most open questions of one call that are looked for. */
const mostOpen = 200

async function isOurs(call: OpenCall): Promise<boolean> {
  try {
    await call.save()
    return true
  } catch (error) {
    if (isStoreFailure(error)) throw error
    return false
  }
}
