// Changes one component, such as an event, of a calendar file. Only the given fields are changed.

import ICAL from "ical.js"
import { nextcloudError } from "../api/error.ts"
import type { NewAlarm } from "./alarms.ts"
import { setAlarms } from "./alarms.ts"
import type { Invitee, Organizer } from "./attendees.ts"
import { setAttendees } from "./attendees.ts"
import type { CalendarTime } from "./calendar-time.ts"
import {
  dayMs,
  instantOf,
  parseTime,
  setTime,
  timeProperty,
  toCalendarTime,
  toTimeLike,
  zoneArgument,
} from "./calendar-time.ts"
import type { Component } from "./document.ts"
import { setText, textIn } from "./document.ts"
import type { Zone } from "./zone.ts"
import { utc } from "./zone.ts"

export interface Changes {
  readonly title?: string | undefined
  readonly start?: string | undefined
  readonly end?: string | undefined
  readonly duration_minutes?: number | undefined
  readonly all_day?: boolean | undefined
  readonly timezone?: string | undefined
  /** The zone for a time without one, when the event has no zone to keep. */
  readonly usualZone?: string | undefined
  readonly description?: string | undefined
  readonly location?: string | undefined
  readonly categories?: readonly string[] | undefined
  readonly link?: string | undefined
  readonly status?: string | undefined
  readonly privacy?: string | undefined
  readonly busy?: boolean | undefined
  readonly color?: string | undefined
  readonly priority?: number | undefined
  readonly recurrence?: string | undefined
  readonly attendees?: readonly Invitee[] | undefined
  readonly alarms?: readonly NewAlarm[] | undefined
}

/** The context of a change. */
export interface ChangeContext {
  readonly now: number
  /** The operation, for error messages: “changing the event”. */
  readonly activity: string
  readonly organizer?: Organizer | undefined
}

const textFields: readonly (readonly [keyof Changes, string])[] = [
  ["title", "summary"],
  ["description", "description"],
  ["location", "location"],
  ["link", "url"],
  ["color", "color"],
]

const keywordFields: readonly (readonly [keyof Changes, string])[] = [
  ["status", "status"],
  ["privacy", "class"],
]

/**
 * Writes the fields that are texts, keywords or numbers. An empty value removes the property. A property for which
 * `mayChange` returns false stays as it is.
 */
export function changeFields(component: Component, changes: Changes, mayChange = (_: string): boolean => true): void {
  for (const [field, name] of textFields) {
    const value = changes[field]
    if (typeof value === "string" && mayChange(name)) setText(component, name, value)
  }
  for (const [field, name] of keywordFields) {
    const value = changes[field]
    if (typeof value === "string" && mayChange(name)) setText(component, name, value.toUpperCase())
  }
  if (changes.busy !== undefined && mayChange("transp"))
    setText(component, "transp", changes.busy ? "OPAQUE" : "TRANSPARENT")
  if (changes.priority !== undefined && mayChange("priority"))
    setText(component, "priority", changes.priority === 0 ? "" : String(changes.priority))
  if (changes.categories !== undefined && mayChange("categories")) setCategories(component, changes.categories)
}

export function setCategories(component: Component, categories: readonly string[]): void {
  component.removeAllProperties("categories")
  if (categories.length > 0) component.addProperty(new ICAL.Property(["categories", {}, "text", ...categories]))
}

export function changePeople(component: Component, { attendees, alarms }: Changes, context: ChangeContext): void {
  const invalidAttendee = attendees?.find(({ email }) => !/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(email))
  if (invalidAttendee !== undefined)
    throw nextcloudError("invalid", {
      activity: context.activity,
      because: `“${invalidAttendee.email}” is not an e-mail address`,
    })
  if (attendees !== undefined) setAttendees(component, attendees, context.organizer)
  if (alarms !== undefined) setAlarms(component, alarms, textIn(component, "summary") ?? "Reminder")
}

/** Creates a component with its UID and creation time. */
export function newComponent(kind: "vevent" | "vtodo", uid: string, now: number): Component {
  const component = new ICAL.Component(kind)
  component.addPropertyWithValue("uid", uid)
  for (const name of ["created", "dtstamp", "last-modified"]) component.addProperty(timeProperty(name, stampOf(now)))
  return component
}

const stampOf = (now: number): CalendarTime => ({ wall: Math.floor(now / 1_000) * 1_000, isDate: false, zone: utc })

/** Marks the component as newer than existing copies (RFC 5545 section 3.8.7.4). */
export function touch(component: Component, now: number): void {
  for (const name of ["dtstamp", "last-modified"]) {
    component.removeAllProperties(name)
    component.addProperty(timeProperty(name, stampOf(now)))
  }
  component.updatePropertyWithValue("sequence", Number(textIn(component, "sequence") ?? 0) + 1)
}

export interface Span {
  readonly start: CalendarTime
  readonly end: CalendarTime
}

export const changesTime = ({ start, end, duration_minutes, all_day, timezone }: Changes): boolean =>
  [start, end, duration_minutes, all_day, timezone].some((value) => value !== undefined)

