// The questions that this process has a part in: those it asked, waits for or shows. What is here is a cache and a
// list of callbacks; the truth is in the store.

import type { Elicitation, Outcome } from "../core/elicitation.ts"
import { toOutcome } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { Outlet } from "../ports/outlet.ts"

export interface Waiter {
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

export interface Live {
  /** As last seen; undefined when another process has moved it on. */
  record: Elicitation | undefined
  waiters: Waiter[]
  /** Where this process has shown it. */
  shownBy: Outlet[]
  /** Whether this process counts among the record's holders. */
  holding: boolean
  /** How many calls of this process asked and have not given up. */
  askers: number
  /** Somebody left and wants it to stay open. */
  stays: boolean
  /** Where this process has tried to show it. */
  deliveredTo: readonly Outlet[]
}

export type LiveTable = Map<string, Live>

export function liveEntry(table: LiveTable, id: string, record: Elicitation | undefined): Live {
  const found = table.get(id)
  if (found !== undefined) return found
  const made: Live = {
    record,
    waiters: none,
    shownBy: none,
    holding: false,
    askers: 0,
    stays: false,
    deliveredTo: nobody,
  }
  table.set(id, made)
  return made
}

/** Resumes everybody who waits. False when none did. */
export function resolveAll(entry: Live, record: Elicitation): boolean {
  const outcome = toOutcome(record)
  const { waiters } = entry
  if (outcome === undefined || waiters.length === 0) return false
  entry.waiters = none
  for (const waiter of waiters) waiter.resolve(outcome)
  return true
}

export function rejectAll(entry: Live, error: unknown): void {
  const { waiters } = entry
  entry.waiters = none
  for (const waiter of waiters) waiter.reject(error)
}

export function notFound(id: string): HoldpointError {
  return new HoldpointError("not_found", `There is no question with the id “${id}”, or it was removed by retention.`)
}

/** Nothing has been delivered yet, not even to no outlet at all. */
export const nobody: readonly Outlet[] = []

/** One empty list for all: 100,000 waiting questions should not own 300,000 empty arrays. */
const none: never[] = []
