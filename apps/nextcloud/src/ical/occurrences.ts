// When a series takes place within a range: its rule, the days added and left out, and the occurrences that were moved.

import type { Component, Series } from "./document.ts"
import { textIn } from "./document.ts"
import type { Recur } from "./rule.ts"
import { ruleOf, toTime, wallRule } from "./rule.ts"
import type { When } from "./when.ts"
import { at, dayMs, instantOf, toText, whenOf, whensOf } from "./when.ts"
import type { Zone } from "./zone.ts"
import { wallOfTime } from "./zone.ts"

export interface Occurrence {
  readonly component: Component
  readonly start: When
  readonly end: When
  /** Of one of a series: the start it has by the rule. */
  readonly id?: When
}

export interface Range {
  readonly from: number
  readonly to: number
}

type Zones = (tzid: string) => Zone

/** Rules that never end are followed this far. */
const mostSteps = 40_000
const lastDay = Date.UTC(2200, 0)

export const isRecurring = (component: Component | undefined): boolean =>
  component !== undefined && (component.hasProperty("rrule") || component.hasProperty("rdate"))

/** In no order. Days and floating times are those of `home`. */
export function occurrencesIn(series: Series, range: Range, home: Zone): readonly Occurrence[] {
  const { document, master, overrides } = series
  const moved = overrides.flatMap((component): readonly Occurrence[] => {
    const span = spanOf(component, document.zone, home)
    const id = whenOf(component, "recurrence-id", document.zone)
    return span === undefined || id === undefined ? [] : [{ component, ...span, id }]
  })
  const isTaken = among(
    moved.flatMap(({ id }) => (id === undefined ? [] : [id])),
    home,
  )
  const byRule = master === undefined ? [] : plannedIn(master, document.zone, range, home)
  const rest = byRule.filter(({ id }) => id === undefined || !isTaken(id))
  return [...rest, ...moved].filter((one) => touches(one, range, home))
}

function touches({ start, end }: Occurrence, { from, to }: Range, home: Zone): boolean {
  const begins = instantOf(start, home)
  const ends = instantOf(end, home)
  return begins < to && (ends > from || (ends === begins && begins >= from))
}

function plannedIn(master: Component, zones: Zones, range: Range, home: Zone): readonly Occurrence[] {
  const first = spanOf(master, zones, home)
  if (first === undefined) return []
  if (!isRecurring(master)) return [{ component: master, ...first }]
  const length = instantOf(first.end, home) - instantOf(first.start, home)
  const starts = startsUntil(master, first.start, zones, { until: range.to, from: range.from - length - dayMs, home })
  return starts.map((start) => ({ component: master, start, end: endFor(master, first, start, home), id: start }))
}

interface Walk {
  /** Instants: what begins before `from` need not be given. */
  readonly from?: number
  readonly until: number
  readonly most?: number
  readonly home: Zone
}

/** The starts by rule, in order, without those left out. Those that were moved are among them. */
export function startsUntil(master: Component, start: When, zones: Zones, walk: Walk): readonly When[] {
  const { from = Number.NEGATIVE_INFINITY, until, most = Number.POSITIVE_INFINITY, home } = walk
  const isLeftOut = leftOut(master, zones, home)
  const added = master.getAllProperties("rdate").flatMap((rdate) => whensOf(rdate, zones))
  const found = new Map<number, When>()
  const add = (when: When): void => {
    const instant = instantOf(when, home)
    if (instant >= from && instant < until && !isLeftOut(when)) found.set(instant, when)
  }
  for (const when of added) add(at(instantOf(when, home), start, home))
  const walls = wallsOf(master, start, { first: from - 2 * dayMs, last: Math.min(until + 2 * dayMs, lastDay) })
  for (const wall of walls) {
    // Reading a zone's clock is slow: what is days before the range needs none.
    if (wall < from - 2 * dayMs) continue
    const when = { ...start, wall }
    if (instantOf(when, home) >= until || found.size >= most) break
    add(when)
  }
  return [...found.entries()].sort(([a], [b]) => a - b).map(([, when]) => when)
}

/** The clock's readings by the rule, beginning with the start itself, which always counts. */
function* wallsOf(master: Component, start: When, { first, last }: { first: number; last: number }): Generator<number> {
  yield start.wall
  const rule = ruleOf(master)
  if (rule === undefined) return
  const endless = wallRule(rule, start)
  endless.count = null
  const iterator = endless.iterator(toTime(nearTo(first, rule, start.wall), { isDate: start.isDate }))
  let left = rule.count === null ? Number.POSITIVE_INFINITY : rule.count - 1
  for (let steps = 0; steps < mostSteps && left > 0; steps++) {
    const next = iterator.next()
    if (!next) return
    const wall = wallOfTime(next)
    if (wall > last) return
    if (wall <= start.wall || !fits(rule, start.wall, wall)) continue
    left--
    yield wall
  }
}

