// A delivery: one question to be posted to an outlet, or to one address there, and its state. Pure: judges what may
// happen to it and when it is due, and posts nothing.

import { type Delays, type Due, doubling } from "./due.ts"
import type { PrincipalId } from "./principal.ts"

/** What an outlet needs to find its message again. Not sealed, so it must not contain a secret. */
export type Receipt = Readonly<Record<string, string>>

/**
 * `owed`: to be posted when due. `spread`: each address became its own delivery. `shown`: posted. `unable`: the outlet
 * cannot show the question. `abandoned`: failed too often. `withdrawing`: the question has ended.
 */
export type DeliveryState = "owed" | "spread" | "shown" | "unable" | "abandoned" | "withdrawing"

export interface Delivery extends Due {
  /** The same for all attempts; the outlet recognises its message by it. Not a secret. */
  readonly id: string
  readonly tenant: string
  readonly elicitation: string
  /** The name of the outlet, the same in every process. */
  readonly outlet: string
  /**
   * Absent in an outlet's first delivery. When that delivery is due, the addresses are looked up, and each gets a
   * delivery of its own.
   */
  readonly address?: string
  /** The person who is reached at the address. */
  readonly person?: PrincipalId
  /** Which reminder this is, from 1. Absent in the first message about the question. */
  readonly reminder?: number
  /** For a question that was escalated: the role whose people are reached by this delivery. */
  readonly role?: string
  /** For people who were asked later than the others: the time of asking, at which their ladder begins. */
  readonly since?: number
  readonly state: DeliveryState
  readonly dueAt: number
  /** The question's deadline, as it was at the last failed attempt. */
  readonly endsAt?: number
  readonly receipt?: Receipt
  /** When it was posted. */
  readonly shownAt?: number
  /** Set after an attempt that does not count, because the service refused it before doing anything. */
  readonly isTried?: true
  /**
   * Set when the delivery does not wait for its time on the ladder, because no earlier outlet can show the question.
   */
  readonly movedUp?: true
  readonly createdAt: number
}

export type DeliveryEvent =
  /** The result of an attempt to post. `endsAt` is the question's deadline, after which a process looks again. */
  | { readonly type: "spread" | "unable"; readonly endsAt: number }
  | { readonly type: "show"; readonly endsAt: number; readonly receipt: Receipt }
  /** The question has ended: the message is to be withdrawn. */
  | { readonly type: "withdraw" }
  /** The message was withdrawn. */
  | { readonly type: "withdrawn" }
  /** The last attempt to post or withdraw has failed. */
  | { readonly type: "give_up" }
  /** Delays the next check to the deadline, because the question is still open. */
  | { readonly type: "rest"; readonly endsAt: number }
  /** Changes the due time. Only before the first attempt. */
  | { readonly type: "reschedule"; readonly dueAt: number; readonly movedUp?: true }

/** The pauses after failed attempts: eleven, so that the twelfth attempt is the last. */
export const deliveryDelays: Delays = { delaysMs: doubling(5_000, 15 * 60_000, 11), mostWaitMs: 3_600_000 }

/** Added to the deadline, because at the deadline itself the question may not have been settled yet. */
const graceMs = 1_000

/** The delivery after an event, or its removal. Undefined when the event is not allowed in this state. */
export function transitionDelivery(
  current: Delivery,
  event: DeliveryEvent,
  now: number,
): Delivery | "remove" | undefined {
  switch (event.type) {
    case "spread":
    case "unable":
      return { ...current, state: event.type, dueAt: nextCheckAt(event.endsAt, now) }
    case "show":
      return {
        ...current,
        state: "shown",
        receipt: event.receipt,
        shownAt: now,
        dueAt: nextCheckAt(event.endsAt, now),
      }
    case "withdraw":
      // Does not wait for the due time, but for the pause after a failed withdrawal.
      if (current.state === "withdrawing") return current.dueAt <= now ? current : undefined
      return { ...current, state: "withdrawing", attempts: 0, dueAt: now }
    case "withdrawn":
      return "remove"
    case "give_up":
      if (current.state === "withdrawing") return "remove"
      return { ...current, state: "abandoned", dueAt: nextCheckAt(current.endsAt ?? now, now) }
    case "rest":
      return { ...current, dueAt: nextCheckAt(event.endsAt, now) }
    case "reschedule": {
      if (!isNotBegun(current)) return undefined
      const { dueAt, movedUp = current.movedUp } = event
      return { ...current, dueAt, ...(movedUp && { movedUp }) }
    }
  }
}

/** True when no message can have been posted, so there is nothing to withdraw. */
export function isUnposted({ address, state, attempts }: Delivery): boolean {
  return address === undefined || state === "unable" || (state === "owed" && attempts === 0)
}

/** True for a delivery to an address before its first attempt. */
export function isNotBegun({ address, state, isTried, attempts }: Delivery): boolean {
  return address !== undefined && state === "owed" && attempts === 0 && isTried !== true
}

/** Shortly after the question's deadline, or after now if that has passed. */
const nextCheckAt = (endsAt: number, now: number): number => Math.max(endsAt, now) + graceMs
