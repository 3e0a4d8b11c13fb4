// Expands a recurrence rule into wall-clock times (RFC 5545 section 3.3.10), period by period. Rules are untrusted and
// may never match: every step is counted against a budget and bounded by the range.

import type { Recur } from "./rule.ts"
import type { StepBudget } from "./step-budget.ts"

const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

export interface Bounds {
  /** Times before the period that contains `from` are skipped. */
  readonly from: number
  readonly to: number
  readonly work: StepBudget
}

/**
 * Yields the wall-clock times of the rule in order. Includes the start only where the rule does; the caller handles
 * COUNT and UNTIL.
 */
export function* expandRule(rule: Recur, start: number, { from, to, work }: Bounds): Generator<number> {
  const periods = periodsOf(rule, start)
  const offsets = offsetsOf(rule, start)
  const positions = numbersOf(rule, "BYSETPOS")
  const skipped = skipping(rule, start)
  work.spend(offsets.length)
  for (let index = periods.at(Math.max(from, start)); ; index++) {
    const begin = periods.begin(index)
    if (!(begin <= to)) return
    work.spend(1)
    const later = skipped(begin)
    if (later !== undefined) {
      // Continues with the first period that begins at `later` or after it.
      index = periods.at(later - 1)
      continue
    }
    const bases = periods.bases(index, work)
    for (const place of placesIn(bases.length * offsets.length, positions)) {
      work.spend(1)
      yield (bases[Math.floor(place / offsets.length)] ?? 0) + (offsets[place % offsets.length] ?? 0)
    }
  }
}

/** All positions, or those that BYSETPOS selects, counted from either end. */
function* placesIn(size: number, positions: readonly number[]): Generator<number> {
  if (positions.length === 0) for (let place = 0; place < size; place++) yield place
  const named = new Set(positions.map((one) => (one < 0 ? size + one : one - 1)))
  yield* [...named].filter((place) => place >= 0 && place < size).sort((a, b) => a - b)
}

/** The periods of the rule, numbered from the one that contains the start. */
interface Periods {
  begin(index: number): number
  /** The last period that begins at or before this time. */
  at(reading: number): number
  /** The matching days of a period; for periods shorter than a day, the period's own begin. */
  bases(index: number, work: StepBudget): readonly number[]
}

const lengths: Readonly<Record<string, number>> = {
  SECONDLY: secondMs,
  MINUTELY: minuteMs,
  HOURLY: hourMs,
  DAILY: dayMs,
  WEEKLY: 7 * dayMs,
}

function periodsOf(rule: Recur, start: number): Periods {
  const length = lengths[rule.freq]
  const fits = dayTest(rule, start)
  if (length === undefined) return calendarPeriods(rule, start, fits)
  const origin = rule.freq === "WEEKLY" ? weekStart(start, weekdayOfWeek(rule)) : Math.floor(start / length) * length
  const step = length * rule.interval
  const begin = (index: number): number => origin + index * step
  const at = (reading: number): number => Math.floor((reading - origin) / step)
  if (length < dayMs) return { begin, at, bases: (index) => [begin(index)] }
  return { begin, at, bases: (index, work) => daysBetween(begin(index), begin(index) + length, fits, work) }
}

/** Months and years, whose lengths vary. */
function calendarPeriods(rule: Recur, start: number, fits: DayTest): Periods {
  const length = rule.freq === "YEARLY" ? 12 : 1
  const origin = Math.floor(monthOf(start) / length) * length
  const step = length * rule.interval
  const begin = (index: number): number => monthStart(origin + index * step)
  const months = new Set(monthsOf(rule, start))
  return {
    begin,
    at: (reading) => Math.floor((monthOf(reading) - origin) / step),
    bases: (index, work) =>
      Array.from({ length }, (_, more) => origin + index * step + more)
        .filter((month) => months.size === 0 || months.has((((month % 12) + 12) % 12) + 1))
        .flatMap((month) => daysBetween(monthStart(month), monthStart(month + 1), fits, work)),
  }
}

