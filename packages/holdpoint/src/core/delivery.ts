// One delivery: a question that is owed to an outlet, or to one address there, and what became of it. Pure: it judges
// who may work on a delivery and when, and posts nothing itself.

import type { Lease } from "./connection.ts"

/** What an outlet needs to find its message again. Kept as it is, not sealed: it must hold no secret. */
export type Receipt = Readonly<Record<string, string>>

/**
 * `owed`: to be carried out when it is due. `spread`: its addresses became deliveries of their own. `shown`: posted.
 * `unable`: cannot be shown there. `abandoned`: failed too often. `withdrawing`: its question has ended.
 */
export type DeliveryState = "owed" | "spread" | "shown" | "unable" | "abandoned" | "withdrawing"

export interface Delivery {
  /** Stable over all attempts: what an outlet recognises its own message by. Not a secret. */
  readonly id: string
  readonly tenant: string
  /** Raised by one with every change. */
  readonly version: number
  readonly elicitation: string
  /** The name of the outlet, the same in every process. */
  readonly outlet: string
  /** Absent in the first one of an outlet: whom it reaches is looked up when it is due. */
  readonly address?: string
  readonly state: DeliveryState
  /** How often somebody began to post it, or to withdraw it. */
  readonly attempts: number
  /** When somebody has to look at it again. Under a lease: when that ends. */
  readonly dueAt: number
  readonly lease?: Lease
  readonly receipt?: Receipt
  readonly createdAt: number
}

export type DeliveryEvent =
  /** Begins an attempt to post, or to withdraw. */
  | { readonly type: "take" | "withdraw"; readonly holder: string }
  /** How an attempt went. `endsAt` is the deadline of the question, after which somebody looks again. */
  | { readonly type: "spread" | "unable" | "fail"; readonly holder: string; readonly endsAt: number }
  | { readonly type: "show"; readonly holder: string; readonly endsAt: number; readonly receipt: Receipt }
  /** Nothing to do yet: its question is open, and has another deadline than before. */
  | { readonly type: "rest"; readonly endsAt: number }

/** `not_due`: it is somebody else's turn, or not time yet. `lost`: the lease is not this holder's any more. */
export type DeliveryJudgement =
  | { readonly ok: true; readonly next: Delivery }
  | { readonly ok: false; readonly because: "not_due" | "lost" }

/** Longer than a holder may take for one attempt, so that two never post at once. */
export const leaseMs = 60_000
export const attemptMs = 45_000
export const mostAttempts = 12

const firstBackoffMs = 5_000
const longestBackoffMs = 15 * 60_000
/** The alarm settles a question at its deadline; a look at that very moment could find it open. */
const graceMs = 1_000

export function transitionDelivery(current: Delivery, event: DeliveryEvent, now: number): DeliveryJudgement {
  const { lease, ...unleased } = current
  const version = current.version + 1
  switch (event.type) {
    case "take":
    case "withdraw": {
      if (!canBegin(current, event.type, now)) return { ok: false, because: "not_due" }
      const state = event.type === "take" ? "owed" : "withdrawing"
      const attempts = state === current.state ? current.attempts + 1 : 1
      const until = now + leaseMs
      const taken = { ...current, version, state, attempts, dueAt: until } as const
      return { ok: true, next: { ...taken, lease: { holder: event.holder, until } } }
    }
    case "rest":
      return { ok: true, next: { ...current, version, dueAt: lookAt(event, now) } }
    default: {
      if (lease?.holder !== event.holder) return { ok: false, because: "lost" }
      return { ok: true, next: { ...unleased, version, ...outcomeOf(current, event, now) } }
    }
  }
}

/** True when no message of it can be out there, so that there is nothing to withdraw. */
export function isUnposted({ address, state, attempts }: Delivery): boolean {
  return address === undefined || state === "unable" || (state === "owed" && attempts === 0)
}

export function backoffMs(attempts: number): number {
  return Math.min(firstBackoffMs * 2 ** (attempts - 1), longestBackoffMs)
}

function canBegin({ state, dueAt, lease }: Delivery, what: "take" | "withdraw", now: number): boolean {
  if (what === "take") return state === "owed" && dueAt <= now
  // The end of a question is not waited for, but for an attempt that is under way, or failed just now.
  return state === "withdrawing" ? dueAt <= now : lease === undefined || lease.until <= now
}

/** After the deadline of the question; later still when nothing has ended it by then. */
const lookAt = ({ endsAt }: { readonly endsAt: number }, now: number): number => Math.max(endsAt, now) + graceMs

type Ended = Exclude<DeliveryEvent, { readonly type: "take" | "withdraw" | "rest" }>

function outcomeOf({ state, attempts }: Delivery, event: Ended, now: number): Partial<Delivery> {
  const dueAt = lookAt(event, now)
  switch (event.type) {
    case "spread":
      return { state: "spread", dueAt }
    case "unable":
      return { state: "unable", dueAt }
    case "show":
      return { state: "shown", receipt: event.receipt, dueAt }
    case "fail":
      return attempts < mostAttempts ? { state, dueAt: now + backoffMs(attempts) } : { state: "abandoned", dueAt }
  }
}
