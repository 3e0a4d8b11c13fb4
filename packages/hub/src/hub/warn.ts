// The default for `report`: prints errors of background work as process warnings.

export function warn(activity: string, error: unknown): void {
  process.emitWarning(`holdpoint: ${activity} failed: ${error instanceof Error ? error.message : String(error)}`)
}
