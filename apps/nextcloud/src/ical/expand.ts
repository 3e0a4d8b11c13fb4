// Expands a recurrence rule into wall-clock times (RFC 5545 section 3.3.10), period by period. Rules are untrusted and
// may never match: every step is counted against a budget and bounded by the range.

import type ICAL from "ical.js"
import type { StepBudget } from "./step-budget.ts"

/** A recurrence rule. */
export type Recur = InstanceType<typeof ICAL.Recur>

const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

export interface Bounds {
  /** Times before the period that contains `from` are skipped. */
  readonly from: number
  readonly to: number
  readonly budget: StepBudget
}

/**
 * Yields the wall-clock times of the rule in order. Yields the start only if the rule matches it. The caller handles
 * COUNT and UNTIL.
 */
export function* expandRule(rule: Recur, start: number, { from, to, budget }: Bounds): Generator<number> {
  const periods = periodsOf(rule, start)
  const offsets = offsetsOf(rule, start)
  const positions = numbersOf(rule, "BYSETPOS")
  const skipTo = createSkip(rule, start)
  budget.spend(offsets.length)
  for (let index = periods.indexOf(Math.max(from, start)); ; index++) {
    const begin = periods.beginOf(index)
    if (!(begin <= to)) return
    budget.spend(1)
    const nextMatch = skipTo(begin)
    if (nextMatch !== undefined) {
      // Continues with the first period that begins at `nextMatch` or after it.
      index = periods.indexOf(nextMatch - 1)
      continue
    }
    const bases = periods.bases(index, budget)
    for (const position of positionsIn(bases.length * offsets.length, positions)) {
      budget.spend(1)
      yield (bases[Math.floor(position / offsets.length)] ?? 0) + (offsets[position % offsets.length] ?? 0)
    }
  }
}

/** Yields the indexes of a period's candidate times: all, or those that BYSETPOS selects, counted from either end. */
function* positionsIn(size: number, positions: readonly number[]): Generator<number> {
  if (positions.length === 0) for (let position = 0; position < size; position++) yield position
  const selectedPositions = new Set(positions.map((number) => (number < 0 ? size + number : number - 1)))
  yield* [...selectedPositions].filter((position) => position >= 0 && position < size).sort((a, b) => a - b)
}

/** The periods of the rule, numbered from the one that contains the start. */
interface Periods {
  beginOf(index: number): number
  /** The last period that begins at or before this time. */
  indexOf(wallTime: number): number
  /** The matching days of a period. For a period shorter than a day: its own start. */
  bases(index: number, budget: StepBudget): readonly number[]
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
  const matches = dayTest(rule, start)
  if (length === undefined) return calendarPeriods(rule, start, matches)
  const origin = rule.freq === "WEEKLY" ? weekStart(start, weekdayOfWeek(rule)) : Math.floor(start / length) * length
  const step = length * rule.interval
  const beginOf = (index: number): number => origin + index * step
  const indexOf = (wallTime: number): number => Math.floor((wallTime - origin) / step)
  if (length < dayMs) return { beginOf, indexOf, bases: (index) => [beginOf(index)] }
  return {
    beginOf,
    indexOf,
    bases: (index, budget) => daysBetween(beginOf(index), beginOf(index) + length, matches, budget),
  }
}

/** Months and years, whose lengths vary. */
function calendarPeriods(rule: Recur, start: number, matches: DayTest): Periods {
  const length = rule.freq === "YEARLY" ? 12 : 1
  const origin = Math.floor(monthOf(start) / length) * length
  const step = length * rule.interval
  const beginOf = (index: number): number => monthStart(origin + index * step)
  const months = new Set(monthsOf(rule, start))
  return {
    beginOf,
    indexOf: (wallTime) => Math.floor((monthOf(wallTime) - origin) / step),
    bases: (index, budget) =>
      Array.from({ length }, (_, offset) => origin + index * step + offset)
        .filter((month) => months.size === 0 || months.has((((month % 12) + 12) % 12) + 1))
        .flatMap((month) => daysBetween(monthStart(month), monthStart(month + 1), matches, budget)),
  }
}

/** The number of months since January of the year 0. */
function monthOf(wallTime: number): number {
  const date = new Date(wallTime)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

const monthStart = (month: number): number => new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1)

