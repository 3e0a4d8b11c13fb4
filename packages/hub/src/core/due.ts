// Late work: what falls due is carried out by one process at a time, under a lease, and again later when it fails.
// Pure: judges leases and delays, carries out nothing.

/** What a record of late work has besides its own fields. */
export interface Due {
  readonly version: number
  /** When a process acts on the record again. Under a lease, when the lease ends. Undefined for never. */
  readonly dueAt?: number | undefined
  /** How many attempts were begun since the last success. */
  readonly attempts: number
  readonly lease?: DueLease | undefined
}

/** One attempt of one process. */
export interface DueLease {
  /** Grows with each lease of the record: a result counts only under the number of the latest lease. */
  readonly number: number
  readonly until: number
}

/** The pauses after failed attempts. */
export interface Delays {
  /** The pause after each attempt. After the last of them, the work is given up. */
  readonly delaysMs: readonly number[]
  /** The last pause repeats without end: the work is never given up. */
  readonly isEndless?: boolean
  /** The largest part of a pause that is added at random, so that the attempts for many records spread over time. */
  readonly spread?: number
  /** The longest wait that is granted to a service that asks for one. Unlimited by default. */
  readonly mostWaitMs?: number
}

/** What a failed attempt says about the next one. */
export interface RetryTerms {
  /** The shortest wait before the next attempt. */
  readonly retryAfterMs?: number | undefined
  /** The service refused before it did anything: the attempt does not count. */
  readonly isUncounted?: boolean | undefined
  /** There is no next attempt. */
  readonly isLast?: boolean | undefined
}

/** Longer than `attemptMs`, so that two processes never carry out the same record at the same time. */
export const leaseMs = 60_000
export const attemptMs = 45_000
const leastWaitMs = 1_000

/** Whether an attempt is under way, as far as its lease says. */
export const isHeld = ({ lease }: Pick<Due, "lease">, now: number): boolean => lease !== undefined && lease.until > now

/** The record under a new lease, at the beginning of an attempt. */
export function underNewLease<R extends Due>(current: R, leaseMs: number, now: number): R {
  const until = now + leaseMs
  return { ...current, attempts: current.attempts + 1, dueAt: until, lease: { number: current.version + 1, until } }
}

/** The record without the lease of this number. Undefined when the lease was lost: another attempt has begun or ended. */
export function withoutLease<R extends Due>(current: R, number: number): R | undefined {
  return current.lease?.number === number ? { ...current, lease: undefined } : undefined
}

/** The record after an attempt that does not count. */
export const uncounted = <R extends Due>(current: R, dueAt: number): R => ({
  ...current,
  attempts: current.attempts - 1,
  dueAt,
})

/** When a failed attempt is followed by the next one. Undefined when the work is given up. `random` is from 0 to 1. */
export function retryAt(
  { attempts }: Pick<Due, "attempts">,
  { delays, terms, now, random }: Retry,
): number | undefined {
  const { delaysMs, isEndless = false, spread = 0, mostWaitMs = Number.POSITIVE_INFINITY } = delays
  const waitMs = Math.min(terms.retryAfterMs ?? 0, mostWaitMs)
  if (terms.isUncounted === true) return now + Math.max(waitMs, leastWaitMs)
  const delayMs = delaysMs[attempts - 1] ?? (isEndless ? delaysMs.at(-1) : undefined)
  if (delayMs === undefined || terms.isLast === true) return undefined
  return now + Math.max(Math.round(delayMs * (1 + spread * random)), waitMs)
}

export interface Retry {
  readonly delays: Delays
  readonly terms: RetryTerms
  readonly now: number
  readonly random: number
}

/** A table of `count` pauses, each twice as long as the one before, up to the longest. */
export const doubling = (firstMs: number, mostMs: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => Math.min(firstMs * 2 ** index, mostMs))
