// The storage of one database: its parts are opened and closed together.

import type { KeptRecord, RecordKind, Records } from "./records.ts"
import type { Retention } from "./retention.ts"
import type { Store } from "./store.ts"
import type { Trail } from "./trail.ts"

/**
 * Where questions, connections and everything else are kept. `openSqlite`, `openPostgres` and `createMemoryStorage`
 * open one.
 */
export interface Storage {
  readonly store: Store
  readonly trail: Trail
  readonly retention: Retention
  /** The records of one kind. Throws `invalid_config` for a second kind with the same name. */
  records<R extends KeptRecord>(kind: RecordKind<R>): Records<R>
  /** Writes out pending changes, and closes files and connections. */
  close(): Promise<void>
}
