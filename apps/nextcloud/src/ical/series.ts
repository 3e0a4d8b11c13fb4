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
import { home, overrideOf, shifted } from "./span.ts"
import { beginAt, endBefore } from "./split.ts"

export const reaches = ["this", "following", "all"] as const
export type Reach = (typeof reaches)[number]

/** Selects occurrences of a series. */
export interface Which {
  readonly occurrence?: Reach | undefined
  readonly recurrence_id?: string | undefined
}

/** Whether the start is a time, whose zone a change keeps. */
export function hasZone({ document, master, overrides }: Series): boolean {
  const component = master ?? overrides[0]
  return component !== undefined && timeOf(component, "dtstart", document.zone)?.isDate === false
}

export interface Changed {
  readonly text: string
  /** After a change of one occurrence and the following: the new series that begins there. */
  readonly split?: { readonly uid: string; readonly text: string }
}

export function newEvent(uid: string, changes: Changes, making: ChangeContext): string {
  const document = newDocument()
  const event = newComponent("vevent", uid, making.now)
  document.root.addSubcomponent(event)
  const span = changedSpan(undefined, changes, home, making.doing)
  setSpan(event, span)
  changeFields(event, changes)
  changePeople(event, changes, making)
  if (repeats(changes.recurrence)) setRule(event, toRule(changes.recurrence, span.start, making.doing))
  assertRepeatable(changes, span.start, making.doing)
  return document.toString()
}

const repeats = (recurrence: string | undefined): recurrence is string =>
  recurrence !== undefined && recurrence !== "" && recurrence !== "none"

/** Refuses a series without a zone: “every day at 9 +01:00” is a different hour in summer. */
function assertRepeatable(
  { recurrence, start, timezone }: Changes,
  { zone, isDate }: CalendarTime,
  doing: string,
): void {
  if (!repeats(recurrence) || isDate || timezone !== undefined || zone?.tzid !== "UTC") return
  if (start === undefined || parseTime(start, doing).isUtc) return
  const because = "a series needs the name of its time zone, since offsets change with summer time"
  throw nextcloudError("invalid", { doing, because, advice: "Give `timezone`, such as Europe/Berlin." })
}

/** Applies the changes to `series.document`. */
export function changeEvent(
  series: Series,
  which: Which,
  changes: Changes,
  making: ChangeContext & { newUid: string },
): Changed {
  const target = targetOf(series, which, making.doing)
  if (target.reach === "this") changeOne(series, target.id, changes, making)
  else if (target.reach === "all") changeAll(series, target.id, changes, making)
  else return changeFollowing(series, target.id, changes, making)
  return { text: series.document.toString() }
}

type Target =
  | { readonly reach: "all"; readonly id?: CalendarTime }
  | { readonly reach: "this" | "following"; readonly id: CalendarTime }

export function targetOf(series: Series, { occurrence, recurrence_id }: Which, doing: string): Target {
  const { master } = series
  if (master !== undefined && !isRecurring(master) && series.overrides.length === 0) {
    if (recurrence_id === undefined) return { reach: "all" }
    throw nextcloudError("invalid", { doing, because: "the event does not repeat", advice: "Omit `recurrence_id`." })
  }
  if (recurrence_id === undefined) {
    if (occurrence === "all") return { reach: "all" }
    const advice = "Give `recurrence_id` for one of them, or `occurrence`: all for the whole series."
    throw nextcloudError("invalid", { doing, because: "it repeats, and no occurrence is selected", advice })
  }
  const id = findId(series, recurrence_id, doing)
  const isFirst = occurrence === "following" && master !== undefined && isStart(series, master, id)
  return { reach: isFirst ? "all" : (occurrence ?? "this"), id }
}

const isStart = ({ document }: Series, master: Component, id: CalendarTime): boolean => {
  const start = timeOf(master, "dtstart", document.zone)
  return start !== undefined && instantOf(start, home) === instantOf(id, home)
}

/** Finds an occurrence by its recurrence id, the start by the rule. */
export function findId({ document, master, overrides }: Series, text: string, doing: string): CalendarTime {
  const { wall, instant } = parseTime(text, doing)
  const matches = (when: CalendarTime): boolean =>
    instant === undefined || when.zone === undefined ? when.wall === wall : instantOf(when, home) === instant
  const changedIds = overrides.map((component) => timeOf(component, "recurrence-id", document.zone))
  const start = master === undefined ? undefined : timeOf(master, "dtstart", document.zone)
  const near = instant ?? wall
  const around = { from: near - 2 * dayMs, until: near + 2 * dayMs, home }
  const idsByRule = master === undefined || start === undefined ? [] : startsUntil(master, start, document.zone, around)
  const match = [...changedIds.filter((when) => when !== undefined), ...idsByRule].find(matches)
  if (match !== undefined) return start === undefined ? match : toTimeLike(instantOf(match, home), start, home)
  const advice = "Use a `recurrence_id` from nc_calendar_list_events."
  throw nextcloudError("not_found", { doing, because: `the series has no occurrence ${text}`, advice })
}

/** The component of one occurrence, created when the series has none for it. */
export function ownComponent(series: Series, id: CalendarTime): Component {
  const { document, master } = series
  const override = overrideOf(series, id)
  if (override !== undefined || master === undefined) return override ?? new ICAL.Component("vevent")
  const own = copyOf(master)
  for (const name of ["rrule", "rdate", "exdate", "exrule"]) own.removeAllProperties(name)
  const span = spanOf(master, document.zone, home)
  if (span !== undefined) {
    const length = instantOf(span.end, home) - instantOf(span.start, home)
    moveSpan(own, { start: id, end: toTimeLike(instantOf(id, home) + length, span.end, home) })
  }
  own.addProperty(timeProperty("recurrence-id", id))
  document.root.addSubcomponent(own)
  return own
}

