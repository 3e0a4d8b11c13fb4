// What an engine gives: its parts share one database and are closed together.

import type { KeptRecord, RecordKind, Records } from "./records.ts"
import type { Retention } from "./retention.ts"
import type { Store } from "./store.ts"
import type { Trail } from "./trail.ts"

export interface Storage {
  readonly store: Store
  readonly trail: Trail
  readonly retention: Retention
  /** The records of one kind. The same ones whenever it is asked; throws `invalid_config` on a second kind of that name. */
  records<R extends KeptRecord>(kind: RecordKind<R>): Records<R>
  /** Writes out what is pending and lets go of files and connections. */
  close(): Promise<void>
}
