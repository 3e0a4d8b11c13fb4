// Events in tool inputs and outputs: schemas, and the conversion from a file.

import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Series } from "../../ical/document.ts"
import type { Occurrence } from "../../ical/occurrences.ts"
import { toTextPart } from "../../page.ts"
import { toServerEncoding } from "../../path-encoding.ts"
import { flag, integer, list, object, oneOf, optional, text } from "../../schema.ts"
import type { StoredObject } from "./api.ts"
import { calendarOf, objectPath } from "./api.ts"
import type { Events } from "./load-ical.ts"
import { withoutOwnZone } from "./user-zone.ts"

/**
 * The event's time zone. It is output only when it differs from the user's, because times contain their offset anyway.
 */
export const foreignZone = optional(text("If not the user's own"))

const shortEventFields = {
  id: text(),
  calendar: text(),
  title: text(),
  start: text(),
  end: text(),
  all_day: flag(),
  timezone: foreignZone,
  location: optional(text()),
  status: optional(text()),
  categories: optional(list(text())),
  recurring: optional(flag()),
  recurrence_id: optional(text()),
}

/**
 * The output for an event in a list. It has no link, because links have 400 characters; nc_calendar_get_event returns
 * it.
 */
export const shortEvent = object({ ...shortEventFields, attendee_count: optional(integer()) })

export const wholeEvent = object({
  ...shortEventFields,
  url: text(),
  uid: text(),
  etag: text(),
  description: optional(text()),
  next_offset: optional(integer()),
  organizer: optional(text()),
  attendees: optional(list(object({ email: text(), name: optional(text()), role: optional(text()), answer: text() }))),
  alarms: optional(list(object({ minutes_before: optional(integer()), at: optional(text()), kind: text() }))),
  recurrence: optional(text()),
  privacy: optional(text()),
  busy: optional(flag()),
  color: optional(text()),
  link: optional(text()),
  priority: optional(integer()),
})

/** The output after an event was written: enough to verify it and to change it again. */
export const writtenEvent = object({
  id: text(),
  etag: text(),
  title: text(),
  start: text(),
  end: text(),
  timezone: foreignZone,
  recurrence: optional(text()),
  recurrence_id: optional(text()),
  url: text(),
})

export const eventId = text("As listed: work/abc.ics")
export const etag = optional(text("As read; fails if changed since"))
export const occurrence = {
  recurrence_id: optional(text("As listed, for a series")),
  occurrence: optional(oneOf(["this", "following", "all"], "With recurrence_id: this")),
}

/** The fields for creating and changing an event. */
export const eventFields = {
  end: optional(text("For all-day events: the last day")),
  duration_minutes: optional(integer(undefined, { least: 0 })),
  all_day: optional(flag()),
  timezone: optional(text("IANA name, or floating; default: the user's")),
  description: optional(text()),
  location: optional(text()),
  categories: optional(list(text())),
  recurrence: optional(text("RRULE, daily, weekly, weekdays, monthly, yearly, none")),
  attendees: optional(
    list(
      object({
        email: text(),
        name: optional(text()),
        role: optional(oneOf(["required", "optional", "chair", "informed"])),
      }),
      "All of them; they get mail",
    ),
  ),
  alarms: optional(list(object({ minutes_before: integer(), kind: optional(oneOf(["display", "email"])) }))),
  status: optional(oneOf(["confirmed", "tentative", "cancelled"])),
  privacy: optional(oneOf(["public", "private", "confidential"])),
  busy: optional(flag("Whether it blocks the time")),
  color: optional(text("CSS name")),
  link: optional(text()),
  priority: optional(integer("1 high to 9 low, 0 none", { least: 0, most: 9 })),
}

/** The link that opens the event in the Calendar app, which needs the path exactly as the server encodes it. */
export async function eventLink(nextcloud: Nextcloud, id: string): Promise<string> {
  const folder = new URL(nextcloud.url).pathname.replace(/\/$/, "")
  const path = `${folder}${toServerEncoding(await objectPath(nextcloud, id, "linking"))}`
  return nextcloud.link(`/apps/calendar/edit/${encodeURIComponent(Buffer.from(path).toString("base64"))}`)
}

export function toShort({ toShortEvent }: Events, id: string, occurrence: Occurrence) {
  const { uid: _, attendees, ...event } = toShortEvent(occurrence)
  const count = attendees === undefined ? {} : { attendee_count: attendees }
  return { id, calendar: calendarOf(id), ...event, ...count }
}

