// Expands recurrence rules into occurrences, applies exceptions, and computes busy times.

import ICAL from "ical.js"
import { type Component, parseCalendar, type Time, textOf, timeOf, toMillis } from "./text.ts"

/** A range of time in milliseconds. Either end may be open. */
export interface Range {
  readonly start: number
  readonly end: number
}

export interface Occurrence extends Range {
  readonly component: Component
  readonly startTime: Time
  readonly endTime: Time
  /** Identifies the occurrence within its series. Undefined without a series. */
  readonly recurrenceId: Time | undefined
}

/** The limit for endless rules in an open range. */
const mostOccurrences = 5000

/** The occurrences of one object: a series with its exceptions, or a single event. */
export function occurrencesIn(events: readonly Component[], range: Range): readonly Occurrence[] {
  const exceptions = events.filter((event) => event.hasProperty("recurrence-id"))
  const replacedTimes = new Set(exceptions.map((event) => millisOf(event, "recurrence-id")))
  const regularOccurrences = events
    .filter((event) => !event.hasProperty("recurrence-id"))
    .flatMap((event) => regularOnes(event, range))
    .filter(({ recurrenceId }) => recurrenceId === undefined || !replacedTimes.has(toMillis(recurrenceId)))
  const movedOccurrences = exceptions.map((event) => toOccurrence(event, timeOf(event, "recurrence-id")))
  return [
    ...regularOccurrences,
    ...movedOccurrences.flatMap((occurrence) => (occurrence === undefined ? [] : [occurrence])),
  ]
    .filter((one) => overlaps(one, range))
    .sort((one, other) => one.start - other.start)
}

function millisOf(component: Component, property: string): number | undefined {
  const time = timeOf(component, property)
  return time === undefined ? undefined : toMillis(time)
}

function toOccurrence(component: Component, recurrenceId: Time | undefined): Occurrence | undefined {
  const startTime = timeOf(component, "dtstart")
  if (startTime === undefined) return undefined
  const endTime = new ICAL.Event(component).endDate
  return { component, startTime, endTime, recurrenceId, start: toMillis(startTime), end: toMillis(endTime) }
}

function regularOnes(component: Component, range: Range): readonly Occurrence[] {
  if (!component.hasProperty("rrule") && !component.hasProperty("rdate")) {
    const occurrence = toOccurrence(component, undefined)
    return occurrence === undefined ? [] : [occurrence]
  }
  const event = new ICAL.Event(component)
  const occurrences: Occurrence[] = []
  for (const eventStart of startsOf(event)) {
    if (toMillis(eventStart) >= range.end) break
    const { startDate, endDate, recurrenceId } = event.getOccurrenceDetails(eventStart)
    const times = { startTime: startDate, endTime: endDate, start: toMillis(startDate), end: toMillis(endDate) }
    occurrences.push({ component, ...times, recurrenceId })
  }
  return occurrences
}

/** The start of each occurrence; only the first start for a rule that ical.js cannot expand. */
function* startsOf(event: InstanceType<typeof ICAL.Event>): Generator<Time> {
  let count = 0
  try {
    const iterator = event.iterator()
    for (; count < mostOccurrences; count += 1) {
      const nextTime = iterator.next() as Time | null | undefined
      if (nextTime === null || nextTime === undefined) return
      yield nextTime
    }
  } catch {
    if (count === 0) yield event.startDate
  }
}

/** ical.js searches endlessly for the next occurrence of a rule that never matches; this limits the steps. */
const mostSteps = 6_000
const stepCounts = new WeakMap<object, number>()

type Step = (this: object, more?: number) => unknown
const names = ["check_contracting_rules", "increment_month", "increment_year"] as const
const steps = ICAL.RecurIterator.prototype as unknown as Record<(typeof names)[number], Step>
for (const name of names) {
  const originalStep = steps[name]
  steps[name] = function (argument) {
    const count = (stepCounts.get(this) ?? 0) + 1
    if (count > mostSteps) throw new Error("There is no other occurrence.")
    stepCounts.set(this, count)
    return originalStep.call(this, argument)
  }
}

/** Whether an event overlaps the range. Without a duration, it counts when it begins in the range (RFC 4791 §9.9). */
function overlaps(occurrence: Range, range: Range): boolean {
  if (occurrence.start === occurrence.end) return range.start <= occurrence.start && range.end > occurrence.start
  return range.start < occurrence.end && range.end > occurrence.start
}

export interface Busy extends Range {
  readonly tentative: boolean
}

/** The busy times of these events, except cancelled and transparent ones and the event with the UID `ignoredUid`. */
export function busyIn(texts: readonly string[], range: Range, ignoredUid?: string): readonly Busy[] {
  const events = texts
    .map((text) => parseCalendar(text).getAllSubcomponents("vevent"))
    .filter(([event]) => event !== undefined && textOf(event, "uid") !== ignoredUid)
  return events
    .flatMap((group) => occurrencesIn(group, range))
    .filter(({ component, start, end }) => start < end && isBusy(component))
    .map(({ component, start, end }) => ({ start, end, tentative: textOf(component, "status") === "TENTATIVE" }))
    .sort((one, other) => one.start - other.start)
}

function isBusy(event: Component): boolean {
  return textOf(event, "transp") !== "TRANSPARENT" && textOf(event, "status") !== "CANCELLED"
}

/** A UTC time in iCalendar's format, such as `20261115T090000Z`. */
export function toStamp(millis: number): string {
  return new Date(millis).toISOString().replace(/[-:]|\.\d{3}/g, "")
}

/** Milliseconds of an iCalendar UTC time; undefined when the text is not a time. */
export function fromStamp(stamp: string | undefined): number | undefined {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(stamp ?? "") ?? []
  if (year === undefined) return undefined
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
}
