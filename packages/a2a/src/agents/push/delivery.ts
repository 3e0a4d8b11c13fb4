// The state machine of the deliveries of one push configuration: who may try, when to retry, and when to give up. There
// is one attempt at a time, always with the task's newest state, so that an older state never follows a newer one.

import type { AttemptResult } from "@holdpoint/fetching"
import type { A2aPushConfig } from "./records.ts"

export type DeliveryEvent =
  /** A process was notified that the task has changed. */
  | { readonly type: "hear"; readonly number: number }
  /** The task was read, and all its changes are already delivered. */
  | { readonly type: "rest"; readonly number: number; readonly isOver: boolean }
  | { readonly type: "take"; readonly holder: string }
  | (FinishedAttempt & { readonly type: "accept" })
  | (FinishedAttempt & {
      readonly type: "fail"
      /** A random number from 0 to 1, which spreads retries over time. */
      readonly jitter: number
      readonly retryAfterMs?: number
    })
  /** The process stops during an attempt, which does not count: another process retries immediately. */
  | { readonly type: "release"; readonly holder: string }

interface FinishedAttempt {
  readonly holder: string
  readonly result: AttemptResult
  /** The number of the attempted change, and whether it was the last change of the task. */
  readonly number: number
  readonly isOver: boolean
}

/** Longer than an attempt may take, so that two processes never send for the same configuration at the same time. */
export const leaseMs = 60_000
/** How often a task is read without a notification, in case a process died before it could notify. */
export const restMs = 60_000
const secondLookMs = 1_000

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
/** The retry delays after each attempt: about 18 hours in total. */
export const pausesMs: readonly number[] = [
  ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
  ...[2 * hour, 5 * hour, 10 * hour],
]

/** The configuration after the event. Undefined when the event changes nothing or is not allowed now. */
export function afterDeliveryEvent(
  current: A2aPushConfig,
  event: DeliveryEvent,
  now: number,
): A2aPushConfig | undefined {
  const { lease, ...unleased } = current
  const version = current.version + 1
  const isHeld = lease !== undefined && lease.until > now
  switch (event.type) {
    case "hear": {
      if (event.number <= current.heard || current.isOver) return undefined
      // The retry delay stays the same: the next attempt sends the newest state.
      const dueAt = isHeld || current.attempts > 0 ? current.dueAt : now
      return { ...current, version, heard: event.number, dueAt }
    }
    case "rest":
      // Another process holds the lease, or has just checked the task.
      if (isHeld || current.dueAt > now) return undefined
      // A process was notified of a later change after the task was read.
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
      // Gives up this change. Later changes of the task are delivered.
      if (pause === undefined) return afterDelivery({ ...unleased, version }, event, now)
      const delay = Math.max(Math.round(pause * (1 + event.jitter / 10)), event.retryAfterMs ?? 0)
      return { ...unleased, version, last: event.result, dueAt: now + delay }
    }
    case "release":
      return lease?.holder === event.holder
        ? { ...unleased, version, attempts: current.attempts - 1, dueAt: now }
        : undefined
  }
}

function afterDelivery(config: A2aPushConfig, { number, isOver, result }: FinishedAttempt, now: number): A2aPushConfig {
  const dueAt = config.heard > number ? now : now + restMs
  return { ...config, told: number, attempts: 0, last: result, isOver, dueAt }
}
