// Changes or ends a series: one occurrence, one and the following, or all.

import ICAL from "ical.js"
import { nextcloudError } from "../api/error.ts"
import type { CalendarTime } from "./calendar-time.ts"
import {
  dayMs,
  instantOf,
  parseTime,
  setTime,
  timeOf,
  timeProperty,
  timesOf,
  toText,
  toTimeLike,
} from "./calendar-time.ts"
import type { ChangeContext, Changes } from "./change.ts"
import {
  changedSpan,
  changeFields,
  changePeople,
  changeSpan,
  changesTime,
  moveSpan,
  newComponent,
  setSpan,
  touch,
} from "./change.ts"
import type { Component, Series } from "./document.ts"
import { copyOf, newDocument, readDocument, seriesIn, textIn } from "./document.ts"
import { isRecurring, spanOf, startsUntil } from "./occurrences.ts"
import { movedRule, ruleOf, setRule, toRule } from "./rule.ts"
import { home, overrideOf, shiftSpan } from "./span.ts"
import { beginAt, endBefore } from "./split.ts"

export const reaches = ["this", "following", "all"] as const
export type Reach = (typeof reaches)[number]

/** Selects occurrences of a series: one, one and the following, or all. */
export interface OccurrenceSelection {
  readonly occurrence?: Reach | undefined
  readonly recurrence_id?: string | undefined
}

/** Whether the event starts at a time and not on a date. A change keeps the zone of that time. */
export function hasZone({ document, master, overrides }: Series): boolean {
  const component = master ?? overrides[0]
  return component !== undefined && timeOf(component, "dtstart", document.zone)?.isDate === false
}

export interface ChangedEvent {
  readonly text: string
  /** After a change of one occurrence and the following: the new series that begins there. */
  readonly newSeries?: { readonly uid: string; readonly text: string }
}

export function newEvent(uid: string, changes: Changes, changeContext: ChangeContext): string {
  const document = newDocument()
  const event = newComponent("vevent", uid, changeContext.now)
  document.root.addSubcomponent(event)
  const span = changedSpan(undefined, changes, home, changeContext.activity)
  setSpan(event, span)
  changeFields(event, changes)
  changePeople(event, changes, changeContext)
  if (isRule(changes.recurrence)) setRule(event, toRule(changes.recurrence, span.start, changeContext.activity))
  assertRepeatable(changes, span.start, changeContext.activity)
  return document.toString()
}

const isRule = (recurrence: string | undefined): recurrence is string =>
  recurrence !== undefined && recurrence !== "" && recurrence !== "none"

/** Refuses a series without a zone: “every day at 9 +01:00” is a different hour in summer. */
function assertRepeatable(
  { recurrence, start, timezone }: Changes,
  { zone, isDate }: CalendarTime,
  activity: string,
): void {
  if (!isRule(recurrence) || isDate || timezone !== undefined || zone?.tzid !== "UTC") return
  if (start === undefined || parseTime(start, activity).isUtc) return
  const because = "a series needs the name of its time zone, since offsets change with summer time"
  throw nextcloudError("invalid", { activity, because, advice: "Give `timezone`, such as Europe/Berlin." })
}

/** Applies the changes to `series.document`, and returns the new text of the file. */
export function changeEvent(
  series: Series,
  selection: OccurrenceSelection,
  changes: Changes,
  changeContext: ChangeContext & { newUid: string },
): ChangedEvent {
  const target = targetOf(series, selection, changeContext.activity)
  if (target.reach === "this") changeOne(series, target.id, changes, changeContext)
  else if (target.reach === "all") changeAll(series, target.id, changes, changeContext)
  else return changeFollowing(series, target.id, changes, changeContext)
  return { text: series.document.toString() }
}

type Target =
  | { readonly reach: "all"; readonly id?: CalendarTime }
  | { readonly reach: "this" | "following"; readonly id: CalendarTime }

export function targetOf(series: Series, { occurrence, recurrence_id }: OccurrenceSelection, activity: string): Target {
  const { master } = series
  if (master !== undefined && !isRecurring(master) && series.overrides.length === 0) {
    if (recurrence_id === undefined) return { reach: "all" }
    throw nextcloudError("invalid", { activity, because: "the event does not repeat", advice: "Omit `recurrence_id`." })
  }
  if (recurrence_id === undefined) {
    if (occurrence === "all") return { reach: "all" }
    const advice = "Give `recurrence_id` for one of them, or `occurrence`: all for the whole series."
    throw nextcloudError("invalid", { activity, because: "it repeats, and no occurrence is selected", advice })
  }
  const id = findId(series, recurrence_id, activity)
  const isFirst = occurrence === "following" && master !== undefined && isStart(series, master, id)
  return { reach: isFirst ? "all" : (occurrence ?? "this"), id }
}

