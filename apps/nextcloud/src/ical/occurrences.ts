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

/** The limit for rules without an end. */
const lastDay = Date.UTC(2200, 0)

export const isRecurring = (component: Component | undefined): boolean =>
  component !== undefined && (component.hasProperty("rrule") || component.hasProperty("rdate"))

/**
 * The occurrences within the range, unordered. Dates and floating times are read in zone `home`. Throws when the series
 * repeats too often.
 */
export function occurrencesIn(series: Series, range: Range, home: Zone, whole?: StepBudget): readonly Occurrence[] {
  const { document, master, overrides } = series
  const work = createStepBudget(mostForSeries, whole)
  work.spend(overrides.length * stepsForOne)
  const changedOccurrences = overrides.flatMap((component): readonly Occurrence[] => {
    const span = spanOf(component, document.zone, home)
    const id = timeOf(component, "recurrence-id", document.zone)
    return span === undefined || id === undefined ? [] : [{ component, ...span, id }]
  })
  const isReplaced = among(
    changedOccurrences.flatMap(({ id }) => (id === undefined ? [] : [id])),
    home,
  )
  const byRule = master === undefined ? [] : occurrencesByRule(master, document.zone, range, { home, work })
  const unchanged = byRule.filter(({ id }) => id === undefined || !isReplaced(id))
  return [...unchanged, ...changedOccurrences].filter((one) => touches(one, range, home))
}

function touches({ start, end }: Occurrence, { from, to }: Range, home: Zone): boolean {
  const begins = instantOf(start, home)
  const ends = instantOf(end, home)
  return begins < to && (ends > from || (ends === begins && begins >= from))
}

function occurrencesByRule(
  master: Component,
  zones: Zones,
  range: Range,
  { home, work }: Reading,
): readonly Occurrence[] {
  const first = spanOf(master, zones, home)
  if (first === undefined) return []
  if (!isRecurring(master)) return [{ component: master, ...first }]
  const length = instantOf(first.end, home) - instantOf(first.start, home)
  const walk = { until: range.to, from: range.from - length - dayMs, home, work }
  const starts = startsUntil(master, first.start, zones, walk)
  return starts.map((start) => ({ component: master, start, end: endFor(master, first, start, home), id: start }))
}

interface Reading {
  readonly home: Zone
  readonly work: StepBudget
}

interface Walk {
  /** Instants. Starts before `from` may be omitted. */
  readonly from?: number
  readonly until: number
  readonly most?: number
  readonly home: Zone
  readonly work?: StepBudget
}

/** The cost of one occurrence in steps: converting it between zones is slow. */
const stepsForOne = 20

/** The starts by rule in order, without EXDATEs. Includes occurrences that were moved elsewhere. */
export function startsUntil(master: Component, start: CalendarTime, zones: Zones, walk: Walk): readonly CalendarTime[] {
  const { from = Number.NEGATIVE_INFINITY, until, most = Number.POSITIVE_INFINITY, home } = walk
  const { work = createStepBudget(mostForSeries) } = walk
  const isLeftOut = createExclusionTest(master, zones, home)
  const added = master.getAllProperties("rdate").flatMap((rdate) => timesOf(rdate, zones))
  work.spend((added.length + master.getAllProperties("exdate").length) * stepsForOne)
  const times = new Map<number, CalendarTime>()
  const add = (when: CalendarTime, instant: number): void => {
    if (instant >= from && instant < until && !isLeftOut(when)) times.set(instant, when)
  }
  for (const when of added) add(toTimeLike(instantOf(when, home), start, home), instantOf(when, home))
  const walls = wallsOf(master, start, { from: from - 2 * dayMs, to: Math.min(until + 2 * dayMs, lastDay), work })
  for (const wall of walls) {
    // Zone conversion is slow: times days before the range do not need it.
    if (wall < from - 2 * dayMs) continue
    work.spend(stepsForOne)
    const when = { ...start, wall }
    const instant = instantOf(when, home)
    if (instant >= until || times.size >= most) break
    add(when, instant)
  }
  return [...times.entries()].sort(([a], [b]) => a - b).map(([, when]) => when)
}

/** The wall-clock times of the rule, starting with DTSTART, which always counts. */
function* wallsOf(master: Component, start: CalendarTime, { from, to, work }: Bounds): Generator<number> {
  yield start.wall
  const rule = ruleOf(master)
  if (rule === undefined) return
  const { until } = wallRule(rule, start)
  const last = until === null ? to : Math.min(to, wallOfTime(until))
  // A rule without COUNT need not be expanded from its beginning.
  const first = rule.count === null ? from : start.wall
  let remaining = rule.count === null ? Number.POSITIVE_INFINITY : rule.count - 1
  for (const wall of expandRule(rule, start.wall, { from: first, to: last, work })) {
    if (remaining <= 0 || wall > last) return
    if (wall <= start.wall || (start.isDate && wall % dayMs !== 0)) continue
    remaining--
    yield wall
  }
}

function createExclusionTest(master: Component, zones: Zones, home: Zone): (when: CalendarTime) => boolean {
  return among(
    master.getAllProperties("exdate").flatMap((exdate) => timesOf(exdate, zones)),
    home,
  )
}

/** Tests membership in a list of exceptions, each of which names a start or a whole day. */
function among(all: readonly CalendarTime[], home: Zone): (when: CalendarTime) => boolean {
  if (all.length === 0) return () => false
  const instants = new Set(all.filter((when) => !when.isDate).map((when) => instantOf(when, home)))
  const days = new Set(all.filter((when) => when.isDate).map((when) => when.wall / dayMs))
  return (when) => instants.has(instantOf(when, home)) || days.has(Math.floor(when.wall / dayMs))
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
  // Some programs write an end before the start, or a date as the end of a time: those are ignored.
  if (end !== undefined && end.isDate === start.isDate && instantOf(end, home) >= instantOf(start, home))
    return { start, end }
  return { start, end: after(component, start, home) }
}

/** The end by DURATION: days are calendar days, hours are exact. */
function after(component: Component, start: CalendarTime, home: Zone): CalendarTime {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(
    textIn(component, "duration") ?? "",
  )
  if (match === null) return start.isDate ? { ...start, wall: start.wall + dayMs } : start
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0))
  const later = { ...start, wall: start.wall + (weeks * 7 + days) * dayMs }
  const exact = (hours * 3_600 + minutes * 60 + seconds) * 1_000
  return exact === 0 || start.isDate ? later : toTimeLike(instantOf(later, home) + exact, later, home)
}

/**
 * The end of an occurrence: each is exactly as long as the first, unless DURATION gives the length (RFC 5545 section
 * 3.8.5.3).
 */
function endFor(
  master: Component,
  first: { start: CalendarTime; end: CalendarTime },
  start: CalendarTime,
  home: Zone,
): CalendarTime {
  if (!master.hasProperty("dtend")) return after(master, start, home)
  if (start.isDate) return { ...first.end, wall: start.wall + (first.end.wall - first.start.wall) }
  const length = instantOf(first.end, home) - instantOf(first.start, home)
  return toTimeLike(instantOf(start, home) + length, first.end, home)
}

/** The name of an occurrence in outputs and arguments: its start by the rule. */
export const idText = (id: CalendarTime): string => toText(id)
