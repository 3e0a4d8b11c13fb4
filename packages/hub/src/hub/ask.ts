// Asking: stores the question, then shows it. Callers that ask the same question with the same key share one question.

import type { Elicitation } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { Content } from "../core/form.ts"
import type { Limits } from "../core/limits.ts"
import type { Draft, Widen } from "../core/question.ts"
import { assertWider, isSameQuestion, toElicitation, uniqueKeyOf } from "../core/question.ts"
import type { SecretRule } from "../core/secret.ts"
import { toTrace } from "../core/trace.ts"
import type { Observer } from "../ports/observer.ts"
import type { Outlet } from "../ports/outlet.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Inserted, Store } from "../ports/store.ts"
import type { EntryDetail } from "../ports/trail.ts"
import type { Agenda } from "./agenda.ts"
import type { Alarm } from "./alarm.ts"
import type { Delays, Deliveries } from "./deliveries/deliveries.ts"
import type { LiveTable } from "./live-questions.ts"
import { liveEntry } from "./live-questions.ts"
import { insertWithinPlaces } from "./places.ts"
import { thisProcess } from "./process-id.ts"
import type { Show } from "./show.ts"
import type { Step } from "./steps.ts"
import { askedEntry } from "./trail-entries.ts"
import type { GiveUp } from "./wait.ts"

/** The options of one call of `hub.ask`. */
export interface AskOptions {
  readonly signal?: AbortSignal
  /** Additional outlets for this question, besides the hub's own: usually the client that made the call. */
  readonly outlets?: readonly Outlet[]
  /**
   * Delays for lasting outlets: each shows the question only after its delay, if the question is still open then. For
   * example chat at once, e-mail after ten minutes.
   */
  readonly delays?: Delays
  /**
   * The W3C `traceparent` of the request that asks, when it is not the active span's. Stored in the trail, so that the
   * process that settles the question can link to that trace.
   */
  readonly trace?: string
}

declare const answerType: unique symbol

/** An elicitation whose type carries, for the compiler only, the type of its answer: undefined for a url question. */
export type Asked<C extends Content | undefined = Content | undefined> = Elicitation & { readonly [answerType]?: C }

export interface AskNeeds {
  readonly store: Pick<Store, "insert" | "get" | "list">
  readonly runtime: Pick<Runtime, "now" | "newId">
  readonly limits: Limits
  readonly secrets: SecretRule
  readonly live: LiveTable
  /** The inserts in progress, by the claim of their question. */
  readonly insertsInProgress: Map<string, Promise<Elicitation>>
  /** The last question of each asker that waits for a place, by asker and person. */
  readonly placesInProgress: Map<string, Promise<unknown>>
  readonly alarm: Pick<Alarm, "arm">
  readonly step: Step
  readonly show: Show
  readonly deliveries: Pick<Deliveries, "plan" | "add">
  readonly agenda: Pick<Agenda, "plan">
  readonly giveUp: GiveUp
  readonly observer: Pick<Observer, "activeTrace" | "asked">
}

export async function ask(needs: AskNeeds, draft: Draft, options: AskOptions): Promise<Elicitation> {
  options.signal?.throwIfAborted()
  const { runtime, limits, secrets } = needs
  const newQuestion = toElicitation(draft, { id: runtime.newId(), now: runtime.now(), limits, secrets })
  const trace = toTrace(options.trace) ?? toTrace(needs.observer.activeTrace())
  const call: AskCall = {
    ...{ newQuestion, options },
    ...(trace === undefined ? {} : { trace }),
    ...(draft.widen === undefined ? {} : { widen: draft.widen }),
  }
  const claim = uniqueKeyOf(newQuestion)
  const insertInProgress = claim === undefined ? undefined : needs.insertsInProgress.get(claim)
  const stored = await (insertInProgress ?? startAsking(needs, claim, call))
  const askedQuestion =
    insertInProgress === undefined || draft.widen === undefined ? stored : await join(needs, stored, call)
  if (!isSameQuestion(askedQuestion, newQuestion)) throw keyConflict(newQuestion)
  const entry = needs.live.get(askedQuestion.id)
  if (entry !== undefined) entry.askers += 1
  if (insertInProgress !== undefined) needs.show(askedQuestion, options.outlets ?? [])
  if (options.signal?.aborted) {
    needs.giveUp(askedQuestion.id)
    throw options.signal.reason
  }
  return askedQuestion
}

/** One call of `ask`, before its question is stored or joined to the open question with the same key. */
interface AskCall {
  readonly newQuestion: Elicitation
  readonly widen?: Widen
  readonly trace?: string
  readonly options: AskOptions
}

/** Concurrent calls of this process that ask the same question share one insert. */
function startAsking(needs: AskNeeds, claim: string | undefined, call: AskCall): Promise<Elicitation> {
  if (claim === undefined) return insert(needs, call)
  const insertion = insert(needs, call).finally(() => needs.insertsInProgress.delete(claim))
  needs.insertsInProgress.set(claim, insertion)
  return insertion
}

