// The interfaces between the command and the program that runs it: flags, terminal and environment. They are small, so
// that a larger program can implement them.

/**
 * A flag without `value` is a switch; `value` names the argument in help texts. A flag with a value may occur twice
 * only if it `repeats`.
 */
export interface Flag {
  readonly help: string
  readonly value?: string
  readonly repeats?: boolean
}

export type Flags = Readonly<Record<string, Flag>>

/** The flags that were passed on the command line. */
export interface Given {
  has(name: string): boolean
  one(name: string): string | undefined
  all(name: string): readonly string[]
}

export interface Styled {
  readonly text: string
  readonly style: "bold" | "dim" | "green" | "yellow" | "red"
}

/** Prints the command's output. Must escape every part, because a hostile server may have sent it. */
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
  readonly args: Given
  readonly out: Output
  readonly io: Surroundings
}

/** 0: every check that ran passed. 1: a check failed or could not run, or none passed. 2: usage error. */
export type ExitCode = 0 | 1 | 2
