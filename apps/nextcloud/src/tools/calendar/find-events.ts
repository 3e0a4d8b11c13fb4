// Finds events in a range, in one calendar or all: expanded, filtered and sorted, before paging.

import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Component } from "../../ical/document.ts"
import type { Occurrence } from "../../ical/occurrences.ts"
import type { Zone } from "../../ical/zone.ts"
import { mapLimited } from "../../map-limited.ts"
import { integer, list, object, oneOf, optional, text } from "../../schema.ts"
import { createYielder } from "../../yielder.ts"
import type { StoredObject } from "./api.ts"
import { queryCalendar, readInCalendar } from "./api.ts"
import { readCalendars } from "./calendar-list.ts"
import type { Events } from "./load-ical.ts"
import { isWithoutOffset, zoneFor } from "./user-zone.ts"

/** The filter arguments of all tools that search for events. */
export const filterFields = {
  calendar: optional(text("Its id; default: all")),
  from: optional(text("Day or time; default: now")),
  to: optional(text("Day (inclusive) or time")),
  timezone: optional(text("IANA name; default: the user's")),
  query: optional(text("In title, description or location")),
  category: optional(text()),
  status: optional(oneOf(["confirmed", "tentative", "cancelled"])),
}

export interface Filter {
  readonly calendar?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly days_ahead?: number | undefined
  readonly timezone?: string | undefined
  readonly query?: string | undefined
  readonly category?: string | undefined
  readonly status?: string | undefined
  readonly attendee?: string | undefined
  readonly min_attendees?: number | undefined
  readonly min_minutes?: number | undefined
}

export interface MatchingOccurrence extends Occurrence {
  readonly storedObject: StoredObject
  readonly begins: number
}

export interface MatchingEvents {
  readonly matches: readonly MatchingOccurrence[]
  readonly skipped: readonly Skipped[]
}

/** An event that a list leaves out, because its file cannot be parsed or its series cannot be expanded. */
export interface Skipped {
  readonly id: string
  readonly title: string
  readonly why: string
}

const mostSkipped = 20

/** The output fields for events that a list could not include. */
export const notListed = {
  unreadable: optional(integer()),
  not_listed: optional(list(object({ id: text(), title: text(), why: text() }))),
}

export const toNotListed = (skipped: readonly Skipped[]) =>
  skipped.length === 0 ? {} : { unreadable: skipped.length, not_listed: skipped.slice(0, mostSkipped) }

export function toSkipped({ id, text }: StoredObject, error: unknown): Skipped {
  const title = /^SUMMARY[^:\r\n]*:([^\r\n]{1,80})/im.exec(text)?.[1] ?? "(no title)"
  const reason = isNextcloudError(error) ? error.message : `It cannot be read: ${(error as Error).message}`
  return { id, title, why: reason }
}

const dayMs = 86_400_000
const mostDays = 3_660

export async function findEvents(
  nextcloud: Nextcloud,
  events: Events,
  filter: Filter,
  activity: string,
): Promise<MatchingEvents> {
  // Validates the range before any request. The user's zone is not known yet, but mistakes do not depend on it.
  rangeOf(events, filter, events.utc, activity)
  const zoneName = filter.timezone ?? (await zoneFor(nextcloud, [filter.from, filter.to], isWithoutOffset))
  const home = zoneName === undefined ? events.utc : events.namedZone(zoneName, activity)
  const range = rangeOf(events, filter, home, activity)
  // The server compares dates and floating times in UTC, so the range is widened by a day on each side.
  const widenedRange = { from: range.from - dayMs, to: range.to + dayMs }
  const all = await readStored(nextcloud, filter.calendar, widenedRange, activity)
  const fits = matcher(events, filter)
  const matches: MatchingOccurrence[] = []
  const skipped: Skipped[] = []
  const budget = events.createStepBudget(events.mostForCall)
  const yieldIfDue = createYielder()
  for (const storedObject of all) {
    await yieldIfDue()
    try {
      const series = events.seriesIn(events.readDocument(storedObject.text), "vevent")
      if (series === undefined) continue
      for (const occurrence of events.occurrencesIn(series, range, home, budget))
        if (fits(occurrence))
          matches.push({ ...occurrence, storedObject, begins: events.instantOf(occurrence.start, home) })
    } catch (error) {
      skipped.push(toSkipped(storedObject, error))
    }
  }
  return {
    matches: matches.sort((a, b) => a.begins - b.begins || (a.storedObject.id < b.storedObject.id ? -1 : 1)),
    skipped,
  }
}

