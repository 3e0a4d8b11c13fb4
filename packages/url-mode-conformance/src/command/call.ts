// What the command gets to work with. Small enough for a larger command line to bring its own flags and terminal.

/** A switch is there or not; a `value` names what has to follow. Several values may be given if `repeats`. */
export interface Flag {
  readonly help: string
  readonly value?: string
  readonly repeats?: boolean
}

export type Flags = Readonly<Record<string, Flag>>

/** The flags of one call. */
export interface Given {
  has(name: string): boolean
  one(name: string): string | undefined
  all(name: string): readonly string[]
}

export interface Styled {
  readonly text: string
  readonly style: "bold" | "dim" | "green" | "yellow" | "red"
}

/** Where the answer goes. Every part may come from a hostile server and has to be made safe. */
export interface Output {
  say(...parts: readonly (string | Styled)[]): void
  json(value: unknown, indent?: number): void
  /** A line that replaces itself; nothing where there is no terminal. */
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

/** All that was checked holds; it does not, or could not be checked; wrong use. */
export type ExitCode = 0 | 1 | 2
