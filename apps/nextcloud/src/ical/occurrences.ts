// The occurrences of a series within a range: from its rule, RDATE, EXDATE, and the occurrences that were changed.

import type { CalendarTime } from "./calendar-time.ts"
import { dayMs, instantOf, timeOf, timesOf, toText, toTimeLike } from "./calendar-time.ts"
import type { Component, Series } from "./document.ts"
import { textIn } from "./document.ts"
import type { Bounds } from "./expand.ts"
import { expandRule } from "./expand.ts"
import { ruleOf, wallRule } from "./rule.ts"
import type { StepBudget } from "./step-budget.ts"
import { createStepBudget, mostForSeries } from "./step-budget.ts"
import type { Zone } from "./zone.ts"
import { wallOfTime } from "./zone.ts"

export interface Occurrence {
  readonly component: Component
  readonly start: CalendarTime
  readonly end: CalendarTime
  /** The recurrence id: the start that the rule gives this occurrence. */
  readonly id?: CalendarTime
}

export interface Range {
  readonly from: number
  readonly to: number
}

type Zones = (tzid: string) => Zone

/** The wall-clock time at which the expansion of endless rules stops. */
const lastDay = Date.UTC(2200, 0)

export const isRecurring = (component: Component | undefined): boolean =>
  component !== undefined && (component.hasProperty("rrule") || component.hasProperty("rdate"))

/**
 * The occurrences within the range, unordered. Dates and floating times are read in zone `home`. Throws when the series
 * repeats too often.
 */
export function occurrencesIn(
  series: Series,
  range: Range,
  home: Zone,
  callBudget?: StepBudget,
): readonly Occurrence[] {
  const { document, master, overrides } = series
  const budget = createStepBudget(mostForSeries, callBudget)
  budget.spend(overrides.length * stepsForOne)
  const changedOccurrences = overrides.flatMap((component): readonly Occurrence[] => {
    const span = spanOf(component, document.zone, home)
    const id = timeOf(component, "recurrence-id", document.zone)
    return span === undefined || id === undefined ? [] : [{ component, ...span, id }]
  })
  const isReplaced = toMembershipTest(
    changedOccurrences.flatMap(({ id }) => (id === undefined ? [] : [id])),
    home,
  )
  const byRule = master === undefined ? [] : occurrencesByRule(master, document.zone, range, { home, budget })
  const regularOccurrences = byRule.filter(({ id }) => id === undefined || !isReplaced(id))
  return [...regularOccurrences, ...changedOccurrences].filter((occurrence) => touches(occurrence, range, home))
}

function touches({ start, end }: Occurrence, { from, to }: Range, home: Zone): boolean {
  const startInstant = instantOf(start, home)
  const endInstant = instantOf(end, home)
  return startInstant < to && (endInstant > from || (endInstant === startInstant && startInstant >= from))
}

function occurrencesByRule(
  master: Component,
  zones: Zones,
  range: Range,
  { home, budget }: ReadContext,
): readonly Occurrence[] {
  const firstSpan = spanOf(master, zones, home)
  if (firstSpan === undefined) return []
  if (!isRecurring(master)) return [{ component: master, ...firstSpan }]
  const length = instantOf(firstSpan.end, home) - instantOf(firstSpan.start, home)
  const query = { until: range.to, from: range.from - length - dayMs, home, budget }
  const starts = startsUntil(master, firstSpan.start, zones, query)
  return starts.map((start) => ({ component: master, start, end: endFor(master, firstSpan, start, home), id: start }))
}

interface ReadContext {
  readonly home: Zone
  readonly budget: StepBudget
}

interface StartQuery {
  /** `from` and `until` are instants. Starts before `from` are omitted. */
  readonly from?: number
  readonly until: number
  readonly maxCount?: number
  readonly home: Zone
  readonly budget?: StepBudget
}

/** What one occurrence takes from the step budget: converting it between zones is slow. */
const stepsForOne = 20

/**
 * The starts of a series in order: DTSTART, the times of its rule, and RDATEs, without EXDATEs. An occurrence that was
 * moved still has its original start.
 */