/** The new start and end. Zone, length and time of day stay unless `changes` sets them. */
export function changedSpan(span: Span | undefined, changes: Changes, home: Zone, activity: string): Span {
  const currentZone = span === undefined ? undefined : keptZone(span.start)
  const zone = zoneArgument(changes.timezone, activity) ?? currentZone ?? zoneArgument(changes.usualZone, activity)
  const start = changedStart(span?.start, zone, changes, activity)
  const end = changedEnd(span, start, changes, { home, activity })
  if (instantOf(end, home) < instantOf(start, home))
    throw nextcloudError("invalid", { activity, because: "it would end before it starts" })
  return { start, end }
}

/** The zone of a time, which a change keeps. Undefined for a date. */
const keptZone = ({ isDate, zone }: CalendarTime): Zone | "floating" | undefined =>
  isDate ? undefined : (zone ?? "floating")

function changedStart(
  oldTime: CalendarTime | undefined,
  zone: Zone | "floating" | undefined,
  { start, end, all_day, timezone }: Changes,
  activity: string,
): CalendarTime {
  const parsedStart = start === undefined ? undefined : toCalendarTime(start, dayZone(zone, all_day), activity)
  const newStart =
    parsedStart === undefined
      ? undefined
      : withTimeOfDay(parsedStart, oldTime, all_day === true || isDay(end, activity))
  const startInZone =
    oldTime !== undefined && timezone !== undefined && !oldTime.isDate ? inZone(oldTime, zone) : oldTime
  const result = newStart ?? startInZone
  if (result === undefined) throw nextcloudError("invalid", { activity, because: "it has no start" })
  if (all_day === true) return { wall: Math.floor(result.wall / dayMs) * dayMs, isDate: true, zone: undefined }
  if (all_day === false && result.isDate)
    throw nextcloudError("invalid", {
      activity,
      because: "the start has no time",
      advice: "Give `start` with a time.",
    })
  return result
}

const isDay = (text: string | undefined, activity: string): boolean =>
  text !== undefined && parseTime(text, activity).isDate

/**
 * The new start. When only a date is given for an event with a time, the event keeps its time of day, unless it becomes
 * an all-day event.
 */
function withTimeOfDay(parsedStart: CalendarTime, oldTime: CalendarTime | undefined, isWhole: boolean): CalendarTime {
  if (!parsedStart.isDate || oldTime === undefined || oldTime.isDate || isWhole) return parsedStart
  return { ...oldTime, wall: parsedStart.wall + (oldTime.wall - Math.floor(oldTime.wall / dayMs) * dayMs) }
}

/** All-day events use the date as written, whatever the zone. */
const dayZone = (zone: Zone | "floating" | undefined, all_day: boolean | undefined): Zone | "floating" | undefined =>
  all_day === true ? (zone ?? "floating") : zone

const inZone = (time: CalendarTime, zone: Zone | "floating" | undefined): CalendarTime => ({
  ...time,
  zone: zone === "floating" ? undefined : zone,
})

function changedEnd(
  span: Span | undefined,
  start: CalendarTime,
  changes: Changes,
  { home, activity }: { readonly home: Zone; readonly activity: string },
): CalendarTime {
  const { end, duration_minutes } = changes
  if (end !== undefined && duration_minutes !== undefined)
    throw nextcloudError("invalid", { activity, because: "only one of `end` and `duration_minutes` can be given" })
  if (duration_minutes !== undefined) return endAfter(start, duration_minutes * 60_000, home)
  if (end !== undefined) return parseEnd(end, start, changes, activity)
  if (span === undefined || span.start.isDate !== start.isDate)
    return endAfter(start, start.isDate ? dayMs : 3_600_000, home)
  if (start.isDate) return { ...start, wall: start.wall + (span.end.wall - span.start.wall) }
  const length = instantOf(span.end, home) - instantOf(span.start, home)
  const template = changes.timezone === undefined && span.end.zone !== undefined ? span.end : start
  return toTimeLike(instantOf(start, home) + length, template, home)
}

function parseEnd(text: string, start: CalendarTime, { timezone }: Changes, activity: string): CalendarTime {
  const zone = zoneArgument(timezone, activity) ?? start.zone ?? "floating"
  const end = toCalendarTime(text, start.isDate ? "floating" : zone, activity)
  if (start.isDate) return { wall: Math.floor(end.wall / dayMs) * dayMs + dayMs, isDate: true, zone: undefined }
  if (!end.isDate) return end
  throw nextcloudError("invalid", { activity, because: "it starts at a time, but `end` is a day" })
}

const endAfter = (start: CalendarTime, length: number, home: Zone): CalendarTime =>
  start.isDate
    ? { ...start, wall: start.wall + Math.max(1, Math.ceil(length / dayMs)) * dayMs }
    : toTimeLike(instantOf(start, home) + length, start, home)

export function setSpan(component: Component, { start, end }: Span): void {
  setTime(component, "dtstart", start)
  setTime(component, "dtend", end)
  component.removeAllProperties("duration")
}

/**
 * Moves an event and keeps its length. An event with DURATION keeps it, because DURATION counts calendar days, which an
 * end time cannot express.
 */
export function moveSpan(component: Component, span: Span): void {
  if (component.hasProperty("dtend")) setSpan(component, span)
  else setTime(component, "dtstart", span.start)
}

/** Writes the new start and end of one component. */
export function changeSpan(component: Component, oldSpan: Span | undefined, newSpan: Span, changes: Changes): void {
  const keepsLength = changes.end === undefined && changes.duration_minutes === undefined
  if (keepsLength && oldSpan?.start.isDate === newSpan.start.isDate) moveSpan(component, newSpan)
  else setSpan(component, newSpan)
}
