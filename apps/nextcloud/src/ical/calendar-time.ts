// A date or time in a calendar: a date, a wall-clock time in a zone, a floating time, or an instant.

import ICAL from "ical.js"
import { nextcloudError } from "../api/error.ts"
import type { Wall, Zone } from "./zone.ts"
import { fromWindows, ianaZone, toInstant, toWall, utc } from "./zone.ts"

type Component = InstanceType<typeof ICAL.Component>
type Property = InstanceType<typeof ICAL.Property>

export interface CalendarTime {
  /** The wall-clock time or date. */
  readonly wall: Wall
  readonly isDate: boolean
  /** Undefined for dates and floating times. */
  readonly zone: Zone | undefined
}

export const dayMs = 86_400_000

/** Converts a calendar time to an instant. Dates, floating times and times in unknown zones are read in zone `home`. */
export const instantOf = ({ wall, zone }: CalendarTime, home: Zone): number => toInstant(wall, zoneOrHome(zone, home))

const zoneOrHome = (zone: Zone | undefined, home: Zone): Zone =>
  zone === undefined || zone.isUnknown === true ? home : zone

/** Converts an instant to a calendar time with the form (date or time) and the zone of `template`. */
export const toTimeLike = (instant: number, template: CalendarTime, home: Zone): CalendarTime => ({
  ...template,
  wall: toWall(instant, zoneOrHome(template.zone, home)),
})

/**
 * Formats as 2026-11-20, 2026-11-20T10:30:00+01:00 or 2026-11-20T09:30:00Z; without an offset when there is no zone.
 */
export function toText({ wall, isDate, zone }: CalendarTime): string {
  const isoText = (wallTime: Wall): string => new Date(wallTime).toISOString().slice(0, isDate ? 10 : 19)
  if (isDate || zone === undefined || zone.isUnknown === true) return isoText(wall)
  if (zone.tzid === "UTC") return `${isoText(wall)}Z`
  // A time in the gap when summer time begins is shown as an hour later.
  const instant = toInstant(wall, zone)
  return `${isoText(toWall(instant, zone))}${offsetText(zone.offsetAt(instant))}`
}

function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000)
  const toTwoDigits = (value: number): string => String(value).padStart(2, "0")
  return `${offset < 0 ? "-" : "+"}${toTwoDigits(Math.floor(minutes / 60))}:${toTwoDigits(minutes % 60)}`
}

/** Formats an instant in this zone. */
export const instantText = (instant: number, zone: Zone): string =>
  toText({ wall: toWall(instant, zone), isDate: false, zone })

const timePattern = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i

/** A parsed date or time. `instant` is set when the text is a time with Z or an offset. */
export interface ParsedTime {
  readonly wall: Wall
  readonly isDate: boolean
  readonly instant?: number
  readonly isUtc: boolean
}

export function parseTime(text: string, activity: string): ParsedTime {
  const match = timePattern.exec(text.trim())
  const [, year, month, day, hour, minute = "0", second = "0", offset] = match ?? []
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour ?? 0), Number(minute), Number(second))
  // Date.UTC turns 30 February into 2 March.
  const normalizedDate = new Date(wall || 0)
  const isDay = normalizedDate.getUTCDate() === Number(day) && normalizedDate.getUTCMonth() === Number(month) - 1
  const isValid = isDay && Number(hour ?? 0) < 24 && Number(minute) < 60 && Number(second) < 60 && isOffset(offset)
  if (match === null || Number.isNaN(wall) || !isValid) throw notATime(text, activity)
  const isDate = hour === undefined
  if (offset === undefined || isDate) return { wall, isDate, isUtc: false }
  const isUtc = /^z$/i.test(offset)
  const minutes = isUtc ? 0 : Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))
  const offsetMs = (offset.startsWith("-") ? -minutes : minutes) * 60_000
  return { wall, isDate, instant: wall - offsetMs, isUtc }
}

/** Whether the text is a real offset from UTC: Z, or less than 15 hours. */
const isOffset = (offset = "Z"): boolean =>
  /^z$/i.test(offset) || (Number(offset.slice(1, 3)) <= 14 && Number(offset.slice(-2)) < 60)

