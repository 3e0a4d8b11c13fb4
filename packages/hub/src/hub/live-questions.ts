// The questions that this process asked, waits for or shows: a cache and lists of callbacks. The store is
// authoritative.

import type { Elicitation, Outcome } from "../core/elicitation.ts"
import { toOutcome } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { Outlet } from "../ports/outlet.ts"

export interface Waiter {
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

export interface LiveQuestion {
  /** The cached question. Undefined when another process has changed the question since it was read. */
  record: Elicitation | undefined
  waiters: Waiter[]
  /** The outlets in which this process has shown the question. */
  shownBy: Outlet[]
  /** Whether this process is one of the record's holders. */
  isHolder: boolean
  /** The number of calls of this process that asked and have not given up. */
  askers: number
  /** Whether a caller stopped waiting and wants the question to stay open. */
  staysOpen: boolean
  /** The outlets in which this process has tried to show the question. */
  deliveredTo: readonly Outlet[]
}

/** Withdraws the question, once, from all outlets in which this process has shown it. */
export type Withdraw = (elicitation: Elicitation, entry: LiveQuestion) => void

export type LiveTable = Map<string, LiveQuestion>

export function liveEntry(table: LiveTable, id: string, record: Elicitation | undefined): LiveQuestion {
  const existing = table.get(id)
  if (existing !== undefined) return existing
  const created: LiveQuestion = {
    record,
    waiters: emptyList,
    shownBy: emptyList,
    isHolder: false,
    askers: 0,
    staysOpen: false,
    deliveredTo: notDelivered,
  }
  table.set(id, created)
  return created
}

/**
 * Resumes all waiters of a settled question: with the outcome, or with an error when the answer was deleted. Returns
 * whether there were waiters.
 */
export function resolveAll(entry: LiveQuestion, record: Elicitation): boolean {
  const outcome = toOutcome(record)
  const { waiters } = entry
  if (outcome === undefined || waiters.length === 0) return false
  entry.waiters = emptyList
  const isContentGone = record.mode === "form" && outcome.status === "completed" && outcome.content === undefined
  const error = isContentGone ? contentGone(record.id) : undefined
  for (const waiter of waiters) {
    if (error === undefined) waiter.resolve(outcome)
    else waiter.reject(error)
  }
  return true
}

export function rejectAll(entry: LiveQuestion, error: unknown): void {
  const { waiters } = entry
  entry.waiters = emptyList
  for (const waiter of waiters) waiter.reject(error)
}

export function notFound(id: string): HoldpointError {
  return new HoldpointError("not_found", `There is no question with the id “${id}”, or it was removed by retention.`)
}

function contentGone(id: string): HoldpointError {
  return new HoldpointError(
    "content_gone",
    `The question “${id}” was answered, but its answer is not kept any more. Ask again with another key, or keep answers longer with the hub's option “retention”.`,
  )
}

/**
 * The value of `deliveredTo` before the first attempt. Compared by identity: a hub without outlets has an empty list
 * too.
 */
export const notDelivered: readonly Outlet[] = []

/** One shared empty list, so that 100,000 waiting questions do not hold 300,000 empty arrays. */
const emptyList: never[] = []
