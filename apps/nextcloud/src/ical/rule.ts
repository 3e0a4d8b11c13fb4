// Recurrence rules (RRULE): parsed from a model's input, ended at an occurrence, or moved to other days.

import ICAL from "ical.js"
import { nextcloudError } from "../api/error.ts"
import type { CalendarTime } from "./calendar-time.ts"
import { dayMs, instantOf, parseTime } from "./calendar-time.ts"
import type { Component } from "./document.ts"
import type { Recur } from "./expand.ts"
import type { Zone } from "./zone.ts"
import { toInstant, toWall, wallOfTime } from "./zone.ts"

type Time = InstanceType<typeof ICAL.Time>

const frequencyWords: Readonly<Record<string, string>> = {
  daily: "FREQ=DAILY",
  weekly: "FREQ=WEEKLY",
  biweekly: "FREQ=WEEKLY;INTERVAL=2",
  weekdays: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
  monthly: "FREQ=MONTHLY",
  quarterly: "FREQ=MONTHLY;INTERVAL=3",
  yearly: "FREQ=YEARLY",
}

/**
 * Parses an RRULE, or a word such as “weekly”. UNTIL gets the value type of the start, as RFC 5545 section 3.3.10
 * requires.
 */
export function toRule(text: string, start: CalendarTime, activity: string): Recur {
  const word = text.trim().toLowerCase()
  const ruleText =
    (Object.hasOwn(frequencyWords, word) ? frequencyWords[word] : undefined) ?? text.trim().replace(/^RRULE:/i, "")
  const untilText = /(?:^|;)UNTIL=([^;]+)/i.exec(ruleText)?.[1]
  const rule = parse(ruleText.replace(/;?UNTIL=[^;]+/i, "").replace(/^;/, ""), activity)
  if (untilText === undefined) return rule
  if (rule.count !== null) throw invalidRule("COUNT and UNTIL cannot be combined", activity)
  rule.until = toUntil(untilText, start, activity)
  return rule
}

function parse(text: string, activity: string): Recur {
  const unknownPart = text.split(";").find((part) => !knownParts.test(part))
  if (unknownPart !== undefined) throw invalidRule(`“${unknownPart}” is not part of a rule`, activity)
  try {
    const rule = ICAL.Recur.fromString(text)
    if (rule.freq !== null && rule.freq !== undefined) return rule
  } catch (error) {
    throw invalidRule((error as Error).message, activity)
  }
  throw invalidRule("it does not say how often (FREQ)", activity)
}

const knownParts = new RegExp(
  [
    "^FREQ=[A-Z]+$",
    "^(INTERVAL|COUNT)=[1-9]\\d*$",
    "^WKST=(MO|TU|WE|TH|FR|SA|SU)$",
    "^BYDAY=[A-Z0-9,+-]+$",
    "^BY(SECOND|MINUTE|HOUR|MONTHDAY|YEARDAY|WEEKNO|MONTH|SETPOS)=[\\d,+-]+$",
  ].join("|"),
  "i",
)

const invalidRule = (because: string, activity: string): Error =>
  nextcloudError("invalid", {
    activity,
    because,
    advice:
      "Write `recurrence` as FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20271231, or daily, weekly, weekdays, monthly, yearly.",
  })

function toUntil(text: string, start: CalendarTime, activity: string): Time {
  const iso = text.replace(/^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/i, (_, y, m, d, h, min, s, z) =>
    h === undefined ? `${y}-${m}-${d}` : `${y}-${m}-${d}T${h}:${min}:${s}${z}`,
  )
  const { wall, isDate, instant } = parseTime(iso, activity)
  if (start.isDate) return toTime(wall, { isDate: true })
  // A date as UNTIL includes that whole day.
  const lastWall = isDate ? wall + dayMs - 1_000 : wall
  if (start.zone === undefined) return toTime(lastWall, {})
  return toTime(instant ?? toInstant(lastWall, start.zone), { isUtc: true })
}

export function toTime(wall: number, { isDate = false, isUtc = false }): Time {
  const date = new Date(wall)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
  const clock = { hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() }
  const data = isDate ? { year, month, day, isDate } : { year, month, day, ...clock, isDate }
  return new ICAL.Time(data, isUtc ? ICAL.Timezone.utcTimezone : ICAL.Timezone.localTimezone)
}

export function ruleOf(component: Component): Recur | undefined {
  const value = component.getFirstPropertyValue("rrule")
  return value instanceof ICAL.Recur ? value : undefined
}

