// A No that comes after a Yes. It is checked for when a call uses an answer, and right before each effect. It stops the
// effects in the scope of the question and in scopes inside it; the settled question does not change. A handler can
// also watch for it by a signal.

import type { Entry, Outcome, Reason } from "@holdpoint/hub"
import type { EffectStep } from "@holdpoint/hub/internal"
import { effectEntry, findNo, isLateNo, readTrail } from "@holdpoint/hub/internal"
import { digestOf } from "./digest.ts"
import type { JournalEntry } from "./journal.ts"
import { scopeOf } from "./key.ts"
import type { OpenCall } from "./open-call.ts"
import type { Refusal } from "./refusal.ts"
import { toRefusal } from "./refusal.ts"
import type { Run } from "./run.ts"

interface LateNo {
  readonly status: "declined" | "cancelled"
  readonly reason: Reason
}

/** The outcome that counts when a call uses the answer: a later No overrides a Yes. */
export async function applyLateNo(run: Run, elicitation: string, outcome: Outcome): Promise<Outcome> {
  return outcome.status === "completed" ? ((await findLateNo(run, elicitation)) ?? outcome) : outcome
}

/** Whether a person said No, as opposed to the asker cancelling the question. */
export const isNo = ({ status, ...details }: Outcome): boolean =>
  status === "declined" ||
  (status === "cancelled" && (!("reason" in details) || details.reason?.code === takenBackReason.code))

/** Records a step of an effect in the trail of each question on whose answer the effect relies. */
export async function noteEffect(run: Run, call: OpenCall, effect: EffectNote): Promise<void> {
  const time = run.asking.runtime.now()
  const { tenant } = run.carrier.address(run, call).audience
  const answers = answersOf(call).filter(reliedOnFilter(effect.scope))
  const notes = answers.map(({ elicitation: id }) => ({ question: { id, tenant }, ...nameOf(call, effect) }))
  await Promise.all(notes.map((note) => run.asking.trail.append(effectEntry(note, time))))
}

export interface NamedEffect {
  readonly key: string
  /** The scope in which the effect is done. */
  readonly scope: string
}

export interface EffectNote extends NamedEffect {
  readonly step: EffectStep
}

/**
 * Whether the effects of this scope rely on an answer: to a question of the same scope, or of a scope around it.
 * Effects that rely on a joined question belong to the call that asked it.
 */
const reliedOnFilter =
  (scope: string) =>
  ({ key, isJoined }: Pick<AnswerEntry, "key" | "isJoined">): boolean =>
    isJoined !== true && scope.startsWith(scopeOf(key))

/**
 * Returns the refusal if a No was recorded before this effect was recorded as begun; else undefined. The No then
 * replaces the answer in the journal.
 */
export async function findRefusal(run: Run, call: OpenCall, effect: NamedEffect): Promise<Refusal | undefined> {
  for (const entry of answersOf(call).filter(reliedOnFilter(effect.scope))) {
    const outcome = await findLateNo(run, entry.elicitation, nameOf(call, { ...effect, step: "begun" }).effect)
    if (outcome === undefined) continue
    const { key: question, digest, elicitation, isOptional } = entry
    const optionalField = isOptional === true ? { isOptional } : {}
    call.journal.set({ kind: "answered", key: question, digest, elicitation, outcome, ...optionalField })
    return toRefusal(question, outcome.status, outcome.reason)
  }
  return undefined
}

const nameOf = (call: OpenCall, { key, step }: EffectNote) => ({ effect: digestOf([call.id, key]).slice(0, 16), step })

type AnswerEntry = Extract<JournalEntry, { kind: "answered" | "asked" }>

/**
 * The entries that the call relies on: questions answered with Yes, and questions for accounts that are now connected.
 */
export const answersOf = ({ journal }: OpenCall): readonly AnswerEntry[] =>
  [...journal.entries.values()].filter(
    (entry): entry is AnswerEntry =>
      (entry.kind === "answered" && entry.outcome.status === "completed") ||
      (entry.kind === "asked" && entry.isOptional === true),
  )

/**
 * A signal that aborts when the caller gives up, or when a No overrides a Yes that this scope of the call relies on.
 */
export function signalOf(run: Run, scope: string): AbortSignal {
  run.signals ??= new Map()
  const signal = run.signals.get(scope) ?? watchNo(run, scope)
  run.signals.set(scope, signal)
  return signal
}

function watchNo(run: Run, scope: string): AbortSignal {
  const { followers, report } = run.asking
  const controller = new AbortController()
  const isReliedOn = reliedOnFilter(scope)
  const abortOnNo = async (isSelected: (entry: AnswerEntry) => boolean): Promise<void> => {
    for (const entry of ((await run.call)?.journal.entries ?? new Map<string, JournalEntry>()).values()) {
      if ((entry.kind !== "answered" && entry.kind !== "asked") || !isReliedOn(entry) || !isSelected(entry)) continue
      const trail = await readTrail(run.asking.trail, entry.elicitation)
      const noEntry = trail.find(isLateNo)
      if (noEntry === undefined) continue
      const { status, reason } = toLateNo(noEntry)
      controller.abort(toRefusal(entry.key, status, reason))
    }
  }
  const checkAnswers = (isSelected: (entry: AnswerEntry) => boolean): void => {
    abortOnNo(isSelected).catch((error: unknown) => report("looking for a No that came late", error))
  }
  const unfollow = followers.followAll((entry) => {
    if (isLateNo(entry)) checkAnswers(({ elicitation }) => elicitation === entry.id)
  })
  run.endListeners = [...run.endListeners, unfollow]
  checkAnswers(() => true)
  return AbortSignal.any([run.signal, controller.signal])
}

async function findLateNo({ asking }: Run, elicitation: string, effect?: string): Promise<LateNo | undefined> {
  const noEntry = findNo(await readTrail(asking.trail, elicitation), effect)
  return noEntry === undefined ? undefined : toLateNo(noEntry)
}

function toLateNo({ kind, detail }: Entry): LateNo {
  const isCancel = kind === "cancelled" || detail.message === "cancel"
  return { status: isCancel ? "cancelled" : "declined", reason: takenBackReason }
}

const takenBackReason: Reason = { code: "taken_back", message: "they had said yes before, and took it back in time" }