function daysBetween(from: number, to: number, matches: DayTest, budget: StepBudget): readonly number[] {
  const days: number[] = []
  budget.spend((to - from) / dayMs)
  for (let day = from; day < to; day += dayMs) if (matches(day)) days.push(day)
  return days
}

type DayTest = (day: number) => boolean

/** Returns a test whether a day matches the rule. Parts that the rule does not set come from the start. */
function dayTest(rule: Recur, start: number): DayTest {
  const { freq } = rule
  const namesDays = ["BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO"].some((part) => part in rule.parts)
  const isByDate = (freq === "YEARLY" || freq === "MONTHLY") && !namesDays
  const isOfWeek =
    freq === "YEARLY" &&
    Object.keys(rule.parts).every((part) => !dayPartPattern.test(part) || part === "BYWEEKNO" || part === "BYMONTH")
  const isByWeekday = freq === "WEEKLY" ? !namesDays : isOfWeek && namesDays
  const date = new Date(start)
  const tests = [
    numbersTest(monthsOf(rule, start), (day) => [day.month]),
    numbersTest(
      isByDate ? [date.getUTCDate()] : numbersOf(rule, "BYMONTHDAY"),
      numbersFromBothEnds("date", "monthLength"),
    ),
    numbersTest(numbersOf(rule, "BYYEARDAY"), numbersFromBothEnds("yearDay", "yearLength")),
    numbersTest(numbersOf(rule, "BYWEEKNO"), (day) => weekNumbers(day.dayStart, weekdayOfWeek(rule))),
    isByWeekday ? numbersTest([date.getUTCDay()], ({ weekday }) => [weekday]) : weekdayTest(rule),
  ].filter((test) => test !== undefined)
  return (dayStart) => {
    const day = dayAt(dayStart)
    return tests.every((test) => test(day))
  }
}

const monthsOf = (rule: Recur, start: number): readonly number[] => {
  const isByMonth = rule.freq === "YEARLY" && Object.keys(rule.parts).every((part) => !dayPartPattern.test(part))
  return isByMonth ? [new Date(start).getUTCMonth() + 1] : numbersOf(rule, "BYMONTH")
}

const dayPartPattern = /^BY(MONTH|DAY|MONTHDAY|YEARDAY|WEEKNO)$/

interface Day {
  readonly dayStart: number
  readonly month: number
  readonly date: number
  readonly weekday: number
  readonly monthLength: number
  readonly yearDay: number
  readonly yearLength: number
}

