// An effect that happens once in a call, however often its handler is run and by whichever process. That it began is
// written down before, what it gave afterwards.

import { HoldpointError } from "../../core/error.ts"
import type { OnceOptions } from "./ask.ts"
import { digestOf } from "./state.ts"
import type { Turn } from "./turn.ts"

export async function once<T>(
  turn: Turn,
  key: string,
  effect: () => T | Promise<T>,
  { repeatable = false }: OnceOptions,
): Promise<T> {
  const call = await turn.call()
  const name = `once ${key}`
  const digest = digestOf(["once", key])
  const known = call.journal.pass(name, digest)
  if (known?.kind === "done") return known.value as T
  if (known?.kind === "started" && !repeatable) throw unknown(key)
  const entry = { key: name, digest, batch: call.journal.batch }
  call.journal.set({ ...entry, kind: "started" })
  // A call that is held runs here and nowhere else: if it dies, so does its client's request.
  const isHeld = turn.client.isReachable
  if (!isHeld) await call.save()
  let value: T
  try {
    value = await effect()
  } catch (error) {
    // It failed and says so: it was not done.
    call.journal.forget(name)
    if (!isHeld) await call.save()
    throw error
  }
  call.journal.set({ ...entry, kind: "done", value: toJson(key, value) })
  if (!isHeld) await call.save()
  return value
}

/** What comes back on the next run must be what came now. */
function toJson(key: string, value: unknown): unknown {
  if (value === undefined) return undefined
  const text = JSON.stringify(value)
  if (text !== undefined) return value
  throw new HoldpointError(
    "invalid_question",
    `What ask.once(“${key}”) returns cannot be kept: return JSON or nothing.`,
  )
}

function unknown(key: string): HoldpointError {
  return new HoldpointError(
    "replay_diverged",
    `Nobody knows whether “${key}” was done: the process that did it ended in the middle. It is not done again; look ` +
      "whether it was, or say { repeatable: true } where doing it twice does no harm.",
  )
}
