// Records that are changed by compare-and-set: connections, flows, sessions, keys, things to be done. A store of them
// owns atomicity and durability, judges nothing, and knows no kind of them: each is defined beside its owner.

import type { Sealed } from "../core/sealed.ts"
import type { NewEntry } from "./trail.ts"

/** What a record must have to be kept; the rest is its own. */
export interface KeptRecord {
  readonly id: string
  readonly tenant: string
  /** 1 when it is new, raised by one with every change. */
  readonly version: number
  readonly sealed?: Sealed
}

/**
 * One kind of record: its name in the store, and what its records are found by, which every write takes from the record.
 * A new answer of these functions counts for records that are written after it. They are methods, so that a list may
 * hold records of several kinds.
 */
export interface RecordKind<R extends KeptRecord> {
  /** Stored with each record. No two kinds share a name. */
  readonly name: string
  /** Listed under this, within its tenant; undefined when it is found by its id alone. */
  owner(record: R): string | undefined
  /** When its owner has to look at it again; undefined for never. */
  dueAt(record: R): number | undefined
  /** From when on housekeeping may remove it, without a trail entry; undefined for never. */
  expiresAt(record: R): number | undefined
}

/**
 * Each write is one durable step together with the trail entry that tells of it. False means that nothing was changed:
 * the id is taken, or the stored version is not the one before (for `remove`: not this one).
 */
export interface Records<R extends KeptRecord> {
  insert(first: R, entry?: NewEntry): Promise<boolean>
  replace(next: R, entry?: NewEntry): Promise<boolean>
  remove(last: R, entry?: NewEntry): Promise<boolean>
  get(id: string): Promise<R | undefined>
  /** In order of id, except `dueBefore`: soonest first. */
  list(query: RecordQuery): Promise<readonly R[]>
}

export type RecordQuery =
  | { readonly tenant: string; readonly owner?: string; readonly afterId?: string; readonly limit: number }
  /** Due at or before this time. */
  | { readonly dueBefore: number; readonly after?: DueRecord; readonly limit: number }

/** The last record of a page of those that are due, as it was then. */
export interface DueRecord {
  readonly dueAt: number
  readonly id: string
}

/** A record to be written in one step with something else. */
export interface NewRecord<R extends KeptRecord = KeptRecord> {
  readonly kind: RecordKind<R>
  readonly record: R
}
