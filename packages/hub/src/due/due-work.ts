// Late work of one kind in this process: records that fall due are carried out once, by one process at a time, and again
// later when they fail. All late work of the hub, the vault and the surfaces is done by this.

import { leaseMs, underNewLease } from "../core/due.ts"
import type { Records } from "../ports/records.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { NewEntry } from "../ports/trail.ts"
import { type Attempt, type AttemptEnd, createAttempts, type LeaseOptions } from "./attempts.ts"
import { change } from "./change.ts"
import type { DueKind, DueRecord } from "./due-kind.ts"
import { createOrder } from "./order.ts"
import { createQueue } from "./queue.ts"
import type { Report, Work } from "./work.ts"

/** The late work of one kind, in one process. Made by `createDueWork`. */
export interface DueWork<R, E> {
  /** Makes the process look for due records at this time at the latest. Call it for times that the trail announces. */
  arm(time: number): void
  /** Applies an event that is not the result of an attempt. Undefined when it is refused, or the record is gone. */
  apply(record: R | string, event: E, toEntry?: (next: R) => NewEntry | undefined): Promise<R | undefined>
  /**
   * Carries out the record under a lease, and returns what `run` returns. Undefined when it is not due, another process
   * has the lease, or `run` failed. `run` ends its attempt once; if it throws before, the attempt has failed.
   */
  underLease<T>(
    record: R,
    run: (leased: R, attempt: Attempt<R, E>) => Promise<T>,
    options?: LeaseOptions<R, E>,
  ): Promise<T | undefined>
  /** The new record under a lease of this process: insert it, and pass it to `underLease` as `isLeased`. */
  leased(first: R): R
  /** Carries out this record now, if it is due and no other process has it. */
  advance(record: R): Promise<void>
  /** Carries out all that is due now. */
  sweep(): Promise<void>
  isUnderWay(id: string): boolean
  /** Runs the work. When it fails, the process looks again soon. */
  orLater<T>(work: () => Promise<T>): Promise<T>
  /** How the attempts of this process have ended. */
  readonly counts: Readonly<Record<AttemptEnd, number>>
  /** Begins nothing any more. The owner drains its work, and then all attempts have ended or were released. */
  stop(): void
}

export interface DueWorkNeeds<R extends DueRecord, E> extends Pick<Work, "background"> {
  readonly kind: DueKind<R, E>
  readonly records: Records<R>
  readonly runtime: Runtime
  readonly report: Report
  /** False for a process that carries out only what it gives to `advance`. */
  readonly looks?: boolean
  /** Carries out a due record: looks whether there is something to do, and does it in `due.underLease`. */
  readonly carryOut: (record: R, due: DueWork<R, E>) => Promise<void>
}

/** Carries out the late work of one kind in this process, with other processes on the same storage. */
export function createDueWork<R extends DueRecord, E>(needs: DueWorkNeeds<R, E>): DueWork<R, E> {
  const { kind, records, runtime, report, background, carryOut } = needs
  const counts: Record<AttemptEnd, number> = { done: 0, failed: 0, given_up: 0, released: 0, lost: 0 }
  const order = createOrder(kind, records, runtime.now)

  const advance = async (record: R): Promise<void> => {
    const laterAt = await order.delay(record)
    if (laterAt === undefined) await carryOut(record, due)
    else arm(laterAt)
  }
  const queue = createQueue({ kind, records, runtime, background, advance })
  const { arm } = queue
  if (needs.looks === false) queue.stop()
  const onOver = async (record: R): Promise<void> => {
    if (await order.wakeNext(record)) arm(runtime.now())
  }
  const attempts = createAttempts({
    kind,
    records,
    runtime,
    report,
    onDue: arm,
    onOver,
    count: (end) => {
      counts[end] += 1
    },
  })

  const due: DueWork<R, E> = {
    arm,
    async apply(record, event, toEntry) {
      const judge = (current: R) => kind.transition(current, event, runtime.now())
      const next = await change(records, record, judge, toEntry)
      if (next === undefined) return undefined
      const dueAt = kind.record.dueAt(next)
      if (dueAt === undefined) await onOver(next)
      else arm(dueAt)
      return next
    },
    underLease: attempts.underLease,
    leased: (first) => ({
      ...underNewLease({ ...first, version: 0 }, kind.leaseMs ?? leaseMs, runtime.now()),
      version: 1,
    }),
    advance,
    sweep: queue.sweep,
    isUnderWay: queue.isUnderWay,
    orLater: queue.orLater,
    counts,
    stop() {
      queue.stop()
      attempts.stop()
    },
  }
  return due
}