/** Returns the fields that the author exempted from the secret rule, for the trail, so that they can be audited. */
function allowedFields(question: Elicitation, secrets: SecretRule): Pick<EntryDetail, "allowed"> {
  const allowed = question.mode === "form" ? secrets.allowedIn(question.requestedSchema) : {}
  return Object.keys(allowed).length === 0 ? {} : { allowed }
}

async function insert(needs: AskNeeds, call: AskCall): Promise<Elicitation> {
  const { limits, store, live, deliveries } = needs
  const { newQuestion, options, trace } = call
  const traceField = trace === undefined ? {} : { trace }
  // The live entry is added before the insert, so that a settlement between the commit and the first wait is noticed.
  const entry = liveEntry(live, newQuestion.id, newQuestion)
  entry.isHolder = true
  let inserted: Inserted
  try {
    const plan = deliveries.plan(newQuestion, options)
    const agenda = needs.agenda.plan(newQuestion)
    const plannedDetail = { ...plan?.detail, ...agenda?.detail }
    const detail = {
      ...plannedDetail,
      ...allowedFields(newQuestion, needs.secrets),
      ...traceField,
      process: thisProcess(),
    }
    const beside = agenda === undefined ? plan?.beside : [...(plan?.beside ?? []), ...agenda.beside]
    inserted = await insertWithinPlaces(needs, newQuestion, (perPerson) =>
      store.insert(newQuestion, askedEntry(newQuestion, detail), {
        limits: { perPerson, perTenant: limits.pendingPerTenant },
        ...(beside === undefined ? {} : { beside }),
      }),
    )
  } catch (error) {
    live.delete(newQuestion.id)
    throw error
  }
  if (inserted.stored) {
    needs.observer.asked({ elicitation: newQuestion, ...traceField })
    needs.alarm.arm(newQuestion.expiresAt)
    needs.show(newQuestion, options.outlets ?? [])
    return newQuestion
  }
  live.delete(newQuestion.id)
  if ("full" in inserted) throw pendingLimitError(inserted.full)
  return join(needs, inserted.existing, call)
}

async function join(needs: AskNeeds, existing: Elicitation, call: AskCall): Promise<Elicitation> {
  const { newQuestion, widen, options } = call
  if (!isSameQuestion(existing, newQuestion)) throw keyConflict(newQuestion)
  if (widen !== undefined && widen(existing) !== undefined) return widenAndJoin(needs, existing, widen, call)
  if (isSettled(existing.status)) return existing
  const entry = liveEntry(needs.live, existing.id, existing)
  if (entry.isHolder) {
    needs.show(existing, options.outlets ?? [])
    return existing
  }
  entry.isHolder = true
  const joinResult = await needs.step(existing.id, { type: "join" }).catch((error: unknown) => {
    entry.isHolder = false
    throw error
  })
  if (!joinResult.ok) return afterFailedJoin(needs, existing, call)
  needs.alarm.arm(joinResult.elicitation.expiresAt)
  // Deliveries are stored before the question is shown: otherwise the question could end as unsupported too early.
  await needs.deliveries.add(joinResult.elicitation, options).catch((error: unknown) => {
    needs.giveUp(existing.id)
    throw error
  })
  needs.show(joinResult.elicitation, options.outlets ?? [])
  return joinResult.elicitation
}

async function widenAndJoin(needs: AskNeeds, existing: Elicitation, widen: Widen, call: AskCall): Promise<Elicitation> {
  assertWider(widen(existing), needs.limits)
  const widened = await needs.step(existing.id, { type: "widen", widen })
  if (widened.ok) return join(needs, widened.elicitation, call)
  if (widened.refusal.code !== "already_accepted") return afterFailedJoin(needs, existing, call)
  // A person has already accepted the existing question, so it cannot be widened. What is missing is asked as a second
  // question, whose key all later callers share.
  const key = `${call.newQuestion.key?.split(secondKeyMark)[0]}${secondKeyMark}${existing.id}`
  return insert(needs, { ...call, newQuestion: { ...call.newQuestion, key } })
}

const secondKeyMark = " besides "

/**
 * The existing question ended while this call was joining it. If its askers gave up, or it was completed but too
 * narrow, the question is asked again; otherwise its outcome counts.
 */
async function afterFailedJoin(needs: AskNeeds, existing: Elicitation, call: AskCall): Promise<Elicitation> {
  const { newQuestion, widen } = call
  const current = (await needs.store.get(existing.id)) ?? existing
  const isTooNarrow = current.status === "completed" && widen?.(current) !== undefined
  const isAskedAgain = newQuestion.keyReuse === "open" && (current.reason?.code === "asker_gone" || isTooNarrow)
  return isAskedAgain ? insert(needs, call) : current
}

function pendingLimitError(scope: "person" | "tenant"): HoldpointError {
  const [code, subject] =
    scope === "person"
      ? (["too_many_for_person", "This person"] as const)
      : (["too_many_for_tenant", "This tenant"] as const)
  return new HoldpointError(
    code,
    `${subject} has too many open questions. Ask again when some are answered, or raise the limit.`,
  )
}

function keyConflict(question: Elicitation): HoldpointError {
  return new HoldpointError(
    "key_conflict",
    `The key “${question.key}” already names a different question of “${question.requester.id}”. Use another key, or ask exactly the same again.`,
  )
}
