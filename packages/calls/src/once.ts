// An effect that happens once per call, however often and in whichever process the handler runs. The start is stored
// before the effect, the result after it. The effect does not start when a person has taken back a Yes.

import { AsyncLocalStorage } from "node:async_hooks"
import { HoldpointError } from "@holdpoint/hub"
import type { EffectStep } from "@holdpoint/hub/internal"
import { digestOf } from "./digest.ts"
import { scopeOf } from "./key.ts"
import { findRefusal, noteEffect } from "./late-no.ts"
import type { Refusal } from "./refusal.ts"
import type { Run } from "./run.ts"
import { callOf, isAlone, trackEffect } from "./run.ts"

/** The options of `ask.once`. */
export interface OnceOptions {
  /** Whether the effect may run again when it is unknown whether it was done. */
  readonly repeatable?: boolean
}

/** Information about this attempt, for the effect. */
export interface Attempt {
  /** Whether the effect was begun before in this call: its process ended, or it threw. */
  readonly again: boolean
}

export interface Effect<T> {
  readonly key: string
  readonly effect: (attempt: Attempt) => T | Promise<T>
  readonly options: OnceOptions
}

export async function runEffectOnce<T>(
  run: Run,
  { key, effect, options: { repeatable = false } }: Effect<T>,
): Promise<T> {
  const call = await callOf(run)
  const name = `once ${key}`
  const digest = digestOf(["once", key])
  const earlierEntry = call.journal.visitStep({ key: name, digest }, isAlone(run))
  if (earlierEntry?.kind === "done") return earlierEntry.value as T
  if (call.isGuest) throw doneElsewhereError(key)
  if (earlierEntry?.kind === "started" && !repeatable) throw outcomeUnknownError(key)
  const entry = { key: name, digest }
  const namedEffect = { key: name, scope: scopeOf(key) }
  const store = (step: EffectStep): Promise<unknown> =>
    Promise.all([call.save(), noteEffect(run, call, { ...namedEffect, step })])
  const markAsNotBegun = (): void => call.journal.set(earlierEntry ?? { ...entry, kind: "failed" })
  // The journal in memory always says what is true, so that no failure of the storage repeats or loses an effect while
  // this process lives.
  const end = await trackEffect(run, async (): Promise<EffectEnd<T>> => {
    call.journal.set({ ...entry, kind: "started" })
    try {
      await store("begun")
      const refusal = await findRefusal(run, call, namedEffect)
      if (refusal !== undefined || run.hasFailed) {
        markAsNotBegun()
        return { refusal }
      }
    } catch (error) {
      markAsNotBegun()
      throw error
    }
    try {
      const result = toJson(await effects.run({ run, key }, effect, { again: earlierEntry !== undefined }))
      call.journal.set({ ...entry, kind: "done", ...result })
      return { result }
    } catch (error) {
      // An effect that throws counts as not done.
      call.journal.set({ ...entry, kind: "failed" })
      return { error }
    }
  })
  if ("refusal" in end) {
    await call.save()
    throw end.refusal
  }
  await store("error" in end ? "failed" : "done")
  if ("error" in end) throw end.error
  if (end.result === undefined) throw notStorableError(key)
  return end.result.value as T
}

type EffectEnd<T> =
  | { readonly refusal: Refusal | undefined }
  | { readonly error: unknown }
  | { readonly result: { readonly value?: T } | undefined }

/**
 * Does work that may be repeated and stores only its result. For work that does not rely on an answer, so that a late
 * No does not stop it.
 */
export async function keepResult<T>(run: Run, { key, effect }: Pick<Effect<T>, "key" | "effect">): Promise<T> {
  const call = await callOf(run)
  const entry = { key: `once ${key}`, digest: digestOf(["once", key]) }
  const storedEntry = call.journal.visitStep(entry, isAlone(run))
  if (storedEntry?.kind === "done") return storedEntry.value as T
  if (call.isGuest) throw doneElsewhereError(key)
  const result = await trackEffect(run, async () => {
    const json = toJson(await effects.run({ run, key }, effect, { again: storedEntry !== undefined }))
    call.journal.set({ ...entry, kind: "done", ...json })
    return json
  })
  await call.keep()
  if (result === undefined) throw notStorableError(key)
  return result.value as T
}

/** The effect in which the current code runs. */
const effects = new AsyncLocalStorage<{ readonly run: Run; readonly key: string }>()

/**
 * Throws when a question is asked inside an effect: a suspended question never resolves in this run, so the effect
 * would begin and never end.
 */
export function assertOutsideEffects(run: Run, key: string): void {
  const currentEffect = effects.getStore()
  if (currentEffect?.run !== run) return
  throw new HoldpointError(
    "invalid_question",
    `“${key}” was asked inside ask.once(“${currentEffect.key}”). Ask before the effect, and use the answer in it.`,
  )
}

/**
 * Returns the value after a round trip through JSON, so that this run sees what later runs see. Undefined when that is
 * impossible.
 */
function toJson<T>(value: T): { readonly value?: T } | undefined {
  if (value === undefined) return {}
  try {
    return { value: JSON.parse(JSON.stringify(value)) as T }
  } catch {
    return undefined
  }
}

function doneElsewhereError(key: string): HoldpointError {
  return new HoldpointError(
    "already_settled",
    `Another call with the same arguments is doing “${key}” at the moment. This call stops here; call again in a moment ` +
      "to get the result.",
  )
}

function notStorableError(key: string): HoldpointError {
  return new HoldpointError(
    "invalid_question",
    `The result of ask.once(“${key}”) cannot be stored: return JSON or nothing. The effect itself was done.`,
  )
}

function outcomeUnknownError(key: string): HoldpointError {
  return new HoldpointError(
    "effect_unknown",
    `It is unknown whether “${key}” was done: another request is still doing it, or its process ended in the middle. The ` +
      "effect is not repeated. Check whether it was done, or pass { repeatable: true } where doing it twice does no harm.",
  )
}