function dayAt(dayStart: number): Day {
  const date = new Date(dayStart)
  const month = date.getUTCMonth()
  const leapDays = isLeap(date.getUTCFullYear()) ? 1 : 0
  return {
    dayStart,
    month: month + 1,
    date: date.getUTCDate(),
    weekday: date.getUTCDay(),
    monthLength: (monthLengths[month] ?? 0) + (month === 1 ? leapDays : 0),
    yearDay: (daysBefore[month] ?? 0) + (month > 1 ? leapDays : 0) + date.getUTCDate(),
    yearLength: 365 + leapDays,
  }
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

type Test = (day: Day) => boolean

function numbersTest(allowed: readonly number[], numbersOf: (day: Day) => readonly number[]): Test | undefined {
  const allowedSet = new Set(allowed)
  return allowedSet.size === 0 ? undefined : (day) => numbersOf(day).some((number) => allowedSet.has(number))
}

/** A day's number counted from both ends: the last day of a month is also -1. */
const numbersFromBothEnds =
  (field: "date" | "yearDay", length: "monthLength" | "yearLength") =>
  (day: Day): readonly number[] => [day[field], day[field] - day[length] - 1]

const weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

/**
 * Tests the weekday. “-1FR” is the last Friday of its month or year; weekly and daily rules may not number weekdays, so
 * there it means every Friday.
 */
function weekdayTest(rule: Recur): Test | undefined {
  const ruleDays = new Set(rule.getComponent("BYDAY").map((day) => String(day).replace(/^\+/, "").toUpperCase()))
  if (ruleDays.size === 0) return undefined
  const isCounted = (rule.freq === "MONTHLY" || rule.freq === "YEARLY") && !("BYWEEKNO" in rule.parts)
  if (!isCounted) {
    const names = new Set([...ruleDays].map((day) => day.slice(-2)))
    return ({ weekday }) => names.has(weekdays[weekday] ?? "")
  }
  const isInYear = rule.freq === "YEARLY" && !("BYMONTH" in rule.parts)
  return ({ weekday, date, monthLength, yearDay, yearLength }) => {
    const [dayNumber, length] = isInYear ? [yearDay, yearLength] : [date, monthLength]
    const name = weekdays[weekday] ?? ""
    const [first, last] = [Math.ceil(dayNumber / 7), -Math.ceil((length - dayNumber + 1) / 7)]
    return ruleDays.has(name) || ruleDays.has(`${first}${name}`) || ruleDays.has(`${last}${name}`)
  }
}

/** The first weekday of the rule's weeks, 0 for Sunday. The library has 1 for Sunday. */
const weekdayOfWeek = ({ wkst }: Recur): number => Number(wkst) - 1

const weekStart = (wallTime: number, firstWeekday: number): number => {
  const day = Math.floor(wallTime / dayMs) * dayMs
  return day - ((new Date(day).getUTCDay() - firstWeekday + 7) % 7) * dayMs
}

/**
 * The number of the day's week, counted from both ends of the year that has most days of that week (ISO 8601, for any
 * first weekday).
 */
function weekNumbers(day: number, firstWeekday: number): readonly number[] {
  const midweek = weekStart(day, firstWeekday) + 3 * dayMs
  const year = monthOf(midweek) - new Date(midweek).getUTCMonth()
  const weekOf = (wallTime: number): number => Math.floor((wallTime - monthStart(year)) / (7 * dayMs)) + 1
  const weekCount = weekOf(weekStart(monthStart(year + 12) - 4 * dayMs, firstWeekday) + 3 * dayMs)
  return [weekOf(midweek), weekOf(midweek) - weekCount - 1]
}

/** The times of day of the rule, as offsets within a day or a shorter period. */
function offsetsOf(rule: Recur, start: number): readonly number[] {
  const length = Math.min(dayMs, lengths[rule.freq] ?? dayMs)
  const units = clock.filter(({ unit }) => unit < length)
  return units.reduce<readonly number[]>(
    (all, { part, unit, limit }) => {
      const listedValues = numbersOf(rule, part).filter((value) => value < limit)
      const values =
        part in rule.parts ? [...new Set(listedValues)].sort((a, b) => a - b) : [valueAt(start, unit, limit)]
      return all.flatMap((offset) => values.map((value) => offset + value * unit))
    },
    [0],
  )
}

const clock = [
  { part: "BYHOUR", unit: hourMs, limit: 24 },
  { part: "BYMINUTE", unit: minuteMs, limit: 60 },
  { part: "BYSECOND", unit: secondMs, limit: 60 },
] as const

const valueAt = (wallTime: number, unit: number, limit: number): number => {
  const value = Math.floor(wallTime / unit) % limit
  return value < 0 ? value + limit : value
}

/**
 * Returns a function for periods shorter than a day. When the day, hour or minute at `begin` cannot match, it returns
 * the next time that can, and otherwise undefined.
 */
function createSkip(rule: Recur, start: number): (begin: number) => number | undefined {
  const length = lengths[rule.freq] ?? dayMs
  if (length >= dayMs) return () => undefined
  const matches = dayTest(rule, start)
  const limits = clock
    .filter(({ part, unit }) => unit >= length && part in rule.parts)
    .map(({ part, unit, limit }) => ({ values: new Set(numbersOf(rule, part)), unit, limit }))
  let lastDay = { day: Number.NaN, isFitting: false }
  return (begin) => {
    const day = Math.floor(begin / dayMs) * dayMs
    if (lastDay.day !== day) lastDay = { day, isFitting: matches(day) }
    if (!lastDay.isFitting) return day + dayMs
    const failedLimit = limits.find(({ values, unit, limit }) => !values.has(valueAt(begin, unit, limit)))
    return failedLimit === undefined ? undefined : (Math.floor(begin / failedLimit.unit) + 1) * failedLimit.unit
  }
}

const numbersOf = (rule: Recur, part: string): readonly number[] => rule.getComponent(part).map(Number)
