// A No that comes after a Yes. It is checked for when a call uses an answer, and right before each effect. It stops the
// effects in the scope of the question and in scopes inside it; the settled question does not change. A handler can also
// watch for it by a signal.

import type { Outcome, Reason } from "../core/elicitation.ts"
import type { EffectStep } from "../hub/effects.ts"
import { effectEntry, findNo, isLateNo, readTrail } from "../hub/effects.ts"
import type { Entry } from "../ports/trail.ts"
import { digestOf } from "./digest.ts"
import type { JournalEntry } from "./journal.ts"
import { scopeOf } from "./key.ts"
import type { OpenCall } from "./open-call.ts"
import type { Refusal } from "./refusal.ts"
import { toRefusal } from "./refusal.ts"
import type { Run } from "./run.ts"

interface No {
  readonly status: "declined" | "cancelled"
  readonly reason: Reason
}

/** The outcome that counts for a call which uses the answer now: a later No overrides a Yes. */
export async function applyLateNo(run: Run, elicitation: string, settled: Outcome): Promise<Outcome> {
  return settled.status === "completed" ? ((await noTo(run, elicitation)) ?? settled) : settled
}

/** Whether a person said No, as opposed to the asker cancelling the question. */
export const isNo = ({ status, ...more }: Outcome): boolean =>
  status === "declined" || (status === "cancelled" && (!("reason" in more) || more.reason?.code === takenBack.code))

/** Records a step of an effect in the trail of each question whose answer it relies on. */
export async function noteEffect(run: Run, call: OpenCall, effect: Noted): Promise<void> {
  const at = run.asking.runtime.now()
  const { tenant } = run.carrier.address(run, call).audience
  const answers = answersOf(call).filter(reliedOnIn(effect.scope))
  const notes = answers.map(({ elicitation: id }) => ({ question: { id, tenant }, ...nameOf(call, effect) }))
  await Promise.all(notes.map((note) => run.asking.trail.append(effectEntry(note, at))))
}

export interface NamedEffect {
  readonly key: string
  /** The scope in which the effect is done. */
  readonly scope: string
}

export interface Noted extends NamedEffect {
  readonly step: EffectStep
}

/**
 * Whether what is done in this scope relies on an answer: one to a question asked in it or in a scope around it. What
 * relies on the answer to a joined question is done, and stopped, by the call that asked.
 */
const reliedOnIn =
  (scope: string) =>
  ({ key, isJoined }: Pick<Answer, "key" | "isJoined">): boolean =>
    isJoined !== true && scope.startsWith(scopeOf(key))

/**
 * Returns the refusal when a No came before this effect, which was already recorded as begun. The No then replaces the
 * answer in the journal.
 */
export async function refusedBefore(run: Run, call: OpenCall, effect: NamedEffect): Promise<Refusal | undefined> {
  for (const entry of answersOf(call).filter(reliedOnIn(effect.scope))) {
    const outcome = await noTo(run, entry.elicitation, nameOf(call, { ...effect, step: "begun" }).effect)
    if (outcome === undefined) continue
    const { key: question, digest, elicitation, isOptional } = entry
    const optional = isOptional === true ? { isOptional } : {}
    call.journal.set({ kind: "answered", key: question, digest, elicitation, outcome, ...optional })
    return toRefusal(question, outcome.status, outcome.reason)
  }
  return undefined
}

const nameOf = (call: OpenCall, { key, step }: Noted) => ({ effect: digestOf([call.id, key]).slice(0, 16), step })

type Answer = Extract<JournalEntry, { kind: "answered" | "asked" }>

/**
 * The entries that the call relies on: questions answered with Yes, and accounts that were asked for and are connected.
 */
export const answersOf = ({ journal }: OpenCall): readonly Answer[] =>
  [...journal.entries.values()].filter(
    (entry): entry is Answer =>
      (entry.kind === "answered" && entry.outcome.status === "completed") ||
      (entry.kind === "asked" && entry.isOptional === true),
  )

/** A signal that aborts when the caller gives up, or when a No overrides a Yes that this scope of the call relies on. */
export function signalOf(run: Run, scope: string): AbortSignal {
  run.stopped ??= new Map()
  const signal = run.stopped.get(scope) ?? watchNo(run, scope)
  run.stopped.set(scope, signal)
  return signal
}

function watchNo(run: Run, scope: string): AbortSignal {
  const { followers, report } = run.asking
  const stop = new AbortController()
  const isReliedOn = reliedOnIn(scope)
  const look = async (isMeant: (entry: Answer) => boolean): Promise<void> => {
    for (const entry of ((await run.call)?.journal.entries ?? new Map<string, JournalEntry>()).values()) {
      if ((entry.kind !== "answered" && entry.kind !== "asked") || !isReliedOn(entry) || !isMeant(entry)) continue
      const trail = await readTrail(run.asking.trail, entry.elicitation)
      const no = trail.find(isLateNo)
      if (no === undefined) continue
      const { status, reason } = toNo(no)
      stop.abort(toRefusal(entry.key, status, reason))
    }
  }
  const lookAt = (isMeant: (entry: Answer) => boolean): void => {
    look(isMeant).catch((error: unknown) => report("looking for a No that came late", error))
  }
  const unfollow = followers.followAll((entry) => {
    if (isLateNo(entry)) lookAt(({ elicitation }) => elicitation === entry.id)
  })
  run.ends = [...run.ends, unfollow]
  lookAt(() => true)
  return AbortSignal.any([run.signal, stop.signal])
}

async function noTo({ asking }: Run, elicitation: string, effect?: string): Promise<No | undefined> {
  const no = findNo(await readTrail(asking.trail, elicitation), effect)
  return no === undefined ? undefined : toNo(no)
}

function toNo({ kind, detail }: Entry): No {
  const isCancel = kind === "cancelled" || detail.message === "cancel"
  return { status: isCancel ? "cancelled" : "declined", reason: takenBack }
}

const takenBack: Reason = { code: "taken_back", message: "they had said yes before, and took it back in time" }
