// Retention over all kinds of stored data: removing old data, and finding what is sealed with an old key. Does not
// touch the trail.

import type { Sealed } from "../core/sealed.ts"
import type { KeptRecord } from "./records.ts"

/** Removes old data, and lists sealed records for key rotation. */
export interface Retention {
  /** Records that an asker has read the content. May be written lazily: a lost write only keeps the content longer. */
  noteRead(id: string, at: number): void
  /** Removes settled questions older than the cutoffs, and expired records. */
  forget(cutoffs: Cutoffs): Promise<Forgotten>
  /** Records of every kind, in order of kind and id. */
  sealed(query: SealedQuery): Promise<readonly SealedRecord[]>
  /** Replaces the seal of each record by compare-and-set; returns how many succeeded. */
  reseal(records: readonly SealedRecord[]): Promise<number>
}

/** Everything older than these times is forgotten. Milliseconds since 1970. */
export interface Cutoffs {
  readonly contentReadBefore: number
  readonly contentSettledBefore: number
  readonly questionSettledBefore: number
  /** Records of any kind that expire at or before this time. */
  readonly recordExpiresBy: number
}

/** How much `forget` removed. */
export interface Forgotten {
  readonly contents: number
  readonly questions: number
  readonly records: number
}

/** Which sealed records are listed: those that were sealed with another key than `notWith`. */
export interface SealedQuery {
  /** The id of the key whose sealed records are left out. */
  readonly notWith: string
  readonly after?: SealedRecord | undefined
  readonly limit: number
}

/** A record with sealed fields, and the name of its kind. */
export interface SealedRecord {
  readonly kind: string
  readonly record: KeptRecord & { readonly sealed: Sealed }
}
