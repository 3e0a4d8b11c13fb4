// The interface of a command, and the call that its `run` receives.

import type { Arguments, Flags } from "./arguments.ts"
import type { Settings } from "./config.ts"
import type { Io } from "./io.ts"
import type { Output } from "./output.ts"

export interface Command {
  readonly name: string
  readonly summary: string
  /** The arguments after the command's name, as help shows them. */
  readonly usage: string
  /** The keywords that may follow the command's name, for completion; absent when none may. */
  readonly actions?: readonly string[]
  readonly flags: Flags
  /** Whether the command uses a database, and so accepts the flags of the settings. */
  readonly usesDatabase: boolean
  readonly words: { readonly least: number; readonly most: number }
  /** Printed below the flags in help: what the flags do not explain, and examples. */
  readonly notes: readonly string[]
  run(call: Call): Promise<ExitCode>
}

export interface Call {
  readonly io: Io
  readonly out: Output
  readonly args: Arguments
  /** Read on first use, so that `try` and `help` work without settings. */
  readonly settings: () => Promise<Settings>
}

/** 0 done, 1 failed, 2 usage error. */
export type ExitCode = 0 | 1 | 2