const notATime = (text: string, activity: string): Error =>
  nextcloudError("invalid", {
    activity,
    because: `“${text.slice(0, 40)}” is not a date or time`,
    advice: "Write 2026-11-20, 2026-11-20T10:30 with `timezone`, or 2026-11-20T10:30+01:00.",
  })

/**
 * Converts a model's text to a time. With an offset and a zone, it is that instant in the zone; without either, the
 * text is refused as ambiguous.
 */
export function toCalendarTime(text: string, zone: Zone | "floating" | undefined, activity: string): CalendarTime {
  const { wall, isDate, instant, isUtc } = parseTime(text, activity)
  if (isDate) return { wall, isDate, zone: undefined }
  if (zone === "floating") return { wall, isDate, zone: undefined }
  if (instant === undefined) {
    if (zone === undefined) throw noZone(text, activity)
    return { wall, isDate, zone }
  }
  if (zone !== undefined) return { wall: toWall(instant, zone), isDate, zone }
  return { wall: isUtc ? wall : instant, isDate, zone: utc }
}

const noZone = (text: string, activity: string): Error =>
  nextcloudError("invalid", {
    activity,
    because: `“${text}” has no time zone`,
    advice: "Give `timezone` (Europe/Berlin), or write the time with its offset, such as 2026-11-20T10:30+01:00.",
  })

/** The zone that an argument names with an IANA name, or “floating”. Undefined without the argument. */
export function zoneArgument(name: string | undefined, activity: string): Zone | "floating" | undefined {
  if (name === undefined) return undefined
  return name === "floating" ? name : namedZone(name, activity)
}

export function namedZone(name: string, activity: string): Zone {
  const zone = ianaZone(fromWindows(name))
  if (zone !== undefined) return zone.name === "UTC" ? utc : { ...zone, tzid: zone.name }
  const advice = "Use a name from the IANA database, such as Europe/Berlin or America/New_York."
  throw nextcloudError("invalid", { activity, because: `“${name}” is not a time zone`, advice })
}

/** Reads every time of a property: EXDATE and RDATE have several. For a period, its start. */
export function timesOf(property: Property, zone: (tzid: string) => Zone): readonly CalendarTime[] {
  const [, parameters, type, ...values] = property.jCal as [string, Record<string, string>, string, ...unknown[]]
  return values.map((value) => {
    const text = String(Array.isArray(value) ? value[0] : value)
    const tzid = parameters.tzid
    return readValue(text, type === "date" || text.length === 10, tzid === undefined ? undefined : zone(tzid))
  })
}

function readValue(text: string, isDate: boolean, zone: Zone | undefined): CalendarTime {
  const wall = Date.parse(isDate ? `${text.slice(0, 10)}T00:00:00Z` : `${text.slice(0, 19)}Z`)
  if (Number.isNaN(wall)) throw new Error(`${text} is not a time`)
  if (isDate) return { wall, isDate, zone: undefined }
  return { wall, isDate, zone: text.endsWith("Z") ? utc : zone }
}

export function timeOf(component: Component, name: string, zone: (tzid: string) => Zone): CalendarTime | undefined {
  const property = component.getFirstProperty(name)
  return property === null ? undefined : timesOf(property, zone)[0]
}

/** Replaces the property's value and zone, and keeps its other parameters. */
export function setTime(component: Component, name: string, time: CalendarTime): void {
  const oldProperty = component.getFirstProperty(name)
  const otherParameters = Object.entries((oldProperty?.jCal[1] ?? {}) as Record<string, unknown>).filter(
    ([key]) => key !== "tzid",
  )
  component.removeAllProperties(name)
  component.addProperty(timeProperty(name, time, Object.fromEntries(otherParameters)))
}

export function timeProperty(name: string, { wall, isDate, zone }: CalendarTime, parameters: object = {}): Property {
  const text = new Date(wall).toISOString()
  const isUtc = zone?.tzid === "UTC"
  const zoneParameter = isDate || isUtc || zone === undefined ? {} : { tzid: zone.tzid }
  const value = isDate ? text.slice(0, 10) : `${text.slice(0, 19)}${isUtc ? "Z" : ""}`
  return new ICAL.Property([name, { ...parameters, ...zoneParameter }, isDate ? "date" : "date-time", value])
}
