// An effect that happens once per call, however often and in whichever process its handler runs. Its start is stored
// before it, its result afterwards. It does not start when a person has said No by then.

import { AsyncLocalStorage } from "node:async_hooks"
import { HoldpointError } from "../core/error.ts"
import { digestOf } from "./digest.ts"
import { scopeOf } from "./key.ts"
import { noteEffect, refusedBefore } from "./late-no.ts"
import type { Run } from "./run.ts"
import { callOf, isAlone } from "./run.ts"

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

export async function once<T>(run: Run, { key, effect, options: { repeatable = false } }: Effect<T>): Promise<T> {
  const call = await callOf(run)
  const name = `once ${key}`
  const digest = digestOf(["once", key])
  const known = call.journal.pass({ key: name, digest }, isAlone(run))
  if (known?.kind === "done") return known.value as T
  if (call.isGuest) throw underWay(key)
  if (known?.kind === "started" && !repeatable) throw unknown(key)
  const entry = { key: name, digest }
  const named = { key: name, scope: scopeOf(key) }
  const write = (made: EffectEnd): Promise<unknown> => {
    call.journal.set({ ...entry, ...made })
    const step = made.kind === "started" ? "begun" : made.kind
    return Promise.all([call.save(), noteEffect(run, call, { ...named, step })])
  }
  await write({ kind: "started" })
  const refused = await refusedBefore(run, call, named)
  if (refused !== undefined) {
    call.journal.set(known ?? { ...entry, kind: "failed" })
    await call.save()
    throw refused
  }
  let value: T
  try {
    value = await effects.run({ run, key }, effect, { again: known !== undefined })
  } catch (error) {
    // An effect that throws counts as not done.
    await write({ kind: "failed" })
    throw error
  }
  const kept = toJson(value)
  await write({ kind: "done", ...kept })
  if (kept === undefined) throw unkept(key)
  return kept.value as T
}

/**
 * Keeps the result of work that may be done again: nothing is stored before it. For work that relies on no answer, so
 * that no late No concerns it.
 */
export async function keepResult<T>(run: Run, { key, effect }: Pick<Effect<T>, "key" | "effect">): Promise<T> {
  const call = await callOf(run)
  const entry = { key: `once ${key}`, digest: digestOf(["once", key]) }
  const earlier = call.journal.pass(entry, isAlone(run))
  if (earlier?.kind === "done") return earlier.value as T
  if (call.isGuest) throw underWay(key)
  const kept = toJson(await effects.run({ run, key }, effect, { again: earlier !== undefined }))
  call.journal.set({ ...entry, kind: "done", ...kept })
  await call.keep()
  if (kept === undefined) throw unkept(key)
  return kept.value as T
}

type EffectEnd = { readonly kind: "started" | "failed" } | { readonly kind: "done"; readonly value?: unknown }

/** The effect in which the current code runs. */
const effects = new AsyncLocalStorage<{ readonly run: Run; readonly key: string }>()

/**
 * Throws when a question is asked inside an effect: a suspended question never resolves in this run, so the effect
 * would begin and never end.
 */
export function assertOutsideEffects(run: Run, key: string): void {
  const within = effects.getStore()
  if (within?.run !== run) return
  throw new HoldpointError(
    "invalid_question",
    `“${key}” was asked inside ask.once(“${within.key}”). Ask before the effect, and use the answer in it.`,
  )
}

/**
 * Returns the value after a round trip through JSON, so that this run sees what later runs see. Undefined when that is
 * impossible.
 */
function toJson(value: unknown): { readonly value?: unknown } | undefined {
  if (value === undefined) return {}
  try {
    return { value: JSON.parse(JSON.stringify(value)) }
  } catch {
    return undefined
  }
}

function underWay(key: string): HoldpointError {
  return new HoldpointError(
    "already_settled",
    `“${key}” is being done by another call with the same arguments, made at the same time. This one stops here; call ` +
      "again in a moment to see what came of it.",
  )
}

function unkept(key: string): HoldpointError {
  return new HoldpointError(
    "invalid_question",
    `What ask.once(“${key}”) returns cannot be kept: return JSON or nothing. What it does was done.`,
  )
}

function unknown(key: string): HoldpointError {
  return new HoldpointError(
    "effect_unknown",
    `It is unknown whether “${key}” was done: another request began it and is still at it, or its process ended in the ` +
      "middle. It is not done again; look whether it was, or say { repeatable: true } where doing it twice does no harm.",
  )
}
