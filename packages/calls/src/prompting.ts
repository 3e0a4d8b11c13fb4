// Gets the outcome of a question: from the journal if it is there, otherwise through the carrier. Also the functions
// that carriers build `prompt` from.

import type { Elicitation, Entry, Outcome, Outlet, WaitOptions } from "@holdpoint/hub"
import { isHoldpointError } from "@holdpoint/hub"
import { toOutcome } from "@holdpoint/hub/forms"
import type { Asking } from "./asking.ts"
import type { Prompting } from "./carrier.ts"
import type { Hold } from "./holds.ts"
import type { AskedEntry, JournalEntry } from "./journal.ts"
import { applyLateNo } from "./late-no.ts"
import { noteAsker } from "./note-asker.ts"
import { assertOutsideEffects } from "./once.ts"
import type { OpenCall } from "./open-call.ts"
import type { Question } from "./question.ts"
import type { Run, Suspended } from "./run.ts"
import { callOf, isAlone, onNewQuestion, suspendAt, trackQuestion } from "./run.ts"

export async function askQuestion(run: Run, question: Question): Promise<Outcome | Suspended> {
  assertOutsideEffects(run, question.key)
  const call = await callOf(run)
  const earlierEntry = await toValidEntry(run, question, call.journal.visitStep(question, isAlone(run)))
  if (earlierEntry?.kind === "answered") return earlierEntry.outcome
  try {
    return await run.carrier.prompt(run, {
      question,
      call,
      askedEntry: earlierEntry?.kind === "asked" ? earlierEntry : undefined,
    })
  } catch (error) {
    // The same outcome as for a settled question whose content retention has removed.
    if (isHoldpointError(error) && error.code === "content_gone") return { status: "completed" }
    throw error
  }
}

/**
 * The journal entry, if it is still valid. A call that is recognised by its arguments may continue an old call whose
 * account question was completed; if the account was lost since then, the entry is ignored and the account is asked for
 * again.
 */
async function toValidEntry(
  { asking }: Run,
  { isLost }: Question,
  entry: JournalEntry | undefined,
): Promise<JournalEntry | undefined> {
  if (isLost === undefined || entry?.kind !== "asked") return entry
  const isCompleted = (await asking.hub.get(entry.elicitation))?.status === "completed"
  return isCompleted && (await isLost()) ? undefined : entry
}

export interface OpenedQuestion {
  readonly elicitation: Elicitation
  readonly askedEntry: AskedEntry
  /** The outcome, if the question was settled already, for example by another call. */
  readonly outcome: Outcome | undefined
}

interface Opening extends Prompting {
  /**
   * Called before the journal has the question. If it rejects, the next run asks again, which joins the question, and
   * calls it again.
   */
  readonly onOpened?: ((elicitation: Elicitation) => Promise<unknown>) | undefined
}

/** Asks the question at the hub and records it in the journal. `outlets` are added to the hub's own outlets. */
export async function openQuestion(
  { question, call, onOpened }: Opening,
  ...outlets: readonly Outlet[]
): Promise<OpenedQuestion> {
  const elicitation = await question.ask(call, outlets)
  await onOpened?.(elicitation)
  const { key, digest, isOptional, isJoined, options } = question
  const optionalFields = {
    ...(isOptional === true ? { isOptional } : {}),
    ...(isJoined === true ? { isJoined } : {}),
    ...(options.until === undefined ? {} : { until: options.until }),
  }
  const askedEntry: AskedEntry = {
    kind: "asked",
    key,
    digest,
    elicitation: elicitation.id,
    attempts: 0,
    ...optionalFields,
  }
  call.journal.set(askedEntry)
  const outcome = outcomeOf(question, elicitation)
  return { elicitation, askedEntry, outcome: outcome && remember(call, askedEntry, outcome) }
}

/**
 * The outcome of a question, or undefined while the call has to wait. With `until: "accepted"`, a link counts as
 * completed when the person has agreed to open it.
 */
