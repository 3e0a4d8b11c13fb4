// Time zones: conversion between wall-clock times and instants. IANA zones come from the runtime's database, others
// from the definition in the calendar file.

import ICAL from "ical.js"
import { expandRule } from "./expand.ts"
import type { StepBudget } from "./step-budget.ts"
import { createStepBudget, isTooOften, mostForSeries, tooOften } from "./step-budget.ts"
import { windowsZones } from "./windows-zones.ts"

type Component = InstanceType<typeof ICAL.Component>

/** A wall-clock time as a number: the milliseconds since 1970 that it would have in UTC. */
export type Wall = number

export interface Zone {
  /** The TZID in the file. */
  readonly tzid: string
  /** The name for people and models: the IANA name where there is one. */
  readonly name: string
  /** Whether the zone cannot be resolved: its times are then treated as floating. */
  readonly isUnknown?: boolean
  /** The offset from UTC in milliseconds, positive east of Greenwich. */
  offsetAt(instant: number): number
}

export const utc: Zone = { tzid: "UTC", name: "UTC", offsetAt: () => 0 }

const utcNames = new Set(["utc", "z", "gmt", "etc/utc", "etc/gmt", "zulu", "etc/zulu", "universal", "etc/universal"])

/** Finds a zone by its IANA name, case-insensitively. Undefined when the runtime does not know the name. */
export function ianaZone(name: string, tzid = name): Zone | undefined {
  if (utcNames.has(name.toLowerCase())) return { ...utc, tzid }
  const cachedZone = knownZones.get(name)
  if (cachedZone !== undefined) return { ...cachedZone, tzid }
  const zone = /^[A-Za-z]/.test(name) ? fromDatabase(name) : undefined
  if (zone === undefined) return undefined
  knownZones.set(name, zone)
  return { ...zone, tzid }
}

const knownZones = new Map<string, Zone>()

function fromDatabase(name: string): Zone | undefined {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat("en-US", { ...clock, timeZone: name })
  } catch {
    return undefined
  }
  const canonicalName = format.resolvedOptions().timeZone
  return {
    tzid: canonicalName,
    name: canonicalName,
    offsetAt: createOffsetCache((instant) => readClock(format, instant) - instant),
  }
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
 * Caches offsets, because Intl is slow. No zone changes twice within a day, so an offset that is equal at both ends of
 * a day holds in between. Changes happen at full quarter hours.
 */
function createOffsetCache(offsetAt: (instant: number) => number): (instant: number) => number {
  const offsets = new Map<number, number>()
  const readOffset = (instant: number): number => {
    const cachedOffset = offsets.get(instant)
    if (cachedOffset !== undefined) return cachedOffset
    if (offsets.size >= 10_000) offsets.clear()
    const offset = offsetAt(instant)
    offsets.set(instant, offset)
    return offset
  }
  return (instant) => {
    const day = Math.floor(instant / dayMs) * dayMs
    const offset = readOffset(day)
    return offset === readOffset(day + dayMs) ? offset : readOffset(Math.floor(instant / quarterMs) * quarterMs)
  }
}

const dayMs = 86_400_000
const quarterMs = 900_000

/** Resolves a TZID: an IANA name (also after a vendor's prefix), a Windows name, or the file's definition. */
export function zoneOf(tzid: string, definition: Component | undefined): Zone {
  const name = fromWindows(tzid)
  const parts = name.split("/")
  const candidates = [name, parts.slice(-2).join("/"), parts.slice(-3).join("/")]
  const direct = candidates.map((candidate) => ianaZone(candidate, tzid)).find((zone) => zone !== undefined)
  if (direct !== undefined) return direct
  const ownZone = definition === undefined ? undefined : definedZone(tzid, definition)
  return ownZone ?? { tzid, name: tzid, isUnknown: true, offsetAt: () => 0 }
}

/**
 * The IANA name of a Windows zone; any other name is returned unchanged. Names are untrusted: “constructor” must not
 * match.
 */
export const fromWindows = (name: string): string =>
  (Object.hasOwn(windowsZones, name) ? windowsZones[name] : undefined) ?? name

