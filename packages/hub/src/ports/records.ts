// Records that are changed by compare-and-set: connections, flows, sessions, keys, deliveries. A record store
// guarantees atomicity and durability, judges nothing, and has no kinds of its own: each is defined beside its owner.

import type { Sealed } from "../core/sealed.ts"
import type { NewEntry } from "./trail.ts"

/** The fields that every record has. */
export interface KeptRecord {
  readonly id: string
  readonly tenant: string
  /** 1 for a new record, incremented with every change. */
  readonly version: number
  readonly sealed?: Sealed | undefined
}

/**
 * A kind of record: its name in the store, and its index values, which every write computes from the record. Changing
 * these functions affects only later writes. They are methods because TypeScript compares the parameters of methods
 * loosely: a list can hold several kinds.
 */
export interface RecordKind<R extends KeptRecord> {
  /** Stored with each record. No two kinds share a name. */
  readonly name: string
  /** The key to list the record under within its tenant. Undefined when it is only read by id. */
  owner(record: R): string | undefined
  /** When a process has to act on the record again. Undefined for never. */
  dueAt(record: R): number | undefined
  /** When housekeeping may remove the record, without a trail entry. Undefined for never. */
  expiresAt(record: R): number | undefined
}

/**
 * The records of one kind. Each write is one durable step together with its trail entry. False means that nothing
 * changed: the id is taken, or the stored version is not the previous one (for `remove`: not this one).
 */
export interface Records<R extends KeptRecord> {
  insert(first: R, entry?: NewEntry): Promise<boolean>
  replace(next: R, entry?: NewEntry): Promise<boolean>
  remove(last: R, entry?: NewEntry): Promise<boolean>
  get(id: string): Promise<R | undefined>
  /** Ordered by id; with `dueBefore`, soonest first. */
  list(query: RecordQuery): Promise<readonly R[]>
}

/** Which records are listed: those of a tenant or owner, or those that are due. */
export type RecordQuery =
  | { readonly tenant: string; readonly owner?: string; readonly afterId?: string; readonly limit: number }
  /** Due at or before this time. */
  | { readonly dueBefore: number; readonly after?: DueCursor; readonly limit: number }

/** The cursor after a page of due records: its last record. */
export interface DueCursor {
  readonly dueAt: number
  readonly id: string
}

/** A record to write in the same step as something else. */
export interface NewRecord<R extends KeptRecord = KeptRecord> {
  readonly kind: RecordKind<R>
  readonly record: R
}
