// What the command receives when it runs. Small, so that a larger command line can provide its own flags and terminal.

/** A flag without `value` is a switch; `value` names the argument in help texts. Only a flag that `repeats` may occur twice. */
export interface Flag {
  readonly help: string
  readonly value?: string
  readonly repeats?: boolean
}

export type Flags = Readonly<Record<string, Flag>>

/** The flags of one command line. */
export interface Given {
  has(name: string): boolean
  one(name: string): string | undefined
  all(name: string): readonly string[]
}

export interface Styled {
  readonly text: string
  readonly style: "bold" | "dim" | "green" | "yellow" | "red"
}

/** Receives the output. Any part may come from a hostile server, so it has to be made safe. */
export interface Output {
  say(...parts: readonly (string | Styled)[]): void
  json(value: unknown, indent?: number): void
  /** Prints a line that replaces itself. Does nothing without a terminal. */
  progress(text: string): void
  clearProgress(): void
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly signal: AbortSignal
}

export interface Call {
  readonly given: Given
  readonly out: Output
  readonly io: Surroundings
}

/** 0: every check that ran passed. 1: a check failed or could not run. 2: wrong use. */
export type ExitCode = 0 | 1 | 2
