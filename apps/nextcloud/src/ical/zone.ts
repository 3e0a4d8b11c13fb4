// Time zones: from a clock's reading to the instant and back. Zones of the IANA database are taken from this machine's,
// others from the definition that stands in the calendar's file.

import ICAL from "ical.js"
import { readingsBy } from "./expand.ts"
import { windowsZones } from "./windows-zones.ts"
import type { Work } from "./work.ts"
import { createWork, isTooOften, mostForSeries, tooOften } from "./work.ts"

type Component = InstanceType<typeof ICAL.Component>

/** A clock's reading is written as a number: the milliseconds since 1970 that it would be in UTC. */
export type Wall = number

export interface Zone {
  /** As written in the file. */
  readonly tzid: string
  /** For people and models: the IANA name where there is one. */
  readonly name: string
  /** Nobody knows where it is: its times are taken as they stand. */
  readonly isUnknown?: boolean
  /** Milliseconds ahead of UTC. */
  offsetAt(instant: number): number
}

export const utc: Zone = { tzid: "UTC", name: "UTC", offsetAt: () => 0 }

const utcNames = new Set(["utc", "z", "gmt", "etc/utc", "etc/gmt", "zulu", "etc/zulu", "universal", "etc/universal"])

/** By its IANA name, in any case of letters. Undefined when this machine knows none of that name. */
export function ianaZone(name: string, tzid = name): Zone | undefined {
  if (utcNames.has(name.toLowerCase())) return { ...utc, tzid }
  const known = knownZones.get(name)
  if (known !== undefined) return { ...known, tzid }
  const found = /^[A-Za-z]/.test(name) ? fromDatabase(name) : undefined
  if (found === undefined) return undefined
  knownZones.set(name, found)
  return { ...found, tzid }
}

const knownZones = new Map<string, Zone>()

function fromDatabase(name: string): Zone | undefined {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat("en-US", { ...clock, timeZone: name })
  } catch {
    return undefined
  }
  const named = format.resolvedOptions().timeZone
  return { tzid: named, name: named, offsetAt: remembering((instant) => readClock(format, instant) - instant) }
}

const clock = {
  calendar: "iso8601",
  numberingSystem: "latn",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
} as const

function readClock(format: Intl.DateTimeFormat, instant: number): Wall {
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/**
 * Reading a zone's clock is slow. No zone changes twice within a day: where it is the same at both ends, it is the same
 * between them. Zones change at full quarters of an hour.
 */
function remembering(offsetAt: (instant: number) => number): (instant: number) => number {
  const known = new Map<number, number>()
  const read = (instant: number): number => {
    const found = known.get(instant)
    if (found !== undefined) return found
    if (known.size >= 10_000) known.clear()
    const offset = offsetAt(instant)
    known.set(instant, offset)
    return offset
  }
  return (instant) => {
    const day = Math.floor(instant / dayMs) * dayMs
    const offset = read(day)
    return offset === read(day + dayMs) ? offset : read(Math.floor(instant / quarterMs) * quarterMs)
  }
}

const dayMs = 86_400_000
const quarterMs = 900_000

/** What a TZID stands for: an IANA name (also below a vendor's prefix), a name of Windows, or the file's definition. */
export function zoneOf(tzid: string, definition: Component | undefined): Zone {
  const name = fromWindows(tzid)
  const parts = name.split("/")
  const tries = [name, parts.slice(-2).join("/"), parts.slice(-3).join("/")]
  const direct = tries.map((one) => ianaZone(one, tzid)).find((zone) => zone !== undefined)
  if (direct !== undefined) return direct
  const defined = definition === undefined ? undefined : definedZone(tzid, definition)
  return defined ?? { tzid, name: tzid, isUnknown: true, offsetAt: () => 0 }
}

/** Names come from files and models: “constructor” is no zone of Windows. */
export const fromWindows = (name: string): string =>
  (Object.hasOwn(windowsZones, name) ? windowsZones[name] : undefined) ?? name

interface Change {
  readonly at: number
  readonly offset: number
}

/** From a VTIMEZONE. Undefined when it says nothing, or changes too often to be followed. */
function definedZone(tzid: string, definition: Component): Zone | undefined {
  const changes = changesIn(definition)
  const [first] = changes
  if (first === undefined) return undefined
  const before = offsetIn(definition.getAllSubcomponents()[0], "tzoffsetfrom") ?? first.offset
  const offsetAt = (instant: number): number => changes.findLast(({ at }) => at <= instant)?.offset ?? before
  return { tzid, name: tzid, offsetAt: remembering(offsetAt) }
}

function changesIn(definition: Component): readonly Change[] {
  const work = createWork(mostForSeries)
  try {
    const changes = definition.getAllSubcomponents().flatMap((observance) => changesOf(observance, work))
    return changes.length > mostChanges ? [] : changes.sort((a, b) => a.at - b.at)
  } catch (error) {
    if (isTooOften(error)) return []
    throw error
  }
}

const lastDay = Date.UTC(2101, 0) - 1

/** No zone changes more often: definitions with more are not followed. */
const mostChanges = 2_000

function changesOf(observance: Component, work: Work): readonly Change[] {
  const from = offsetIn(observance, "tzoffsetfrom")
  const offset = offsetIn(observance, "tzoffsetto")
  const start = observance.getFirstPropertyValue("dtstart")
  if (from === undefined || offset === undefined || !(start instanceof ICAL.Time)) return []
  const dates = observance.getAllProperties("rdate").flatMap((rdate) => rdate.getValues())
  const given = [start, ...dates.filter((time) => time instanceof ICAL.Time)].map(wallOfTime)
  const rules = observance.getAllProperties("rrule").map((rule) => rule.getFirstValue())
  const byRule = rules.flatMap((rule) => (rule instanceof ICAL.Recur ? yearsOf(rule, wallOfTime(start), work) : []))
  return [...given, ...byRule].map((wall) => ({ at: wall - from, offset }))
}

/** Until the year 2100: definitions go on for ever. */
function yearsOf(rule: InstanceType<typeof ICAL.Recur>, start: Wall, work: Work): readonly Wall[] {
  const until = rule.until === null ? lastDay : Math.min(lastDay, wallOfTime(rule.until) + dayMs)
  const found: Wall[] = []
  for (const wall of readingsBy(rule, start, { from: start, to: until, work })) {
    if (found.length >= (rule.count ?? Number.POSITIVE_INFINITY) || wall > until) break
    if (found.length >= mostChanges) throw tooOften()
    if (wall >= start) found.push(wall)
  }
  return found
}

function offsetIn(observance: Component | undefined, name: string): number | undefined {
  const value = observance?.getFirstPropertyValue(name)
  return value instanceof ICAL.UtcOffset ? value.toSeconds() * 1_000 : undefined
}

export const wallOfTime = (time: InstanceType<typeof ICAL.Time>): Wall =>
  Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second)

export const toWall = (instant: number, zone: Zone): Wall => instant + zone.offsetAt(instant)

/**
 * RFC 5545 section 3.3.5: a reading that comes twice is the first of the two; one that is left out is read with the
 * offset before the gap.
 */
export function toInstant(wall: Wall, zone: Zone): number {
  const before = zone.offsetAt(wall - dayMs)
  const after = zone.offsetAt(wall + dayMs)
  const first = wall - before
  if (zone.offsetAt(first) === before) return first
  const second = wall - after
  return zone.offsetAt(second) === after ? second : first
}
