// One line for each ask, settlement and refusal, as text or JSON. A line has ids and a pseudonym, and no words of the
// question or the answer.

import type { Attributes } from "./open-telemetry.ts"

export interface LogOptions {
  readonly as: "text" | "json"
  /** Receives one line, without a line break. */
  readonly write: (line: string) => void
}

export interface LogRecord {
  readonly at: number
  readonly level: "info" | "warn"
  readonly event: string
  readonly attributes: Attributes
}

export function toLine({ at, level, event, attributes }: LogRecord, format: LogOptions["as"]): string {
  const time = new Date(at).toISOString()
  const fields = Object.entries(attributes).map(([name, value]) => [name.replace(/^elicitation\./, ""), value] as const)
  if (format === "json") return JSON.stringify({ time, level, event, ...Object.fromEntries(fields) })
  return [time, level, event, ...fields.map(([name, value]) => `${name}=${toWord(value)}`)].join(" ")
}

/** Quotes a value that is not one plain word: the name of a tool must not be able to forge a line. */
function toWord(value: string | number | boolean): string {
  const text = String(value)
  return /^[\w.:@/-]+$/.test(text) ? text : JSON.stringify(text)
}
