// Attempts under a lease. A result is written only under the number of the lease with which its attempt began: a slow
// worker whose record was taken over changes nothing any more.

import { isDeepStrictEqual } from "node:util"
import type { RetryTerms } from "../core/due.ts"
import {
  isHeld,
  retryAt,
  uncounted,
  underNewLease,
  attemptMs as usualAttemptMs,
  leaseMs as usualLeaseMs,
  withoutLease,
} from "../core/due.ts"
import { isStoreFailure } from "../core/error.ts"
import type { Records } from "../ports/records.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { NewEntry } from "../ports/trail.ts"
import { change, type Next } from "./change.ts"
import type { DueKind, DueRecord } from "./due-kind.ts"
import { waitAfter } from "./store-retry.ts"
import type { Report } from "./work.ts"

/** How an attempt ended, for counters. `lost`: another process had taken the record over. */
export type AttemptEnd = "done" | "failed" | "given_up" | "released" | "lost"

/** One attempt to carry out a record, in the process that has its lease. */
export interface Attempt<R, E> {
  /** The number of the lease, which grows with each attempt: a receiver can refuse what comes with a smaller one. */
  readonly number: number
  /** Aborts when the attempt has taken too long, and when the process stops. */
  readonly signal: AbortSignal
  /** Ends the attempt with an event. Undefined when the lease was lost, or the transition refuses the event. */
  end(event: E, toEntry?: (next: R) => NewEntry | undefined): Promise<R | undefined>
  /** Ends the attempt as failed: the record is due again after a pause, or given up. */
  fail(failure?: Failure<R>): Promise<R | undefined>
  /** Ends the attempt as if it had not begun, so that another process begins it at once. */
  release(): Promise<R | undefined>
}

export interface Failure<R> extends RetryTerms {
  /** What the record notes of the failure. */
  readonly note?: Partial<R> | undefined
  readonly toEntry?: ((next: R) => NewEntry | undefined) | undefined
  /** Not reported, because the service only asked to wait. */
  readonly isExpected?: boolean | undefined
}

export interface LeaseOptions<R, E> {
  /** An event to apply together with the lease. The lease is then taken even before the due time. */
  readonly first?: E
  /** The record was just inserted under a lease of this process. */
  readonly isLeased?: boolean
  /** What an error says about the next attempt. */
  readonly failureOf?: (error: unknown) => Failure<R>
}

export interface AttemptNeeds<R extends DueRecord, E> {
  readonly kind: DueKind<R, E>
  readonly records: Pick<Records<R>, "get" | "replace" | "remove">
  readonly runtime: Runtime
  readonly report: Report
  /** Called with each new due time. */
  readonly onDue: (time: number) => void
  /** Called when a record is due no more. */
  readonly onOver: (record: R) => Promise<void>
  readonly count: (end: AttemptEnd) => void
}

export interface Attempts<R, E> {
  underLease<T>(
    record: R,
    run: (leased: R, attempt: Attempt<R, E>) => Promise<T>,
    options?: LeaseOptions<R, E>,
  ): Promise<T | undefined>
  /** Aborts the attempts under way after the grace time. */
  stop(): void
}