const isStart = ({ document }: Series, master: Component, id: CalendarTime): boolean => {
  const start = timeOf(master, "dtstart", document.zone)
  return start !== undefined && instantOf(start, home) === instantOf(id, home)
}

/** Finds an occurrence by its recurrence id, the start by the rule. */
export function findId({ document, master, overrides }: Series, text: string, activity: string): CalendarTime {
  const { wall, instant } = parseTime(text, activity)
  const matches = (time: CalendarTime): boolean =>
    instant === undefined || time.zone === undefined ? time.wall === wall : instantOf(time, home) === instant
  const changedIds = overrides.map((component) => timeOf(component, "recurrence-id", document.zone))
  const start = master === undefined ? undefined : timeOf(master, "dtstart", document.zone)
  const nearInstant = instant ?? wall
  const range = { from: nearInstant - 2 * dayMs, until: nearInstant + 2 * dayMs, home }
  const idsByRule = master === undefined || start === undefined ? [] : startsUntil(master, start, document.zone, range)
  const match = [...changedIds.filter((time) => time !== undefined), ...idsByRule].find(matches)
  if (match !== undefined) return start === undefined ? match : toTimeLike(instantOf(match, home), start, home)
  const advice = "Use a `recurrence_id` from nc_calendar_list_events."
  throw nextcloudError("not_found", { activity, because: `the series has no occurrence ${text}`, advice })
}

/** The component of one occurrence, created when the series has none for it. */
export function ownComponent(series: Series, id: CalendarTime): Component {
  const { document, master } = series
  const override = overrideOf(series, id)
  if (override !== undefined || master === undefined) return override ?? new ICAL.Component("vevent")
  const newOverride = copyOf(master)
  for (const name of ["rrule", "rdate", "exdate", "exrule"]) newOverride.removeAllProperties(name)
  const span = spanOf(master, document.zone, home)
  if (span !== undefined) {
    const length = instantOf(span.end, home) - instantOf(span.start, home)
    moveSpan(newOverride, { start: id, end: toTimeLike(instantOf(id, home) + length, span.end, home) })
  }
  newOverride.addProperty(timeProperty("recurrence-id", id))
  document.root.addSubcomponent(newOverride)
  return newOverride
}

function changeOne(series: Series, id: CalendarTime, changes: Changes, changeContext: ChangeContext): void {
  if (changes.recurrence !== undefined) {
    const because = "a single occurrence cannot have its own recurrence"
    throw nextcloudError("invalid", {
      activity: changeContext.activity,
      because,
      advice: "Use `occurrence`: following or all.",
    })
  }
  const override = ownComponent(series, id)
  if (changesTime(changes)) {
    const span = spanOf(override, series.document.zone, home)
    changeSpan(override, span, changedSpan(span, changes, home, changeContext.activity), changes)
  }
  changeFields(override, changes)
  changePeople(override, changes, changeContext)
  touch(override, changeContext.now)
}

function changeAll(series: Series, id: CalendarTime | undefined, changes: Changes, changeContext: ChangeContext): void {
  const { master, overrides, document } = series
  const oldTexts = new Map(
    sharedProperties.map((name) => [name, master === undefined ? undefined : textIn(master, name)]),
  )
  if (master !== undefined) {
    if (changesTime(changes) || changes.recurrence !== undefined)
      changeTimes({ ...series, master }, id, changes, changeContext)
    changeFields(master, changes)
  }
  for (const override of overrides) {
    // An occurrence with its own value, such as a title, keeps it.
    changeFields(override, changes, (name) => master === undefined || textIn(override, name) === oldTexts.get(name))
  }
  for (const component of document.root.getAllSubcomponents("vevent")) {
    changePeople(component, changes, changeContext)
    touch(component, changeContext.now)
  }
}

const sharedProperties = [
  "summary",
  "description",
  "location",
  "url",
  "color",
  "status",
  "class",
  "transp",
  "priority",
  "categories",
]

type RecurringSeries = Series & { readonly master: Component }

