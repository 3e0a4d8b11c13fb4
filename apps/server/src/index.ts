// What a holdpoint.config.ts imports.

import type { Limits, RetentionTimes } from "holdpoint"

export interface Config {
  /** A file, or the address of a Postgres (postgres://…). */
  readonly database?: string
  /** Who I am: the subject of my principal. The machine's user name unless said otherwise. */
  readonly as?: string
  readonly tenant?: string
  readonly roles?: readonly string[]
  readonly limits?: Partial<Limits>
  readonly retention?: Partial<RetentionTimes>
}

/** Gives the file its types; the values are checked when the command reads them. */
export function defineConfig(config: Config): Config {
  return config
}
