// How a script ended, and what it left behind. Plain data between the process and the result.

/** How a script ended, and what it left behind. */
export interface ScriptEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: Buffer
  readonly stderr: Buffer
  /** Whether stdout or stderr was longer than is kept. */
  readonly isCut: boolean
  /** Why the server ended the script, if it did. */
  readonly endedBy?: "timeout" | "output" | "cancelled"
  /** The files that the script may have written, if it has. */
  readonly files: { readonly error?: Buffer; readonly resources?: Buffer }
}
