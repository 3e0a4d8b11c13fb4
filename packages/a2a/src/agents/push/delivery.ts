// The late work of push notifications: when to try, to retry and to give up. There is one attempt at a time for each
// configuration, always with the task's newest state, so that an older state never follows a newer one. Pure.

import type { AttemptResult } from "@holdpoint/fetching"
import { type DueKind, isHeld } from "@holdpoint/hub/internal"
import { type A2aPushConfig, a2aPushKind, type TriedChange } from "./records.ts"

export type DeliveryEvent =
  /** A process was notified that the task has changed. */
  | { readonly type: "hear"; readonly number: number }
  /** The task was read, and all its changes are already delivered. */
  | (TriedChange & { readonly type: "rest" })
  | (TriedChange & { readonly type: "accept"; readonly result: AttemptResult })
  /** This change was tried too often. Later changes of the task are delivered. */
  | { readonly type: "give_up" }
  /** The receiver or the client has ended the notifications. */
  | { readonly type: "leave" }

/** How often a task is read without a notification, in case a process died before it could notify. */
export const restMs = 60_000
const secondLookMs = 1_000

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

export const pushWork: DueKind<A2aPushConfig, DeliveryEvent> = {
  named: "notifications over A2A",
  record: a2aPushKind,
  exhausted: { type: "give_up" },
  // About 18 hours in total.
  delaysMs: [...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute], ...[2 * hour, 5 * hour, 10 * hour]],
  spread: 0.1,
  // At most 8 attempts at a time for one receiver, out of 16 per process.
  lane: { keyOf: ({ receiver }) => receiver, limit: 8 },
  graceMs: 2_000,
  transition(current, event, now) {
    switch (event.type) {
      case "hear": {
        if (event.number <= current.heard || current.isOver) return undefined
        // The retry delay stays the same: the next attempt sends the newest state.
        const dueAt = isHeld(current, now) || current.attempts > 0 ? current.dueAt : now
        return { ...current, heard: event.number, dueAt }
      }
      case "rest":
        // Another process holds the lease, or has just checked the task.
        if (isHeld(current, now) || current.dueAt > now) return undefined
        // A process was notified of a later change after the task was read.
        if (current.heard > event.number) return { ...current, dueAt: now + secondLookMs }
        return { ...current, isOver: event.isOver, dueAt: now + restMs }
      case "accept":
        return afterDelivery({ ...current, last: event.result }, event, now)
      case "give_up":
        return afterDelivery(current, current.tried ?? { number: current.heard, isOver: false }, now)
      case "leave":
        return "remove"
    }
  },
}

function afterDelivery(config: A2aPushConfig, { number, isOver }: TriedChange, now: number): A2aPushConfig {
  return { ...config, told: number, attempts: 0, isOver, dueAt: config.heard > number ? now : now + restMs }
}
