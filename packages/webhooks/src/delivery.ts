// The late work of webhooks: one event for one endpoint, sent in the order of its question's events. Pure.

import type { AttemptResult } from "@holdpoint/fetching"
import type { DueKind } from "@holdpoint/hub/internal"
import { isHeld } from "@holdpoint/hub/internal"
import { type WebhookDelivery, webhookDeliveryKind } from "./records.ts"

export type DeliveryEvent =
  /** The receiver answered 2xx. */
  | { readonly type: "accept"; readonly result: AttemptResult }
  /** The event cannot be sent yet: its endpoint is paused. */
  | { readonly type: "wait"; readonly until: number }
  /** The event will not be sent: too many attempts failed, or, as `problem` says, it cannot be sent. */
  | { readonly type: "give_up"; readonly problem?: string }
  /** A person wants the event sent now, although its delivery has ended or waits for the next attempt. */
  | { readonly type: "again" }

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** The pauses after each attempt, as Standard Webhooks recommends them; about three days in all. */
export const pausesMs: readonly number[] = [
  ...[5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour],
  ...[10 * hour, 14 * hour, 20 * hour, 24 * hour],
]

export const deliveryWork: DueKind<WebhookDelivery, DeliveryEvent> = {
  named: "webhooks",
  record: webhookDeliveryKind,
  exhausted: { type: "give_up" },
  delaysMs: pausesMs,
  spread: 0.1,
  // A process has at most 8 attempts under way for one endpoint, and 16 for all.
  lane: { keyOf: ({ endpoint }) => endpoint, limit: 8 },
  orderOf: ({ revision }) => revision,
  graceMs: 2_000,
  transition(current, event, now) {
    const isOwed = current.state === "owed" && !isHeld(current, now)
    switch (event.type) {
      case "accept":
        return { ...current, state: "accepted", last: event.result, endedAt: now }
      case "wait":
        return isOwed ? { ...current, dueAt: event.until } : undefined
      case "give_up": {
        const last = event.problem === undefined ? current.last : { at: now, problem: event.problem }
        return isOwed ? { ...current, state: "failed", last, endedAt: now } : undefined
      }
      case "again":
        if (isHeld(current, now)) return undefined
        return { ...current, state: "owed", attempts: 0, dueAt: now, lease: undefined, endedAt: undefined }
    }
  },
}
