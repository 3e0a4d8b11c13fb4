// Reports background errors of a command on standard error: as text for people, or as JSON like the log lines of a
// server. Removes passwords from addresses.

import type { Call } from "./command.ts"
import type { LogFormat } from "./config.ts"
import { redact } from "./redact.ts"

export type BackgroundReport = (activity: string, error: unknown) => void

interface ReportOptions {
  readonly log: LogFormat
  readonly database: string
}

export function createBackgroundReport(
  { out, io }: Pick<Call, "out" | "io">,
  { log, database }: ReportOptions,
): BackgroundReport {
  return (activity, error) => {
    const message = redact(error instanceof Error ? error.message : String(error), database)
    if (log !== "json") return out.note(`holdpoint: ${activity} failed: ${message}`)
    const time = new Date(io.runtime.now()).toISOString()
    out.note(JSON.stringify({ time, level: "error", event: "background.failed", doing: activity, message }))
  }
}