const units: Readonly<Record<string, number>> = {
  SECONDLY: 1_000,
  MINUTELY: 60_000,
  HOURLY: 3_600_000,
  DAILY: dayMs,
  WEEKLY: 7 * dayMs,
}

/** Where to begin: what repeats without a count need not be followed from years ago, only in step. */
function nearTo(first: number, { freq, interval, count }: Recur, start: number): number {
  if (count !== null || !(first > start)) return start
  const unit = (units[freq] ?? 0) * interval
  if (unit > 0) return start + Math.floor((first - start) / unit) * unit
  const date = new Date(start)
  const months = (freq === "YEARLY" ? 12 : 1) * interval
  const passed =
    (new Date(first).getUTCFullYear() - date.getUTCFullYear()) * 12 + new Date(first).getUTCMonth() - date.getUTCMonth()
  const steps = Math.floor(passed / months) - 1
  // Not every month has a 29th to begin at.
  if (steps < 1 || date.getUTCDate() > 28) return start
  return date.setUTCMonth(date.getUTCMonth() + steps * months)
}

/** The library turns 30 February into 2 March. Such days are left out (RFC 5545 section 3.3.10). */
function fits(rule: Recur, start: number, wall: number): boolean {
  const [first, day] = [new Date(start), new Date(wall)]
  const months = numbersOf(rule, "BYMONTH")
  if (months.length > 0 && !months.includes(day.getUTCMonth() + 1)) return false
  const days = numbersOf(rule, "BYMONTHDAY")
  if (days.length > 0) {
    const length = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
    return days.some((one) => (one < 0 ? length + 1 + one : one) === day.getUTCDate())
  }
  const byDate = (rule.freq === "MONTHLY" || rule.freq === "YEARLY") && !namesDays(rule)
  return !byDate || day.getUTCDate() === first.getUTCDate()
}

const numbersOf = (rule: Recur, part: "BYMONTH" | "BYMONTHDAY"): readonly number[] =>
  rule.parts[part]?.map(Number) ?? []

const namesDays = ({ parts }: Recur): boolean =>
  [parts.BYDAY, parts.BYYEARDAY, parts.BYWEEKNO].some((part) => part !== undefined)

function leftOut(master: Component, zones: Zones, home: Zone): (when: When) => boolean {
  return among(
    master.getAllProperties("exdate").flatMap((exdate) => whensOf(exdate, zones)),
    home,
  )
}

/** Exceptions name a start, or a whole day. */
function among(all: readonly When[], home: Zone): (when: When) => boolean {
  const instants = new Set(all.filter((when) => !when.isDate).map((when) => instantOf(when, home)))
  const days = new Set(all.filter((when) => when.isDate).map((when) => when.wall / dayMs))
  return (when) => instants.has(instantOf(when, home)) || days.has(Math.floor(when.wall / dayMs))
}

/** Start and end of one component. Undefined when it has no start. */
export function spanOf(component: Component, zones: Zones, home: Zone): { start: When; end: When } | undefined {
  const start = whenOf(component, "dtstart", zones)
  if (start === undefined) return undefined
  const end = whenOf(component, "dtend", zones)
  // Some write an end before the start, or a day as the end of a time.
  if (end !== undefined && end.isDate === start.isDate && instantOf(end, home) >= instantOf(start, home))
    return { start, end }
  return { start, end: after(component, start, home) }
}

/** By DURATION: days are days of the calendar, hours are exact. */
function after(component: Component, start: When, home: Zone): When {
  const found = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(
    textIn(component, "duration") ?? "",
  )
  if (found === null) return start.isDate ? { ...start, wall: start.wall + dayMs } : start
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0))
  const later = { ...start, wall: start.wall + (weeks * 7 + days) * dayMs }
  const exact = (hours * 3_600 + minutes * 60 + seconds) * 1_000
  return exact === 0 || start.isDate ? later : at(instantOf(later, home) + exact, later, home)
}

/** All are as long as the first: exactly, unless the length is given by DURATION (RFC 5545 section 3.8.5.3). */
function endFor(master: Component, first: { start: When; end: When }, start: When, home: Zone): When {
  if (!master.hasProperty("dtend")) return after(master, start, home)
  if (start.isDate) return { ...first.end, wall: start.wall + (first.end.wall - first.start.wall) }
  const length = instantOf(first.end, home) - instantOf(first.start, home)
  return at(instantOf(start, home) + length, first.end, home)
}

/** How an occurrence is named in answers and arguments: its start by the rule. */
export const idText = (id: When): string => toText(id)