export function startsUntil(
  master: Component,
  start: CalendarTime,
  zones: Zones,
  query: StartQuery,
): readonly CalendarTime[] {
  const { from = Number.NEGATIVE_INFINITY, until, maxCount = Number.POSITIVE_INFINITY, home } = query
  const { budget = createStepBudget(mostForSeries) } = query
  const isLeftOut = createExclusionTest(master, zones, home)
  const addedTimes = master.getAllProperties("rdate").flatMap((rdate) => timesOf(rdate, zones))
  budget.spend((addedTimes.length + master.getAllProperties("exdate").length) * stepsForOne)
  const times = new Map<number, CalendarTime>()
  const add = (time: CalendarTime, instant: number): void => {
    if (instant >= from && instant < until && !isLeftOut(time)) times.set(instant, time)
  }
  for (const time of addedTimes) add(toTimeLike(instantOf(time, home), start, home), instantOf(time, home))
  const walls = wallsOf(master, start, { from: from - 2 * dayMs, to: Math.min(until + 2 * dayMs, lastDay), budget })
  for (const wall of walls) {
    // Skips times days before the range, because zone conversion is slow.
    if (wall < from - 2 * dayMs) continue
    budget.spend(stepsForOne)
    const time = { ...start, wall }
    const instant = instantOf(time, home)
    if (instant >= until || times.size >= maxCount) break
    add(time, instant)
  }
  return [...times.entries()].sort(([a], [b]) => a - b).map(([, time]) => time)
}

/** The wall-clock times of the rule, starting with DTSTART, which always counts. */
function* wallsOf(master: Component, start: CalendarTime, { from, to, budget }: Bounds): Generator<number> {
  yield start.wall
  const rule = ruleOf(master)
  if (rule === undefined) return
  const { until } = wallRule(rule, start)
  const lastWall = until === null ? to : Math.min(to, wallOfTime(until))
  // A rule without COUNT need not be expanded from its beginning.
  const firstWall = rule.count === null ? from : start.wall
  let remaining = rule.count === null ? Number.POSITIVE_INFINITY : rule.count - 1
  for (const wall of expandRule(rule, start.wall, { from: firstWall, to: lastWall, budget })) {
    if (remaining <= 0 || wall > lastWall) return
    if (wall <= start.wall || (start.isDate && wall % dayMs !== 0)) continue
    remaining--
    yield wall
  }
}

function createExclusionTest(master: Component, zones: Zones, home: Zone): (time: CalendarTime) => boolean {
  return toMembershipTest(
    master.getAllProperties("exdate").flatMap((exdate) => timesOf(exdate, zones)),
    home,
  )
}

/** Returns a test whether a list of exceptions contains a time. An exception names a start or a whole day. */
function toMembershipTest(all: readonly CalendarTime[], home: Zone): (time: CalendarTime) => boolean {
  if (all.length === 0) return () => false
  const instants = new Set(all.filter((time) => !time.isDate).map((time) => instantOf(time, home)))
  const days = new Set(all.filter((time) => time.isDate).map((time) => time.wall / dayMs))
  return (time) => instants.has(instantOf(time, home)) || days.has(Math.floor(time.wall / dayMs))
}

/** The start and end of one component. Undefined when it has no start. */
export function spanOf(
  component: Component,
  zones: Zones,
  home: Zone,
): { start: CalendarTime; end: CalendarTime } | undefined {
  const start = timeOf(component, "dtstart", zones)
  if (start === undefined) return undefined
  const end = timeOf(component, "dtend", zones)
  // Some programs write an end before the start, or a date as the end of a time. Such an end is ignored.
  if (end !== undefined && end.isDate === start.isDate && instantOf(end, home) >= instantOf(start, home))
    return { start, end }
  return { start, end: endByDuration(component, start, home) }
}

/** The end by DURATION: days are calendar days, hours are exact. */
function endByDuration(component: Component, start: CalendarTime, home: Zone): CalendarTime {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(
    textIn(component, "duration") ?? "",
  )
  if (match === null) return start.isDate ? { ...start, wall: start.wall + dayMs } : start
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0))
  const endWall = { ...start, wall: start.wall + (weeks * 7 + days) * dayMs }
  const exactMs = (hours * 3_600 + minutes * 60 + seconds) * 1_000
  return exactMs === 0 || start.isDate ? endWall : toTimeLike(instantOf(endWall, home) + exactMs, endWall, home)
}

/**
 * The end of an occurrence: each is exactly as long as the first, unless DURATION gives the length (RFC 5545 section
 * 3.8.5.3).
 */
function endFor(
  master: Component,
  firstSpan: { start: CalendarTime; end: CalendarTime },
  start: CalendarTime,
  home: Zone,
): CalendarTime {
  if (!master.hasProperty("dtend")) return endByDuration(master, start, home)
  if (start.isDate) return { ...firstSpan.end, wall: start.wall + (firstSpan.end.wall - firstSpan.start.wall) }
  const length = instantOf(firstSpan.end, home) - instantOf(firstSpan.start, home)
  return toTimeLike(instantOf(start, home) + length, firstSpan.end, home)
}

/** The name of an occurrence in outputs and arguments: its start by the rule. */
export const idText = (id: CalendarTime): string => toText(id)
