// What a command is, and what it gets to work with.

import type { Arguments, Flags } from "./arguments.ts"
import type { Settings } from "./config.ts"
import type { Io } from "./io.ts"
import type { Output } from "./output.ts"

export interface Command {
  readonly name: string
  readonly summary: string
  /** After the name: what is written, and in which order. */
  readonly usage: string
  readonly flags: Flags
  /** Whether it speaks to a database, and so takes the flags of the settings. */
  readonly usesDatabase: boolean
  readonly words: { readonly least: number; readonly most: number }
  /** Below the flags: what cannot be guessed, and examples. */
  readonly notes: readonly string[]
  run(call: Call): Promise<ExitCode>
}

export interface Call {
  readonly io: Io
  readonly out: Output
  readonly given: Arguments
  /** Read when asked for, so that `try` and `help` need none. */
  readonly settings: () => Promise<Settings>
}

/** Done, failed, wrong use. */
export type ExitCode = 0 | 1 | 2
