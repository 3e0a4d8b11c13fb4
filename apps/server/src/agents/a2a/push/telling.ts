// What follows from an attempt to tell a receiver of a task: who may try, when it is tried again, when it is given up.
// One attempt at a time, and always with the newest state: a receiver never hears of an earlier state after a later
// one.

import type { AttemptResult } from "@holdpoint/sdk/webhooks"
import type { A2aPushConfig } from "./records.ts"

export type TellingEvent =
  /** The task has changed, as a process has heard. */
  | { readonly type: "hear"; readonly number: number }
  /** The task was read, and its receiver knows all of it. */
  | { readonly type: "rest"; readonly number: number; readonly isOver: boolean }
  | { readonly type: "take"; readonly holder: string }
  | (Attempted & { readonly type: "accept" })
  | (Attempted & {
      readonly type: "fail"
      /** From 0 to 1: spreads the attempts of many notifications over time. */
      readonly jitter: number
      readonly retryAfterMs?: number
    })
  /** The process stops in the middle of an attempt: another one tries at once. */
  | { readonly type: "release"; readonly holder: string }

interface Attempted {
  readonly holder: string
  readonly result: AttemptResult
  /** The change that was to be told, and whether it was the task's last. */
  readonly number: number
  readonly isOver: boolean
}

/** Longer than an attempt may take, so that two processes never tell the same receiver at once. */
export const leaseMs = 60_000
/** How long a task is not read again without being heard of: a process may have died before it said so. */
export const restMs = 60_000
const secondLookMs = 1_000

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
/** The pauses after each attempt; about 18 hours in all. */
export const pausesMs: readonly number[] = [
  ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
  ...[2 * hour, 5 * hour, 10 * hour],
]

/** The configuration after the event; undefined when the event changes nothing or is not allowed now. */
export function afterTelling(current: A2aPushConfig, event: TellingEvent, now: number): A2aPushConfig | undefined {
  const { lease, ...unleased } = current
  const version = current.version + 1
  const isHeld = lease !== undefined && lease.until > now
  switch (event.type) {
    case "hear": {
      if (event.number <= current.heard || current.isOver) return undefined
      // The pause between attempts is kept: the next one tells the newest state.
      const dueAt = isHeld || current.attempts > 0 ? current.dueAt : now
      return { ...current, version, heard: event.number, dueAt }
    }
    case "rest":
      // Another process has done so.
      if (isHeld || current.dueAt > now) return undefined
      // A process heard of a later change after the task was read.
      if (current.heard > event.number) return { ...unleased, version, dueAt: now + secondLookMs }
      return { ...unleased, version, isOver: event.isOver, dueAt: now + restMs }
    case "take": {
      if (isHeld || current.isOver || current.dueAt > now) return undefined
      const until = now + leaseMs
      return {
        ...current,
        version,
        attempts: current.attempts + 1,
        dueAt: until,
        lease: { holder: event.holder, until },
      }
    }
    case "accept":
      return lease?.holder === event.holder ? afterDelivery({ ...unleased, version }, event, now) : undefined
    case "fail": {
      if (lease?.holder !== event.holder) return undefined
      const pause = pausesMs[current.attempts - 1]
      // Given up: later changes of the task are told.
      if (pause === undefined) return afterDelivery({ ...unleased, version }, event, now)
      const delay = Math.max(Math.round(pause * (1 + event.jitter / 10)), event.retryAfterMs ?? 0)
      return { ...unleased, version, last: event.result, dueAt: now + delay }
    }
    case "release":
      return lease?.holder === event.holder ? { ...unleased, version, dueAt: now } : undefined
  }
}

function afterDelivery(config: A2aPushConfig, { number, isOver, result }: Attempted, now: number): A2aPushConfig {
  const dueAt = config.heard > number ? now : now + restMs
  return { ...config, told: number, attempts: 0, last: result, isOver, dueAt }
}
