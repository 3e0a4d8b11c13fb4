// The state transitions of one delivery: which process may send it, when it is retried, when it is given up. Pure.

import type { AttemptResult, WebhookDelivery } from "./records.ts"

export type DeliveryEvent =
  | { readonly type: "take"; readonly holder: string }
  /** The receiver answered 2xx. */
  | { readonly type: "accept"; readonly holder: string; readonly result: AttemptResult }
  | {
      readonly type: "fail"
      readonly holder: string
      readonly result: AttemptResult
      /** From 0 to 1: spreads the attempts of many events over time. */
      readonly jitter: number
      readonly retryAfterMs?: number
      /** The receiver wants no more events. */
      readonly isLast: boolean
    }
  /** The process stops during the attempt, which does not count: another process retries immediately. */
  | { readonly type: "release"; readonly holder: string }
  /** The event cannot be sent yet: its endpoint is paused, or an earlier event of its question has to be sent first. */
  | { readonly type: "wait"; readonly until: number }
  /** The event will not be sent: the endpoint is disabled, or the question is gone. */
  | { readonly type: "give_up"; readonly problem: string }
  /** A person wants the event sent now, although its delivery has ended or waits for the next attempt. */
  | { readonly type: "again" }

/** Longer than an attempt may take, so that two processes never send the same event at the same time. */
export const leaseMs = 60_000

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** The pauses after each attempt, as Standard Webhooks recommends them; about three days in all. */
export const pausesMs: readonly number[] = [
  ...[5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour],
  ...[10 * hour, 14 * hour, 20 * hour, 24 * hour],
]

/** The delivery after the event; undefined when the delivery is not due, has ended, or is under another lease. */
export function transition(current: WebhookDelivery, event: DeliveryEvent, now: number): WebhookDelivery | undefined {
  const { lease, ...unleased } = current
  const version = current.version + 1
  const isHeld = lease !== undefined && lease.until > now
  switch (event.type) {
    case "take": {
      if (current.state !== "owed" || current.dueAt > now) return undefined
      const until = now + leaseMs
      const attempts = current.attempts + 1
      return { ...current, version, attempts, dueAt: until, lease: { holder: event.holder, until } }
    }
    case "accept":
      if (lease?.holder !== event.holder) return undefined
      return { ...unleased, version, state: "accepted", last: event.result, endedAt: now }
    case "fail": {
      if (lease?.holder !== event.holder) return undefined
      const pause = event.isLast ? undefined : pausesMs[current.attempts - 1]
      if (pause === undefined) return { ...unleased, version, state: "failed", last: event.result, endedAt: now }
      const delay = Math.max(Math.round(pause * (1 + event.jitter / 10)), event.retryAfterMs ?? 0)
      return { ...unleased, version, last: event.result, dueAt: now + delay }
    }
    case "release":
      return lease?.holder === event.holder
        ? { ...unleased, version, attempts: current.attempts - 1, dueAt: now }
        : undefined
    case "wait":
      return current.state === "owed" && !isHeld ? { ...unleased, version, dueAt: event.until } : undefined
    case "give_up": {
      if (current.state !== "owed" || isHeld) return undefined
      const last = { at: now, problem: event.problem }
      return { ...unleased, version, state: "failed", last, endedAt: now }
    }
    case "again": {
      if (isHeld) return undefined
      const { endedAt: _endedAt, ...open } = unleased
      return { ...open, version, state: "owed", attempts: 0, dueAt: now }
    }
  }
}