/** The number of months since January of the year 0. */
function monthOf(reading: number): number {
  const date = new Date(reading)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

const monthStart = (month: number): number => new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1)

function daysBetween(from: number, to: number, fits: DayTest, work: StepBudget): readonly number[] {
  const found: number[] = []
  work.spend((to - from) / dayMs)
  for (let day = from; day < to; day += dayMs) if (fits(day)) found.push(day)
  return found
}

type DayTest = (day: number) => boolean

/** Tests whether a day matches the rule. What the rule leaves open is taken from the start. */
function dayTest(rule: Recur, start: number): DayTest {
  const { freq } = rule
  const namesDays = ["BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO"].some((part) => part in rule.parts)
  const isByDate = (freq === "YEARLY" || freq === "MONTHLY") && !namesDays
  const isOfWeek =
    freq === "YEARLY" &&
    Object.keys(rule.parts).every((part) => !isDayPart.test(part) || part === "BYWEEKNO" || part === "BYMONTH")
  const isByWeekday = freq === "WEEKLY" ? !namesDays : isOfWeek && namesDays
  const date = new Date(start)
  const tests = [
    among(monthsOf(rule, start), (day) => [day.month]),
    among(isByDate ? [date.getUTCDate()] : numbersOf(rule, "BYMONTHDAY"), bothEnds("date", "monthLength")),
    among(numbersOf(rule, "BYYEARDAY"), bothEnds("yearDay", "yearLength")),
    among(numbersOf(rule, "BYWEEKNO"), (day) => weekNumbers(day.at, weekdayOfWeek(rule))),
    isByWeekday ? among([date.getUTCDay()], ({ weekday }) => [weekday]) : weekdayTest(rule),
  ].filter((test) => test !== undefined)
  return (at) => {
    const day = dayAt(at)
    return tests.every((test) => test(day))
  }
}

const monthsOf = (rule: Recur, start: number): readonly number[] => {
  const isByMonth = rule.freq === "YEARLY" && Object.keys(rule.parts).every((part) => !isDayPart.test(part))
  return isByMonth ? [new Date(start).getUTCMonth() + 1] : numbersOf(rule, "BYMONTH")
}

const isDayPart = /^BY(MONTH|DAY|MONTHDAY|YEARDAY|WEEKNO)$/

interface Day {
  readonly at: number
  readonly month: number
  readonly date: number
  readonly weekday: number
  readonly monthLength: number
  readonly yearDay: number
  readonly yearLength: number
}

