// Where problems of the background are told when nobody else wants to hear of them.

export function warn(doing: string, error: unknown): void {
  process.emitWarning(`holdpoint: ${doing} failed: ${error instanceof Error ? error.message : String(error)}`)
}
