// The end of a script: plain data from which the result is made.

/** How a script ended, with its output and the files that it wrote. */
export interface ScriptEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: Buffer
  readonly stderr: Buffer
  /** Whether stdout or stderr was longer than is kept. */
  readonly isCut: boolean
  /** Why the server ended the script, if it did. */
  readonly endedBy?: "timeout" | "output" | "cancelled"
  /** The files that the script may write. Undefined for a file that it did not write. */
  readonly files: { readonly error: WrittenFile | undefined; readonly resources: WrittenFile | undefined }
}

/** The content of a file; or, for anything but a regular file of moderate size, why it is not read. */
export type WrittenFile = { readonly content: Buffer } | { readonly problem: string }