function dayAt(at: number): Day {
  const date = new Date(at)
  const month = date.getUTCMonth()
  const leap = isLeap(date.getUTCFullYear()) ? 1 : 0
  return {
    at,
    month: month + 1,
    date: date.getUTCDate(),
    weekday: date.getUTCDay(),
    monthLength: (monthLengths[month] ?? 0) + (month === 1 ? leap : 0),
    yearDay: (daysBefore[month] ?? 0) + (month > 1 ? leap : 0) + date.getUTCDate(),
    yearLength: 365 + leap,
  }
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

type Test = (day: Day) => boolean

function among(wanted: readonly number[], numbersOf: (day: Day) => readonly number[]): Test | undefined {
  const all = new Set(wanted)
  return all.size === 0 ? undefined : (day) => numbersOf(day).some((one) => all.has(one))
}

/** A day's number counted from both ends: the last day of a month is also -1. */
const bothEnds =
  (place: "date" | "yearDay", length: "monthLength" | "yearLength") =>
  (day: Day): readonly number[] => [day[place], day[place] - day[length] - 1]

const weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

/**
 * Tests the weekday. “-1FR” is the last Friday of its month or year; weekly and daily rules may not number weekdays, so
 * there it means every Friday.
 */
function weekdayTest(rule: Recur): Test | undefined {
  const wanted = new Set(rule.getComponent("BYDAY").map((one) => String(one).replace(/^\+/, "").toUpperCase()))
  if (wanted.size === 0) return undefined
  const isCounted = (rule.freq === "MONTHLY" || rule.freq === "YEARLY") && !("BYWEEKNO" in rule.parts)
  if (!isCounted) {
    const names = new Set([...wanted].map((one) => one.slice(-2)))
    return ({ weekday }) => names.has(weekdays[weekday] ?? "")
  }
  const isInYear = rule.freq === "YEARLY" && !("BYMONTH" in rule.parts)
  return ({ weekday, date, monthLength, yearDay, yearLength }) => {
    const [place, length] = isInYear ? [yearDay, yearLength] : [date, monthLength]
    const name = weekdays[weekday] ?? ""
    const [first, last] = [Math.ceil(place / 7), -Math.ceil((length - place + 1) / 7)]
    return wanted.has(name) || wanted.has(`${first}${name}`) || wanted.has(`${last}${name}`)
  }
}

/** The first day of the week. The library counts from 1 for Sunday. */
const weekdayOfWeek = ({ wkst }: Recur): number => Number(wkst) - 1

const weekStart = (reading: number, first: number): number => {
  const day = Math.floor(reading / dayMs) * dayMs
  return day - ((new Date(day).getUTCDay() - first + 7) % 7) * dayMs
}

/**
 * The number of the week, from the beginning and from the end of the year that has most of its days (ISO 8601, for any
 * first weekday).
 */
function weekNumbers(day: number, first: number): readonly number[] {
  const middle = weekStart(day, first) + 3 * dayMs
  const year = monthOf(middle) - new Date(middle).getUTCMonth()
  const weekOf = (reading: number): number => Math.floor((reading - monthStart(year)) / (7 * dayMs)) + 1
  const last = weekOf(weekStart(monthStart(year + 12) - 4 * dayMs, first) + 3 * dayMs)
  return [weekOf(middle), weekOf(middle) - last - 1]
}

/** The times of day of the rule, as offsets within a day or a shorter period. */
function offsetsOf(rule: Recur, start: number): readonly number[] {
  const length = Math.min(dayMs, lengths[rule.freq] ?? dayMs)
  const units = clock.filter(({ unit }) => unit < length)
  return units.reduce<readonly number[]>(
    (all, { part, unit, most }) => {
      const given = numbersOf(rule, part).filter((one) => one < most)
      const values = part in rule.parts ? [...new Set(given)].sort((a, b) => a - b) : [valueAt(start, unit, most)]
      return all.flatMap((offset) => values.map((value) => offset + value * unit))
    },
    [0],
  )
}

const clock = [
  { part: "BYHOUR", unit: hourMs, most: 24 },
  { part: "BYMINUTE", unit: minuteMs, most: 60 },
  { part: "BYSECOND", unit: secondMs, most: 60 },
] as const

const valueAt = (reading: number, unit: number, most: number): number => {
  const value = Math.floor(reading / unit) % most
  return value < 0 ? value + most : value
}

/** For periods shorter than a day: the time to continue at when the day, hour or minute does not match. */
function skipping(rule: Recur, start: number): (begin: number) => number | undefined {
  const length = lengths[rule.freq] ?? dayMs
  if (length >= dayMs) return () => undefined
  const fits = dayTest(rule, start)
  const limits = clock
    .filter(({ part, unit }) => unit >= length && part in rule.parts)
    .map(({ part, unit, most }) => ({ values: new Set(numbersOf(rule, part)), unit, most }))
  let known = { day: Number.NaN, isFitting: false }
  return (begin) => {
    const day = Math.floor(begin / dayMs) * dayMs
    if (known.day !== day) known = { day, isFitting: fits(day) }
    if (!known.isFitting) return day + dayMs
    const wrong = limits.find(({ values, unit, most }) => !values.has(valueAt(begin, unit, most)))
    return wrong === undefined ? undefined : (Math.floor(begin / wrong.unit) + 1) * wrong.unit
  }
}

const numbersOf = (rule: Recur, part: string): readonly number[] => rule.getComponent(part).map(Number)