export interface OutputOptions {
  readonly activity: string
  readonly recurrence_id?: string | undefined
  readonly offset?: number | undefined
}

/** The full event. For a series: the requested occurrence, or the series itself. */
export async function toFullEvent(
  nextcloud: Nextcloud,
  events: Events,
  storedObject: StoredObject,
  options: OutputOptions,
) {
  const { activity } = options
  const series = seriesOf(events, storedObject, activity)
  const occurrence = occurrenceOf(events, series, options.recurrence_id, activity)
  const { attendees: _, ...shortEvent } = events.toShortEvent(occurrence)
  const [short = shortEvent] = await withoutOwnZone(nextcloud, [shortEvent])
  const { description, ...details } = events.toDetails(occurrence.component, series.master)
  const part = description === undefined ? undefined : toTextPart(description, options.offset)
  return {
    id: storedObject.id,
    calendar: calendarOf(storedObject.id),
    ...short,
    etag: storedObject.etag,
    ...details,
    ...(part === undefined ? {} : { description: part.content }),
    ...(part?.next_offset === undefined ? {} : { next_offset: part.next_offset }),
    url: await eventLink(nextcloud, storedObject.id),
  }
}

export async function toWritten(
  nextcloud: Nextcloud,
  events: Events,
  storedObject: StoredObject,
  options: OutputOptions,
) {
  const fullEvent = await toFullEvent(nextcloud, events, storedObject, options)
  const { id, etag, title, start, end, timezone, recurrence, recurrence_id, url } = fullEvent
  return { id, etag, title, start, end, url, ...events.withoutUndefined({ timezone, recurrence, recurrence_id }) }
}

export function seriesOf(events: Events, { text, id }: StoredObject, activity: string): Series {
  let series: Series | undefined
  try {
    series = events.seriesIn(events.readDocument(text), "vevent")
  } catch (error) {
    throw nextcloudError("malformed", { activity, detail: `${id}: ${(error as Error).message}` })
  }
  if (series !== undefined) return series
  throw nextcloudError("not_found", {
    activity,
    because: `${id} is not an event`,
    advice: "It may be a task: use the tools of Tasks.",
  })
}

/**
 * The series to change. Throws for events that the server shows only in part, because writing them back would lose
 * data.
 */
export function seriesToChange(events: Events, storedObject: StoredObject, activity: string): Series {
  const series = seriesOf(events, storedObject, activity)
  if (events.isMasked(series.document)) throw toMaskedError(activity)
  return series
}

export const toMaskedError = (activity: string): Error =>
  nextcloudError("forbidden", {
    activity,
    because: "it is confidential, and the server shows only its times: a change would erase the rest",
    advice: "Have its owner change it.",
  })

function occurrenceOf(events: Events, series: Series, recurrence_id: string | undefined, activity: string): Occurrence {
  const { master, overrides, document } = series
  if (recurrence_id !== undefined) {
    const id = events.findId(series, recurrence_id, activity)
    const override = events.overrideOf(series, id)
    if (override !== undefined) return { ...toOccurrence(events, override, series, activity), id }
    const range = { from: events.instantOf(id, events.utc), to: events.instantOf(id, events.utc) + 1 }
    const occurrence = events
      .occurrencesIn(series, range, events.utc)
      .find((candidate) => candidate.id?.wall === id.wall)
    if (occurrence !== undefined) return occurrence
  }
  const component = master ?? overrides[0]
  if (component === undefined) throw nextcloudError("malformed", { activity, detail: "no event in the file" })
  const id = master === undefined ? events.timeOf(component, "recurrence-id", document.zone) : undefined
  return { ...toOccurrence(events, component, series, activity), ...(id === undefined ? {} : { id }) }
}

function toOccurrence(events: Events, component: Occurrence["component"], { document }: Series, activity: string) {
  const span = events.spanOf(component, document.zone, events.utc)
  if (span === undefined) throw nextcloudError("malformed", { activity, detail: "an event without a start" })
  return { component, ...span }
}

/** The event in words for people: “Planning” on 2026-11-17 at 09:00:00Z. */
export const inWords = ({ title, start }: { readonly title: string; readonly start: string }): string =>
  `“${title}” on ${start.replace("T", " at ")}`
