// Calendar files for tests, written from a few lines.

import { toText } from "../../src/ical/calendar-time.ts"
import { readDocument, seriesIn } from "../../src/ical/document.ts"
import { occurrencesIn } from "../../src/ical/occurrences.ts"
import { ianaZone, utc } from "../../src/ical/zone.ts"

export const calendarOf = (...parts: readonly string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", ...parts, "END:VCALENDAR", ""].join("\r\n")

export const eventOf = (...lines: readonly string[]): string =>
  ["BEGIN:VEVENT", "UID:series@test", "DTSTAMP:20261101T000000Z", "SUMMARY:Talk", ...lines, "END:VEVENT"].join("\r\n")

export function seriesOf(text: string) {
  const series = seriesIn(readDocument(text), "vevent")
  if (series === undefined) throw new Error("There is no event.")
  return series
}

/** The starts of the occurrences between two days, as text, in order. */
export function startsOf(text: string, from: string, to: string, home = "UTC"): readonly string[] {
  const range = { from: Date.parse(`${from}T00:00:00Z`), to: Date.parse(`${to}T00:00:00Z`) }
  const occurrences = occurrencesIn(seriesOf(text), range, ianaZone(home) ?? utc)
  return occurrences.map(({ start }) => toText(start)).sort()
}
