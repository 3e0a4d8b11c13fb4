// Waiting for the outcome. A waiter is two functions in a list; the commit that settles the question calls them.

import type { Elicitation, Outcome } from "../core/elicitation.ts"
import { toOutcome } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { HubParts } from "./hub.ts"
import type { Live, Waiter } from "./live.ts"
import { liveEntry } from "./live.ts"
import { step } from "./steps.ts"

export interface WaitOptions {
  readonly signal?: AbortSignal
  /**
   * When `signal` aborts: `cancel` gives up what this process has asked, which ends the question unless somebody else
   * asked or waits too; `leave` lets it stay open. Who waits without having asked never ends it.
   */
  readonly onAbort?: "cancel" | "leave"
}

/** Not an async function: a hundred thousand waits should not hold a second promise each. */
export function wait(parts: HubParts, id: string, options: WaitOptions): Promise<Outcome> {
  if (options.signal?.aborted) {
    giveUp(parts, id, options.onAbort)
    return Promise.reject(options.signal.reason)
  }
  const known = parts.live.get(id)
  const entry = known ?? liveEntry(parts.live, id, undefined)
  const outcome = register(parts, id, entry, options)
  // Registered first, read second: a settlement in between reaches the waiter either way.
  if (known === undefined) parts.background("reading a question", () => lookUp(parts, id, entry))
  else if (known.record === undefined) parts.reload(id)
  return outcome
}

async function lookUp(parts: HubParts, id: string, entry: Live): Promise<void> {
  try {
    const record = await parts.storage.store.get(id)
    if (record === undefined) throw notFound(id)
    parts.moved(record)
  } catch (error) {
    rejectAll(parts, id, entry, error)
  }
}

function register(parts: HubParts, id: string, entry: Live, options: WaitOptions): Promise<Outcome> {
  const { signal, onAbort = "cancel" } = options
  return new Promise((resolve, reject) => {
    if (signal === undefined) {
      entry.waiters = [...entry.waiters, { resolve, reject }]
      return
    }
    const stop = (): void => {
      entry.waiters = entry.waiters.filter((other) => other !== waiter)
      reject(signal.reason)
      if (parts.live.get(id) === entry) giveUp(parts, id, onAbort)
    }
    const waiter: Waiter = {
      resolve(outcome) {
        signal.removeEventListener("abort", stop)
        resolve(outcome)
      },
      reject(error) {
        signal.removeEventListener("abort", stop)
        reject(error)
      },
    }
    entry.waiters = [...entry.waiters, waiter]
    signal.addEventListener("abort", stop, { once: true })
  })
}

/** One caller gives up. With the last of its askers the process does, and with the last process the question ends. */
export function giveUp(parts: HubParts, id: string, onAbort: "cancel" | "leave" = "cancel"): void {
  const entry = parts.live.get(id)
  if (entry === undefined) return
  if (onAbort === "leave") entry.stays ||= entry.holding
  else entry.askers = Math.max(0, entry.askers - 1)
  if (entry.waiters.length > 0 || entry.askers > 0) return
  if (entry.holding && !entry.stays) {
    entry.holding = false
    release(parts, id)
  } else if (!entry.holding && entry.shownBy.length === 0) parts.live.delete(id)
}

/** The question stays open. Nothing of it is kept here meanwhile: there may be many. */
export function leave(parts: HubParts, id: string): void {
  const entry = parts.live.get(id)
  if (entry === undefined) return
  entry.stays = true
  if (entry.waiters.length === 0) entry.record = undefined
}

/** Takes back one hold, in the end. Who asks again meanwhile has a hold of its own, which this does not touch. */
function release(parts: HubParts, id: string): void {
  parts.background("releasing a question", async () => {
    try {
      await step(parts, id, { type: "release" })
    } catch (error) {
      parts.later(retryMs, () => release(parts, id))
      throw error
    }
  })
}

const retryMs = 1_000

export function notFound(id: string): HoldpointError {
  return new HoldpointError("not_found", `There is no question with the id “${id}”, or it was removed by retention.`)
}

export function rejectAll(parts: HubParts, id: string, entry: Live, error: unknown): void {
  if (parts.live.get(id) === entry) parts.live.delete(id)
  const { waiters } = entry
  entry.waiters = []
  for (const waiter of waiters) waiter.reject(error)
}

/** Resumes everybody who waits, and notes that the content has been read. */
export function resolveAll(parts: HubParts, entry: Live, record: Elicitation): void {
  const outcome = toOutcome(record)
  if (outcome === undefined) return
  const { waiters } = entry
  entry.waiters = []
  if (waiters.length > 0 && record.content !== undefined) parts.read(record.id)
  for (const waiter of waiters) waiter.resolve(outcome)
}