/**
 * Changes start, end and rule of a series, and moves its exceptions along. With `id`, the given times are those of that
 * occurrence, and the whole series moves by the same amount.
 */
function changeTimes(
  series: RecurringSeries,
  id: CalendarTime | undefined,
  changes: Changes,
  { activity }: ChangeContext,
): void {
  const { master } = series
  const oldSpan = spanOf(master, series.document.zone, home)
  const shownSpan = oldSpan === undefined || id === undefined ? oldSpan : shiftSpan(oldSpan, id)
  const requestedSpan = changedSpan(shownSpan, changes, home, activity)
  const span =
    oldSpan === undefined || shownSpan === undefined
      ? requestedSpan
      : shiftSpan(requestedSpan, {
          ...requestedSpan.start,
          wall: requestedSpan.start.wall - shownSpan.start.wall + oldSpan.start.wall,
        })
  const rule = ruleOf(master)
  changeSpan(master, oldSpan, span, changes)
  if (changes.recurrence !== undefined) replaceRule(series, span.start, changes, activity)
  else if (rule !== undefined && oldSpan !== undefined)
    setRule(master, movedRule(rule, oldSpan.start, span.start, activity))
  if (oldSpan !== undefined && toText(oldSpan.start) !== toText(span.start))
    moveExceptions(series, master, oldSpan.start, span.start)
  else if (oldSpan !== undefined && oldSpan.start.zone?.tzid !== span.start.zone?.tzid)
    moveExceptions(series, master, oldSpan.start, span.start)
  if (changes.recurrence !== undefined) removeStrayOverrides(series, master, span.start)
}

function replaceRule(
  { document, master }: RecurringSeries,
  start: CalendarTime,
  changes: Changes,
  activity: string,
): void {
  if (isRule(changes.recurrence)) {
    setRule(master, toRule(changes.recurrence, start, activity))
    return
  }
  for (const name of ["rrule", "rdate", "exdate", "exrule"]) master.removeAllProperties(name)
  for (const override of seriesIn(document, "vevent")?.overrides ?? []) document.root.removeSubcomponent(override)
}

/** Moves EXDATEs, RDATEs and changed occurrences from the old times to the new ones. */
function moveExceptions(
  { document, overrides }: Series,
  master: Component,
  from: CalendarTime,
  to: CalendarTime,
): void {
  const move = (time: CalendarTime): CalendarTime => ({
    ...to,
    wall: toTimeLike(instantOf(time, home), from, home).wall + to.wall - from.wall,
  })
  for (const name of ["exdate", "rdate"]) {
    const all = master.getAllProperties(name).filter((property) => property.type !== "period")
    for (const property of all) {
      for (const time of timesOf(property, document.zone)) master.addProperty(timeProperty(name, move(time)))
      master.removeProperty(property)
    }
  }
  for (const override of overrides) {
    const id = timeOf(override, "recurrence-id", document.zone)
    if (id === undefined) continue
    const span = spanOf(override, document.zone, home)
    const wasAtOriginalTime = span !== undefined && instantOf(span.start, home) === instantOf(id, home)
    setTime(override, "recurrence-id", move(id))
    if (wasAtOriginalTime) moveSpan(override, shiftSpan(span, move(id)))
  }
}

/** Removes changed occurrences that the new rule no longer has. */
function removeStrayOverrides({ document, overrides }: Series, master: Component, start: CalendarTime): void {
  for (const override of overrides) {
    const id = timeOf(override, "recurrence-id", document.zone)
    const searchEnd = id === undefined ? 0 : instantOf(id, home) + 1
    const starts = startsUntil(master, start, document.zone, { from: searchEnd - 1, until: searchEnd, home })
    if (starts.length === 0) document.root.removeSubcomponent(override)
  }
}

function changeFollowing(
  series: Series,
  id: CalendarTime,
  changes: Changes,
  changeContext: ChangeContext & { newUid: string },
): ChangedEvent {
  const laterDocument = readDocument(series.document.toString())
  beginAt(laterDocument, id, changeContext.newUid)
  const newSeries = seriesIn(laterDocument, "vevent")
  if (newSeries === undefined)
    throw nextcloudError("malformed", { activity: changeContext.activity, detail: "no event in the file" })
  changeAll(newSeries, id, changes, changeContext)
  endBefore(series, id, changeContext.now)
  return { text: series.document.toString(), newSeries: { uid: changeContext.newUid, text: laterDocument.toString() } }
}
