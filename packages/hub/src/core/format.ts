// Checks the four string formats of a form. Every regular expression takes linear time.

import { countCharacters } from "./characters.ts"
import type { Format } from "./form.ts"

interface FormatRule {
  readonly fits: (value: string) => boolean
  readonly words: string
}

export const formatRules: Readonly<Record<Format, FormatRule>> = {
  email: { fits: isEmail, words: "must be an email address, such as name@example.com." },
  uri: { fits: isUri, words: "must be a full address with its scheme, such as https://example.com/page." },
  date: { fits: isDate, words: "must be a real date, written like 2026-01-31." },
  "date-time": {
    fits: isDateTime,
    words: "must be a real date and time with its offset, written like 2026-01-31T09:30:00Z.",
  },
}

/**
 * Accepts e-mail addresses that people have: dot-atoms (RFC 5321, with RFC 6531's Unicode); no quoted names, comments
 * or IP literals.
 */
export function isEmail(value: string): boolean {
  const atSign = value.lastIndexOf("@")
  if (atSign < 1 || atSign > 64 || value.length > 254) return false
  const name = value.slice(0, atSign)
  const labels = value.slice(atSign + 1).split(".")
  if (!/^[^\s"(),:;<>@[\\\]\p{C}]+$/u.test(name) || name.split(".").includes("")) return false
  return labels.length > 1 && labels.every(isLabel) && !/^\d+$/.test(labels.at(-1)!)
}

/** Accepts RFC 3986 with a scheme, in Unicode too (RFC 3987), except schemes that execute their content. */
export function isUri(value: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):[^\s<>"{}|\\^`\p{C}]+$/iu.exec(value)?.[1]?.toLowerCase()
  if (scheme === undefined || ["javascript", "data", "vbscript"].includes(scheme)) return false
  if (/%(?![0-9a-f]{2})/i.test(value)) return false
  // The URL parser repairs “https:host” and “https:///host”. By RFC 3986, neither has a host.
  if (["http", "https", "ws", "wss", "ftp"].includes(scheme) && !/^[a-z]+:\/\/[^/?#]/i.test(value)) return false
  return URL.canParse(value)
}

export function isDate(value: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return false
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

/** RFC 3339. Leap seconds are refused: JavaScript's Date cannot hold them. */
export function isDateTime(value: string): boolean {
  const [date, time] = [value.slice(0, 10), value.slice(10)]
  const clock = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i
  return isDate(date) && clock.test(time)
}

function isLabel(label: string): boolean {
  return countCharacters(label) <= 63 && /^[\p{L}\p{N}\p{M}-]+$/u.test(label) && !/^-|-$/.test(label)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