export function outcomeOf({ options }: Question, elicitation: Elicitation): Outcome | undefined {
  if (options.until === "accepted" && elicitation.status === "accepted") return { status: "completed" }
  return toOutcome(elicitation)
}

/**
 * A `prompt` for carriers that have no client: the hub's outlets and the given ones show the question, and the call is
 * resumed when the question is settled.
 */
export async function askAndSuspend(
  run: Run,
  prompting: Prompting,
  ...outlets: readonly Outlet[]
): Promise<Outcome | Suspended> {
  const { question, call, askedEntry } = prompting
  const { hub } = run.asking
  const current = askedEntry === undefined ? undefined : await hub.get(askedEntry.elicitation)
  if (askedEntry !== undefined && current === undefined) return remember(call, askedEntry, { status: "expired" })
  if (current !== undefined && current.status !== "pending") await prompting.onSeen?.(current)
  const outcome = current && outcomeOf(question, current)
  if (askedEntry !== undefined && outcome !== undefined)
    return remember(call, askedEntry, await applyLateNo(run, askedEntry.elicitation, outcome))
  const onOpened = async (elicitation: Elicitation): Promise<unknown> => {
    if (outcomeOf(question, elicitation) !== undefined) return prompting.onSeen?.(elicitation)
    const { id } = elicitation
    hub.leave(id)
    return Promise.all([noteAsker(run, call, { questions: [id], state: "waits" }), prompting.onSeen?.(elicitation)])
  }
  const openedQuestion =
    askedEntry === undefined || current === undefined
      ? await trackQuestion(run, () => openQuestion({ ...prompting, onOpened }, ...outlets))
      : { elicitation: current, askedEntry, outcome: undefined }
  if (openedQuestion.outcome !== undefined) return openedQuestion.outcome
  const { id, expiresAt, createdAt } = openedQuestion.elicitation
  if (current === undefined) {
    // Another call may share the question, so that it may have been settled before this call was noted as waiting.
    const latest = question.isShared === true ? await hub.get(id) : undefined
    const latestOutcome = latest && outcomeOf(question, latest)
    if (latest !== undefined && latestOutcome !== undefined) {
      await prompting.onSeen?.(latest)
      return remember(call, openedQuestion.askedEntry, latestOutcome)
    }
  }
  return suspendAt(run, { key: question.key, elicitation: id, lifetimeMs: expiresAt - createdAt, isNew: !askedEntry })
}

/**
 * Records the outcome in the journal. Refusals are recorded too, so that a declined question is not asked again in that
 * call.
 */
export function remember(
  call: OpenCall,
  { key, digest, elicitation, isOptional, isJoined }: AskedEntry,
  settledOutcome: Outcome,
): Outcome {
  const isFailed = settledOutcome.status === "cancelled" && failureCodes.has(settledOutcome.reason?.code)
  const outcome: Outcome = isFailed ? { ...settledOutcome, status: "failed" } : settledOutcome
  const optionalFields = { ...(isOptional === true ? { isOptional } : {}), ...(isJoined === true ? { isJoined } : {}) }
  call.journal.set({ kind: "answered", key, digest, elicitation, outcome, ...optionalFields })
  return outcome
}

/** The number of answers that do not fit the form after which the question is given up. */
export const mostAttempts = 3
export const clientFailedReason = { code: "client_failed" }
export const invalidAnswersReason = { code: "invalid_answers", message: "None of the three answers fits the form" }

/** The reasons of questions that were cancelled because the client could not answer them, not dismissed by a person. */
const failureCodes: ReadonlySet<string | undefined> = new Set([invalidAnswersReason.code, clientFailedReason.code])

/** Waits until the question is settled or, for a link with `until`, until its condition is met. */
function waitFor(
  { asking }: Run,
  { question, id }: { readonly question: Question; readonly id: string },
  options: WaitOptions,
): Promise<Outcome> {
  const settlement = asking.hub.wait(id, options)
  const { until } = question.options
  return until === undefined ? settlement : waitForAgreement(asking, { settlement, id, until })
}

