// The default for `report`: prints errors of background work as process warnings.

export function warn(doing: string, error: unknown): void {
  process.emitWarning(`holdpoint: ${doing} failed: ${error instanceof Error ? error.message : String(error)}`)
}