function changeOne(series: Series, id: CalendarTime, changes: Changes, making: ChangeContext): void {
  if (changes.recurrence !== undefined) {
    const because = "a single occurrence cannot have its own recurrence"
    throw nextcloudError("invalid", { doing: making.doing, because, advice: "Use `occurrence`: following or all." })
  }
  const own = ownComponent(series, id)
  if (changesTime(changes)) {
    const span = spanOf(own, series.document.zone, home)
    changeSpan(own, span, changedSpan(span, changes, home, making.doing), changes)
  }
  changeFields(own, changes)
  changePeople(own, changes, making)
  touch(own, making.now)
}

function changeAll(series: Series, id: CalendarTime | undefined, changes: Changes, making: ChangeContext): void {
  const { master, overrides, document } = series
  const before = new Map(shared.map((name) => [name, master === undefined ? undefined : textIn(master, name)]))
  if (master !== undefined) {
    if (changesTime(changes) || changes.recurrence !== undefined)
      changeTimes({ ...series, master }, id, changes, making)
    changeFields(master, changes)
  }
  for (const own of overrides) {
    // An occurrence with its own value, such as a title, keeps it.
    changeFields(own, changes, (name) => master === undefined || textIn(own, name) === before.get(name))
  }
  for (const component of document.root.getAllSubcomponents("vevent")) {
    changePeople(component, changes, making)
    touch(component, making.now)
  }
}

const shared = [
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

type Mastered = Series & { readonly master: Component }

/**
 * Changes start, end and rule of a series; exceptions move along. With an occurrence, the change is relative to that
 * one.
 */
function changeTimes(series: Mastered, id: CalendarTime | undefined, changes: Changes, { doing }: ChangeContext): void {
  const { master } = series
  const old = spanOf(master, series.document.zone, home)
  const shownSpan = old === undefined || id === undefined ? old : shifted(old, id)
  const wantedSpan = changedSpan(shownSpan, changes, home, doing)
  const span =
    old === undefined || shownSpan === undefined
      ? wantedSpan
      : shifted(wantedSpan, {
          ...wantedSpan.start,
          wall: wantedSpan.start.wall - shownSpan.start.wall + old.start.wall,
        })
  const rule = ruleOf(master)
  changeSpan(master, old, span, changes)
  if (changes.recurrence !== undefined) newRule(series, span.start, changes, doing)
  else if (rule !== undefined && old !== undefined) setRule(master, movedRule(rule, old.start, span.start, doing))
  if (old !== undefined && toText(old.start) !== toText(span.start))
    moveExceptions(series, master, old.start, span.start)
  else if (old !== undefined && old.start.zone?.tzid !== span.start.zone?.tzid)
    moveExceptions(series, master, old.start, span.start)
  if (changes.recurrence !== undefined) dropStrays(series, master, span.start)
}

function newRule({ document, master }: Mastered, start: CalendarTime, changes: Changes, doing: string): void {
  if (repeats(changes.recurrence)) {
    setRule(master, toRule(changes.recurrence, start, doing))
    return
  }
  for (const name of ["rrule", "rdate", "exdate", "exrule"]) master.removeAllProperties(name)
  for (const own of seriesIn(document, "vevent")?.overrides ?? []) document.root.removeSubcomponent(own)
}

/** Moves EXDATEs, RDATEs and changed occurrences from the old times to the new ones. */
function moveExceptions(
  { document, overrides }: Series,
  master: Component,
  from: CalendarTime,
  to: CalendarTime,
): void {
  const move = (when: CalendarTime): CalendarTime => ({
    ...to,
    wall: toTimeLike(instantOf(when, home), from, home).wall + to.wall - from.wall,
  })
  for (const name of ["exdate", "rdate"]) {
    const all = master.getAllProperties(name).filter((property) => property.type !== "period")
    for (const property of all) {
      for (const when of timesOf(property, document.zone)) master.addProperty(timeProperty(name, move(when)))
      master.removeProperty(property)
    }
  }
  for (const own of overrides) {
    const id = timeOf(own, "recurrence-id", document.zone)
    if (id === undefined) continue
    const span = spanOf(own, document.zone, home)
    const wasAtOriginalTime = span !== undefined && instantOf(span.start, home) === instantOf(id, home)
    setTime(own, "recurrence-id", move(id))
    if (wasAtOriginalTime) moveSpan(own, shifted(span, move(id)))
  }
}

/** Removes changed occurrences that the new rule no longer has. */
function dropStrays({ document, overrides }: Series, master: Component, start: CalendarTime): void {
  for (const own of overrides) {
    const id = timeOf(own, "recurrence-id", document.zone)
    const until = id === undefined ? 0 : instantOf(id, home) + 1
    const starts = startsUntil(master, start, document.zone, { from: until - 1, until, home })
    if (starts.length === 0) document.root.removeSubcomponent(own)
  }
}

function changeFollowing(
  series: Series,
  id: CalendarTime,
  changes: Changes,
  making: ChangeContext & { newUid: string },
): Changed {
  const later = readDocument(series.document.toString())
  beginAt(later, id, making.newUid)
  const newSeries = seriesIn(later, "vevent")
  if (newSeries === undefined)
    throw nextcloudError("malformed", { doing: making.doing, detail: "no event in the file" })
  changeAll(newSeries, id, changes, making)
  endBefore(series, id, making.now)
  return { text: series.document.toString(), split: { uid: making.newUid, text: later.toString() } }
}
