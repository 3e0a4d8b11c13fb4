// What an engine gives: its parts share one database and are closed together.

import type { Retention } from "./retention.ts"
import type { Store } from "./store.ts"
import type { Trail } from "./trail.ts"

export interface Storage {
  readonly store: Store
  readonly trail: Trail
  readonly retention: Retention
  /** Writes out what is pending and lets go of files and connections. */
  close(): Promise<void>
}