export function rangeOf(events: Events, filter: Filter, home: Zone, activity: string) {
  if (filter.to !== undefined && filter.days_ahead !== undefined)
    throw nextcloudError("invalid", { activity, because: "only one of `to` and `days_ahead` can be given" })
  const from =
    filter.from === undefined ? Date.now() : instantIn(events, { text: filter.from, home, extraMs: 0 }, activity)
  const to =
    filter.to === undefined
      ? from + (filter.days_ahead ?? 7) * dayMs
      : instantIn(
          events,
          { text: filter.to, home, extraMs: /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(filter.to) ? dayMs : 0 },
          activity,
        )
  if (to <= from) throw nextcloudError("invalid", { activity, because: "`to` is not after `from`" })
  if (to - from > mostDays * dayMs)
    throw nextcloudError("invalid", { activity, because: `the range is longer than ${mostDays} days` })
  return { from, to }
}

/** `extraMs` is added to the wall-clock time: a whole day may have 23 or 25 hours. */
function instantIn(
  events: Events,
  { text, home, extraMs }: { readonly text: string; readonly home: Zone; readonly extraMs: number },
  activity: string,
): number {
  const { wall, instant } = events.parseTime(text, activity)
  return instant ?? events.toInstant(wall + extraMs, home)
}

/** Reads the files of one calendar with one request, or of all calendars with one request each and one for the list. */
async function readStored(
  nextcloud: Nextcloud,
  calendar: string | undefined,
  range: { from: number; to: number },
  activity: string,
): Promise<readonly StoredObject[]> {
  const read = (id: string) => queryCalendar(nextcloud, id, { kind: "VEVENT", range }, activity)
  if (calendar !== undefined) return readInCalendar(nextcloud, calendar, activity, read)
  const all = (await readCalendars(nextcloud)).filter(({ events }) => events)
  return (await mapLimited(all, ({ id }) => read(id))).flat()
}

function matcher(events: Events, filter: Filter): (occurrence: Occurrence) => boolean {
  const { query, category, status, attendee, min_attendees = 0, min_minutes = 0 } = filter
  const words = normalizeText(query ?? "")
    .split(/\s+/)
    .filter(Boolean)
  return ({ component, start, end }) => {
    if (words.length > 0 && !containsWords(events, component, words)) return false
    if (
      category !== undefined &&
      !events.categoriesOf(component).some((name) => normalizeText(name) === normalizeText(category))
    )
      return false
    // An event without STATUS counts as confirmed.
    if (status !== undefined && (events.textIn(component, "status")?.toLowerCase() ?? "confirmed") !== status)
      return false
    const attendees = attendee === undefined && min_attendees === 0 ? [] : events.attendeesOf(component)
    if (attendees.length < min_attendees) return false
    if (
      attendee !== undefined &&
      !attendees.some((person) =>
        normalizeText(`${person.email} ${person.name ?? ""}`).includes(normalizeText(attendee)),
      )
    )
      return false
    return events.instantOf(end, events.utc) - events.instantOf(start, events.utc) >= min_minutes * 60_000
  }
}

export const normalizeText = (text: string): string => text.toLowerCase().normalize("NFC")

export function containsWords(events: Pick<Events, "textIn">, component: Component, words: readonly string[]): boolean {
  const texts = ["summary", "description", "location"].map((name) => events.textIn(component, name) ?? "")
  const fullText = normalizeText(texts.join("\n"))
  return words.every((word) => fullText.includes(word))
}