interface Change {
  readonly at: number
  readonly offset: number
}

/** Builds a zone from a VTIMEZONE. Undefined when it defines no offset or changes too often. */
function definedZone(tzid: string, definition: Component): Zone | undefined {
  const changes = changesIn(definition)
  const [firstChange] = changes
  if (firstChange === undefined) return undefined
  const offsetBefore = offsetIn(definition.getAllSubcomponents()[0], "tzoffsetfrom") ?? firstChange.offset
  const offsetAt = (instant: number): number => changes.findLast(({ at }) => at <= instant)?.offset ?? offsetBefore
  return { tzid, name: tzid, offsetAt: createOffsetCache(offsetAt) }
}

function changesIn(definition: Component): readonly Change[] {
  const budget = createStepBudget(mostForSeries)
  try {
    const changes = definition.getAllSubcomponents().flatMap((observance) => changesOf(observance, budget))
    return changes.length > mostChanges ? [] : changes.sort((a, b) => a.at - b.at)
  } catch (error) {
    if (isTooOften(error)) return []
    throw error
  }
}

const lastDay = Date.UTC(2101, 0) - 1

/** The limit of offset changes in one zone. No real zone has more: definitions with more are refused. */
const mostChanges = 2_000

function changesOf(observance: Component, budget: StepBudget): readonly Change[] {
  const offsetFrom = offsetIn(observance, "tzoffsetfrom")
  const offset = offsetIn(observance, "tzoffsetto")
  const start = observance.getFirstPropertyValue("dtstart")
  if (offsetFrom === undefined || offset === undefined || !(start instanceof ICAL.Time)) return []
  const dates = observance.getAllProperties("rdate").flatMap((rdate) => rdate.getValues())
  const explicitWalls = [start, ...dates.filter((time) => time instanceof ICAL.Time)].map(wallOfTime)
  const rules = observance.getAllProperties("rrule").map((rule) => rule.getFirstValue())
  const byRule = rules.flatMap((rule) =>
    rule instanceof ICAL.Recur ? wallsOfRule(rule, wallOfTime(start), budget) : [],
  )
  return [...explicitWalls, ...byRule].map((wall) => ({ at: wall - offsetFrom, offset }))
}

/** The wall-clock times at which a rule changes the offset, until the year 2100, because most rules have no end. */
function wallsOfRule(rule: InstanceType<typeof ICAL.Recur>, start: Wall, budget: StepBudget): readonly Wall[] {
  const lastWall = rule.until === null ? lastDay : Math.min(lastDay, wallOfTime(rule.until) + dayMs)
  const walls: Wall[] = []
  for (const wall of expandRule(rule, start, { from: start, to: lastWall, budget })) {
    if (walls.length >= (rule.count ?? Number.POSITIVE_INFINITY) || wall > lastWall) break
    if (walls.length >= mostChanges) throw tooOften()
    if (wall >= start) walls.push(wall)
  }
  return walls
}

function offsetIn(observance: Component | undefined, name: string): number | undefined {
  const value = observance?.getFirstPropertyValue(name)
  return value instanceof ICAL.UtcOffset ? value.toSeconds() * 1_000 : undefined
}

export const wallOfTime = (time: InstanceType<typeof ICAL.Time>): Wall =>
  Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second)

export const toWall = (instant: number, zone: Zone): Wall => instant + zone.offsetAt(instant)

/**
 * Converts to an instant by RFC 5545 section 3.3.5: a time that occurs twice is the first of the two; a time in a gap
 * is read with the offset before the gap.
 */
export function toInstant(wall: Wall, zone: Zone): number {
  const offsetBefore = zone.offsetAt(wall - dayMs)
  const offsetAfter = zone.offsetAt(wall + dayMs)
  const firstInstant = wall - offsetBefore
  if (zone.offsetAt(firstInstant) === offsetBefore) return firstInstant
  const secondInstant = wall - offsetAfter
  return zone.offsetAt(secondInstant) === offsetAfter ? secondInstant : firstInstant
}