interface AgreementWaitParts {
  readonly settlement: Promise<Outcome>
  readonly id: string
  readonly until: "accepted" | "held"
}

function waitForAgreement(
  { hub, holds, followers }: Asking,
  { settlement, id, until }: AgreementWaitParts,
): Promise<Outcome> {
  const { promise: agreement, resolve, reject } = Promise.withResolvers<Outcome>()
  let release: (() => void) | undefined
  const onStatus = (status: Elicitation["status"] | undefined): void => {
    if (status !== "accepted") return
    if (until === "accepted") resolve({ status: "completed" })
    else release ??= holds.begin(() => resolve(notYetOutcome))
  }
  const onEntry = ({ status }: Entry): void => onStatus(status)
  followers.follow(id, onEntry)
  hub.get(id).then((question) => onStatus(question?.status), reject)
  return Promise.race([settlement, agreement]).finally(() => {
    followers.unfollow(id, onEntry)
    release?.()
  })
}

/** The outcome when the person agreed but has not finished within the hold time. The question stays open. */
export const notYetOutcome: Outcome = {
  status: "expired",
  reason: { code: "not_yet", message: "they agreed, but have not finished yet" },
}

/**
 * Waits for the outcome of a question for at most the hold time. Undefined when that time is over, or when another
 * question must be shown.
 */
export async function waitHere(run: Run, { question, call }: Prompting, id: string): Promise<Outcome | undefined> {
  const { signal } = run
  const controller = new AbortController()
  const giveUp = (): void => controller.abort(signal.reason)
  const endHold = (): void => controller.abort(controller)
  signal.addEventListener("abort", giveUp, { once: true })
  const release = run.asking.holds.begin(endHold, call)
  const stopListening = onNewQuestion(run, endHold)
  try {
    signal.throwIfAborted()
    return await waitFor(run, { question, id }, { signal: controller.signal, onAbort: "leave" })
  } catch (error) {
    if (error !== controller) throw error
    return undefined
  } finally {
    release()
    stopListening()
    signal.removeEventListener("abort", giveUp)
  }
}

/** A wait that other code may end. */
export interface LongWait {
  /** Resolves to undefined when this process closes. The question stays open then. */
  readonly outcome: Promise<Outcome | undefined>
  /** Ends the wait with this outcome instead of the question's own. */
  readonly end: (outcome: Outcome | undefined) => void
  /** Releases the wait. Must be called when the outcome is known. */
  stop(): void
}

/** Waits for a question without a time limit. */
export function waitLong(run: Run, prompting: Prompting, elicitation: Elicitation): LongWait {
  return new OpenWait(run, prompting, elicitation)
}

class OpenWait implements LongWait, Hold, WaitOptions {
  readonly outcome: Promise<Outcome | undefined>
  readonly end: (outcome: Outcome | undefined) => void
  readonly call: OpenCall
  readonly signal: AbortSignal
  /** What happens to the question when the caller gives up: a consent outlives its call, a form does not. */
  readonly onAbort: "cancel" | "leave"
  readonly #asking: Asking
  readonly #id: string

  constructor(run: Run, { question, call }: Prompting, { id, mode }: Elicitation) {
    const { promise: outcome, resolve: end, reject } = Promise.withResolvers<Outcome | undefined>()
    this.outcome = outcome
    this.end = end
    this.call = call
    this.signal = run.signal
    this.onAbort = mode === "form" ? "cancel" : "leave"
    this.#asking = run.asking
    this.#id = id
    run.asking.holds.holdUntilClose(this)
    waitFor(run, { question, id }, this).then(end, reject)
  }

  onEnd(): void {
    this.#asking.hub.leave(this.#id)
    this.end(undefined)
  }

  stop(): void {
    this.#asking.holds.release(this)
  }
}