export function setRule(component: Component, rule: Recur | undefined): void {
  component.removeAllProperties("rrule")
  if (rule !== undefined) component.addPropertyWithValue("rrule", rule)
}

/** The rule with UNTIL as a wall-clock time of the start's zone, so that it can be compared with the rule's times. */
export function wallRule(rule: Recur, start: CalendarTime): Recur {
  const copy = rule.clone()
  if (rule.until === null) return copy
  const { isDate } = rule.until
  const isUtc = rule.until.zone === ICAL.Timezone.utcTimezone
  const wall = wallOfTime(rule.until)
  const localWall = isUtc && start.zone !== undefined ? toWall(wall, start.zone) : wall
  copy.until = start.isDate
    ? toTime(localWall, { isDate: true })
    : toTime(isDate ? localWall + dayMs - 1_000 : localWall, {})
  return copy
}

/** A copy of the rule that ends before this occurrence. */
export function endedBefore(rule: Recur, occurrence: CalendarTime, home: Zone): Recur {
  const copy = rule.clone()
  copy.count = null
  copy.until = occurrence.isDate
    ? toTime(occurrence.wall - dayMs, { isDate: true })
    : occurrence.zone === undefined
      ? toTime(occurrence.wall - 1_000, {})
      : toTime(instantOf(occurrence, home) - 1_000, { isUtc: true })
  return copy
}

/** A copy of the rule for the rest of the series: COUNT is reduced by `count`, the number of earlier occurrences. */
export function withoutFirst(rule: Recur, count: number): Recur {
  const copy = rule.clone()
  if (copy.count !== null) copy.count = Math.max(1, copy.count - count)
  return copy
}

const weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

/**
 * The rule of a series that moves to another day. A single weekday, day of the month or month in the rule moves along.
 * Throws for other rules, because the caller has to give a new rule.
 */
export function movedRule(rule: Recur, from: CalendarTime, to: CalendarTime, activity: string): Recur {
  if (from.wall === to.wall && from.isDate === to.isDate && from.zone?.tzid === to.zone?.tzid) return rule
  const copy = rule.clone()
  if (rule.until !== null) copy.until = movedUntil(rule.until, from, to)
  if (dayOf(from.wall) === dayOf(to.wall)) return copy
  const dayParts = Object.keys(rule.parts).filter((part) => /^BY(DAY|MONTHDAY|YEARDAY|WEEKNO|MONTH|SETPOS)$/.test(part))
  for (const part of dayParts) {
    const movedValue = movedPart(part, rule.getComponent(part).map(String), from.wall, to.wall)
    if (movedValue === undefined)
      throw nextcloudError("invalid", {
        activity,
        because: `the series repeats by ${rule.toString()}, which does not fit the new day`,
        advice: "Give `recurrence` too.",
      })
    copy.setComponent(part, movedValue)
  }
  return copy
}

const dayOf = (wall: number): number => Math.floor(wall / dayMs)

/** Moves UNTIL by as much as the series, so that the last occurrence is not lost. */
function movedUntil(until: Time, from: CalendarTime, to: CalendarTime): Time {
  const wall = wallOfTime(until)
  const isUtc = until.zone === ICAL.Timezone.utcTimezone
  const localWall = isUtc && from.zone !== undefined ? toWall(wall, from.zone) : wall
  if (to.isDate) return toTime((dayOf(localWall) + dayOf(to.wall) - dayOf(from.wall)) * dayMs, { isDate: true })
  const movedWall = until.isDate
    ? (dayOf(localWall) + dayOf(to.wall) - dayOf(from.wall) + 1) * dayMs - 1_000
    : localWall + to.wall - from.wall
  return to.zone === undefined ? toTime(movedWall, {}) : toTime(toInstant(movedWall, to.zone), { isUtc: true })
}

function movedPart(part: string, values: readonly string[], from: number, to: number): unknown[] | undefined {
  const oldDate = new Date(from)
  const newDate = new Date(to)
  const [singleValue] = values
  if (values.length !== 1) return undefined
  if (part === "BYDAY" && singleValue === weekdays[oldDate.getUTCDay()]) return [weekdays[newDate.getUTCDay()]]
  if (part === "BYMONTHDAY" && Number(singleValue) === oldDate.getUTCDate()) return [newDate.getUTCDate()]
  if (part === "BYMONTH" && Number(singleValue) === oldDate.getUTCMonth() + 1) return [newDate.getUTCMonth() + 1]
  return undefined
}