export function createAttempts<R extends DueRecord, E>(needs: AttemptNeeds<R, E>): Attempts<R, E> {
  const { kind, records, runtime, report, onDue, onOver, count } = needs
  const { leaseMs = usualLeaseMs, attemptMs = usualAttemptMs } = kind
  const underWay = new Set<AbortController>()
  let isStopped = false
  let isAborting = false
  let cancelGrace: () => void = () => {}

  const take = async (record: R, first: E | undefined): Promise<R | undefined> => {
    let refusedUntil: number | undefined
    const taken = await change(records, record, (current) => {
      const now = runtime.now()
      refusedUntil = kind.record.dueAt(current)
      if (isStopped || isHeld(current, now)) return undefined
      const begun = first === undefined ? current : kind.transition(current, first, now)
      if (begun === undefined || begun === "remove") return begun
      const dueAt = kind.record.dueAt(begun)
      if (dueAt === undefined || (first === undefined && dueAt > now)) return undefined
      return underNewLease(begun, leaseMs, now)
    })
    // Another process may die with the lease.
    if (taken === undefined && refusedUntil !== undefined && refusedUntil > runtime.now()) onDue(refusedUntil)
    return taken
  }

  /** Writes a result, again while the storage fails and the lease lasts: what was done must not be done once more. */
  const writeResult = async (
    leased: R,
    judge: (unleased: R, now: number) => Next<R>,
    toEntry: ((next: R) => NewEntry | undefined) | undefined,
  ): Promise<R | undefined> => {
    const number = leased.lease?.number ?? 0
    let tried: Next<R>
    for (let failures = 0; ; failures++) {
      try {
        const written = await change(
          records,
          failures === 0 ? leased : leased.id,
          (current) => {
            // The commit that failed has taken effect nevertheless.
            if (typeof tried === "object" && isSame(current, tried)) return current
            const unleased = withoutLease(current, number)
            tried = unleased === undefined ? undefined : judge(unleased, runtime.now())
            if (typeof tried === "object") tried = { ...tried, version: current.version + 1 }
            return tried
          },
          toEntry,
        )
        return written ?? (failures > 0 && tried === "remove" ? leased : undefined)
      } catch (error) {
        const isTooLate = runtime.now() >= (leased.lease?.until ?? 0) || (isAborting && failures >= mostFailures)
        if (!isStoreFailure(error) || isTooLate) throw error
      }
      await waitAfter({ runtime, closing: never }, failures)
    }
  }

  const begin = (leased: R, signal: AbortSignal) => {
    let isEnded = false
    let cancelLimit: () => void = () => {}
    const finish = async (
      result: AttemptEnd,
      judge: (unleased: R, now: number) => Next<R>,
      toEntry?: (next: R) => NewEntry | undefined,
    ): Promise<R | undefined> => {
      isEnded = true
      // The result is written for as long as the lease lasts.
      cancelLimit()
      const next = await writeResult(leased, judge, toEntry)
      count(next === undefined ? "lost" : result)
      if (next === undefined) return undefined
      const dueAt = next.lease === undefined ? kind.record.dueAt(next) : undefined
      if (dueAt === undefined) await onOver(next)
      else onDue(dueAt)
      return next
    }
    const attempt: Attempt<R, E> = {
      number: leased.lease?.number ?? 0,
      signal,
      end: (event, toEntry) => finish("done", (unleased, now) => kind.transition(unleased, event, now), toEntry),
      fail({ note, toEntry, ...terms } = {}) {
        const random = Math.random()
        return finish(
          terms.isLast === true || retryAt(leased, { delays: kind, terms, now: 0, random }) === undefined
            ? "given_up"
            : "failed",
          (unleased, now) => {
            const noted: R = { ...unleased, ...note }
            const dueAt = retryAt(noted, { delays: kind, terms, now, random })
            if (dueAt === undefined) return kind.transition(noted, kind.exhausted, now)
            return terms.isUncounted === true ? uncounted(noted, dueAt) : { ...noted, dueAt }
          },
          toEntry,
        )
      },
      release: () => finish("released", (unleased, now) => uncounted(unleased, now)),
    }
    const onEnd = (cancel: () => void): void => {
      cancelLimit = cancel
    }
    return { attempt, isEnded: () => isEnded, onEnd }
  }

  return {
    async underLease(record, run, { first, isLeased = false, failureOf } = {}) {
      const leased = isLeased ? record : await take(record, first)
      if (leased?.lease === undefined) return undefined
      onDue(leased.lease.until)
      const controller = new AbortController()
      underWay.add(controller)
      const { attempt, isEnded, onEnd } = begin(leased, controller.signal)
      const { promise: limit, reject } = Promise.withResolvers<never>()
      const cancelLimit = runtime.after(attemptMs, () => {
        const error = new Error(`It took longer than ${attemptMs / 1_000} s.`)
        controller.abort(error)
        reject(error)
      })
      onEnd(cancelLimit)
      try {
        const result = await Promise.race([run(leased, attempt), limit])
        if (!isEnded()) throw new Error("The attempt has no result.")
        return result
      } catch (error) {
        if (isEnded()) throw error
        if (isAborting) {
          await attempt.release()
          return undefined
        }
        const failure: Failure<R> = failureOf?.(error) ?? {}
        if (failure.isExpected !== true) report(`carrying out ${kind.named}`, error)
        // Work that ignores the signal may still be going on: the next attempt does not begin before the lease ends.
        const restMs = controller.signal.aborted ? leased.lease.until - runtime.now() : 0
        await attempt.fail({ ...failure, retryAfterMs: Math.max(failure.retryAfterMs ?? 0, restMs) })
        return undefined
      } finally {
        cancelLimit()
        underWay.delete(controller)
        if (underWay.size === 0) cancelGrace()
      }
    },
    stop() {
      isStopped = true
      if (kind.graceMs === undefined || underWay.size === 0) return
      cancelGrace = runtime.after(kind.graceMs, () => {
        isAborting = true
        for (const controller of underWay) controller.abort(new Error("The process stops."))
      })
    },
  }
}

/** How often the storage may fail to take a result when the process stops. */
const mostFailures = 3
const never = new AbortController().signal

/** Whether the stored record is what was to be written. Stores keep no fields that are undefined. */
const isSame = (current: DueRecord, written: DueRecord): boolean =>
  current.version === written.version && isDeepStrictEqual(stored(current), stored(written))

const stored = (record: DueRecord): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
