// @holdpoint/sdk/storage: the ports that an author of a store implements. `@holdpoint/sdk/testing` has their contract.

export type { KeptRecord, NewRecord, RecordKind, RecordQuery, Records } from "./ports/records.ts"
export type { Cutoffs, Forgotten, Retention, SealedQuery, SealedRecord } from "./ports/retention.ts"
export type { Storage } from "./ports/storage.ts"
export type { Due, Inserted, InsertOptions, ListQuery, PendingLimits, Store } from "./ports/store.ts"
export type { Entry, NewEntry, Trail, TrailQuery } from "./ports/trail.ts"
