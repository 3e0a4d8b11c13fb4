// What late work of one kind is: a record, a table of transitions, the pauses between attempts, and who waits for whom.

import type { Delays, Due } from "../core/due.ts"
import type { KeptRecord, RecordKind } from "../ports/records.ts"
import type { Next } from "./change.ts"
import type { LaneRule } from "./lanes.ts"

/** A record of late work. */
export type DueRecord = KeptRecord & Due

/** A kind of late work. `E` are the events that change its records. */
export interface DueKind<R extends DueRecord, E> extends Delays {
  /** What the records are called in reports. */
  readonly named: string
  readonly record: Pick<RecordKind<R>, "owner" | "dueAt">
  /**
   * The record after an event, or its removal; undefined when the event is refused in this state. Pure. Leases are not
   * its business: the events that end an attempt apply to a record without a lease.
   */
  readonly transition: (current: R, event: E, now: number) => Next<R>
  /** The event that ends the work after its last attempt. */
  readonly exhausted: E
  /** How long a process has the lease. Longer than `attemptMs` by the difference of clocks that does no harm. */
  readonly leaseMs?: number
  /** How long an attempt may take: then its signal aborts, and it has failed. */
  readonly attemptMs?: number
  /** Divides the attempts of this process fairly among the receivers. By default, all share the places. */
  readonly lane?: LaneRule<R>
  /** Where records of one owner stand in their order: each is carried out when those before it are due no more. */
  readonly orderOf?: (record: R) => number
  /** How often the process looks for records that nothing announced. By default, only at announced times. */
  readonly lookMs?: number
  /** How long attempts may continue when the process stops, until their signal aborts. By default, until their end. */
  readonly graceMs?: number
}
