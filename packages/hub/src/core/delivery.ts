// A delivery: one question to be posted to an outlet, or to one address there, and its state. Pure: judges which
// process may work on it and when, and posts nothing.

import type { Lease } from "./connection.ts"
import type { PrincipalId } from "./principal.ts"

/** What an outlet needs to find its message again. Not sealed, so it must not contain a secret. */
export type Receipt = Readonly<Record<string, string>>

/**
 * `owed`: to be posted when due. `spread`: each address became its own delivery. `shown`: posted. `unable`: the outlet
 * cannot show the question. `abandoned`: failed too often. `withdrawing`: the question has ended.
 */
export type DeliveryState = "owed" | "spread" | "shown" | "unable" | "abandoned" | "withdrawing"

export interface Delivery {
  /** The same for all attempts; the outlet recognises its message by it. Not a secret. */
  readonly id: string
  readonly tenant: string
  /** Incremented by one with every change. */
  readonly version: number
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
  /** How many attempts to post or withdraw were begun. */
  readonly attempts: number
  /** When a process has to act on the delivery again. While a process has the lease: when the lease ends. */
  readonly dueAt: number
  readonly lease?: Lease
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
  /** Begins an attempt to post, or to withdraw. */
  | { readonly type: "take" | "withdraw"; readonly holder: string }
  /** The result of an attempt. `endsAt` is the question's deadline, after which a process looks again. */
  | { readonly type: "spread" | "unable"; readonly holder: string; readonly endsAt: number }
  | ({ readonly type: "fail"; readonly holder: string; readonly endsAt: number } & RetryTerms)
  | { readonly type: "show"; readonly holder: string; readonly endsAt: number; readonly receipt: Receipt }
  /** Delays the next check to the deadline, because the question is still open. */
  | { readonly type: "rest"; readonly endsAt: number }
  /** Changes the due time. Only before the first attempt. */
  | { readonly type: "reschedule"; readonly dueAt: number; readonly movedUp?: true }

/** What the outlet's service asked of the next attempt after a failure. */
export interface RetryTerms {
  /** The shortest wait before the next attempt. */
  readonly retryAfterMs?: number
  /** The service refused before it did anything: the attempt does not count. */
  readonly isUncounted?: boolean
}

/**
 * `not_due`: the delivery is not due, another process has its lease, or it may not be rescheduled any more. `lost`:
 * this holder has lost the lease.
 */
export type DeliveryJudgement =
  | { readonly ok: true; readonly next: Delivery }
  | { readonly ok: false; readonly reason: "not_due" | "lost" }

/** Longer than one attempt may take (`attemptMs`), so that two processes never post at the same time. */
export const leaseMs = 60_000
export const attemptMs = 45_000
export const mostAttempts = 12

const firstBackoffMs = 5_000
const longestBackoffMs = 15 * 60_000
/** The longest wait, even for a service that asks for more. */
const longestWaitMs = 3_600_000
const leastWaitMs = 1_000
/** Added to the deadline, because at the deadline itself the question may not have been settled yet. */
const graceMs = 1_000

export function transitionDelivery(current: Delivery, event: DeliveryEvent, now: number): DeliveryJudgement {
  const { lease, ...unleased } = current
  const version = current.version + 1
  switch (event.type) {
    case "take":
    case "withdraw": {
      if (!canBegin(current, event.type, now)) return { ok: false, reason: "not_due" }
      const state = event.type === "take" ? "owed" : "withdrawing"
      const attempts = state === current.state ? current.attempts + 1 : 1
      const leaseEnd = now + leaseMs
      const attempt = { ...current, version, state, attempts, dueAt: leaseEnd } as const
      return { ok: true, next: { ...attempt, lease: { holder: event.holder, until: leaseEnd } } }
    }
    case "rest":
      return { ok: true, next: { ...current, version, dueAt: nextCheckAt(event, now) } }
    case "reschedule": {
      if (!isNotBegun(current)) return { ok: false, reason: "not_due" }
      const { dueAt, movedUp } = event
      return { ok: true, next: { ...current, version, dueAt, ...(movedUp === true ? { movedUp } : {}) } }
    }
    default: {
      if (lease?.holder !== event.holder) return { ok: false, reason: "lost" }
      return { ok: true, next: { ...unleased, version, ...outcomeOf(current, event, now) } }
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

export function backoffMs(attempts: number): number {
  return Math.min(firstBackoffMs * 2 ** (attempts - 1), longestBackoffMs)
}

function canBegin({ state, dueAt, lease }: Delivery, step: "take" | "withdraw", now: number): boolean {
  if (step === "take") return state === "owed" && dueAt <= now
  // A withdrawal does not wait for the due time, only for a running attempt or the backoff of a failed one.
  return state === "withdrawing" ? dueAt <= now : lease === undefined || lease.until <= now
}

/** Shortly after the question's deadline, or after now if that has passed. */
const nextCheckAt = ({ endsAt }: { readonly endsAt: number }, now: number): number => Math.max(endsAt, now) + graceMs

type AttemptEvent = Exclude<DeliveryEvent, { readonly type: "take" | "withdraw" | "rest" | "reschedule" }>

function outcomeOf({ state, attempts }: Delivery, event: AttemptEvent, now: number): Partial<Delivery> {
  const dueAt = nextCheckAt(event, now)
  switch (event.type) {
    case "spread":
      return { state: "spread", dueAt }
    case "unable":
      return { state: "unable", dueAt }
    case "show":
      return { state: "shown", receipt: event.receipt, shownAt: now, dueAt }
    case "fail":
      return afterFailure({ state, attempts }, event, now)
  }
}

function afterFailure(
  { state, attempts }: Pick<Delivery, "state" | "attempts">,
  { retryAfterMs = 0, isUncounted = false, endsAt }: RetryTerms & { readonly endsAt: number },
  now: number,
): Partial<Delivery> {
  const waitMs = Math.min(retryAfterMs, longestWaitMs)
  if (isUncounted) return { state, attempts: attempts - 1, isTried: true, dueAt: now + Math.max(waitMs, leastWaitMs) }
  if (attempts >= mostAttempts) return { state: "abandoned", dueAt: nextCheckAt({ endsAt }, now) }
  return { state, dueAt: now + Math.max(backoffMs(attempts), waitMs) }
}
