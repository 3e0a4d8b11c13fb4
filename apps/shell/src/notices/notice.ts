// Reads a progress or log message from one line that a script wrote: a JSON-RPC notification of MCP. Pure. Only known
// members are forwarded.

import type { LoggingLevel } from "@modelcontextprotocol/server"
import { isObject } from "../json.ts"
import { parseJson } from "../result/output.ts"

export interface ProgressNotice {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

export interface LogNotice {
  readonly level: LoggingLevel
  readonly logger?: string
  readonly data: unknown
}

/** The levels of RFC 5424, from the least to the most severe. */
export const levels: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
]

/** Undefined for any other line. Ignores the line's progress token, because the client's current token is used. */
export function readProgress(line: string): ProgressNotice | undefined {
  const { progress, total, message } = paramsOf(line, "notifications/progress") ?? {}
  if (!isNumber(progress)) return undefined
  return {
    progress,
    ...(isNumber(total) ? { total } : {}),
    ...(typeof message === "string" && message !== "" ? { message: shorten(message, maxMessageLength) } : {}),
  }
}

/** Undefined for any line that is not a log message. */
export function readLog(line: string): LogNotice | undefined {
  const { level, logger, data } = paramsOf(line, "notifications/message") ?? {}
  const logLevel = levels.find((knownLevel) => knownLevel === level)
  if (logLevel === undefined || data === undefined) return undefined
  return {
    level: logLevel,
    ...(typeof logger === "string" ? { logger: shorten(logger, maxLoggerLength) } : {}),
    data,
  }
}

/** Whether a message of this level is for a client that wants messages of level `minimum` and above. */
export const isAtLeast = (level: LoggingLevel, minimum: LoggingLevel | undefined): boolean =>
  minimum !== undefined && levels.indexOf(level) >= levels.indexOf(minimum)

function paramsOf(line: string, method: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(line)?.value
  return isObject(value) && value.method === method && isObject(value.params) ? value.params : undefined
}

const maxMessageLength = 2_000
const maxLoggerLength = 200

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)

const shorten = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`
