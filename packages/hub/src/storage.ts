// @holdpoint/hub/storage: the ports that an author of a store implements. `@holdpoint/testing` has the contract
// that a store must meet.

export type { KeptRecord, NewRecord, RecordKind, RecordQuery, Records } from "./ports/records.ts"
export type { Cutoffs, Forgotten, Retention, SealedQuery, SealedRecord } from "./ports/retention.ts"
export type { Due, Inserted, InsertOptions, PendingLimits, Store } from "./ports/store.ts"
export type { NewEntry, Trail } from "./ports/trail.ts"
