// A task: read into plain data, changed, and completed. Completing a recurring task moves it to its next occurrence.

import { nextcloudError } from "../api/error.ts"
import type { NewAlarm } from "./alarms.ts"
import { setAlarms } from "./alarms.ts"
import type { CalendarTime } from "./calendar-time.ts"
import { instantOf, setTime, timeOf, timeProperty, toCalendarTime, toText, zoneArgument } from "./calendar-time.ts"
import type { ChangeContext } from "./change.ts"
import { changeFields, newComponent, touch } from "./change.ts"
import type { Component, Document } from "./document.ts"
import { copyOf, newDocument, textIn } from "./document.ts"
import { categoriesOf, withoutUndefined, zoneText } from "./event.ts"
import { startsUntil } from "./occurrences.ts"
import { ruleOf, setRule, toRule, withoutFirst } from "./rule.ts"
import { home } from "./span.ts"
import type { Zone } from "./zone.ts"
import { utc } from "./zone.ts"

export const taskStatuses = ["open", "in_progress", "done", "cancelled"] as const
export type TaskStatus = (typeof taskStatuses)[number]

const propertyValues: Readonly<Record<TaskStatus, string>> = {
  open: "NEEDS-ACTION",
  in_progress: "IN-PROCESS",
  done: "COMPLETED",
  cancelled: "CANCELLED",
}

export interface TaskChanges {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly due?: string | undefined
  readonly start?: string | undefined
  readonly timezone?: string | undefined
  /** The zone for a time without one, when the task has no zone to keep. */
  readonly usualZone?: string | undefined
  readonly status?: TaskStatus | undefined
  readonly percent?: number | undefined
  readonly priority?: number | undefined
  readonly categories?: readonly string[] | undefined
  readonly parent?: string | undefined
  readonly recurrence?: string | undefined
  readonly alarms?: readonly NewAlarm[] | undefined
}

export function toTask(component: Component, { zone }: Document) {
  const dueTime = timeOf(component, "due", zone)
  const start = timeOf(component, "dtstart", zone)
  const completed = timeOf(component, "completed", zone)
  const categories = categoriesOf(component)
  const number = (name: string): number | undefined => Number(textIn(component, name) ?? 0) || undefined
  const rule = ruleOf(component)
  return {
    uid: textIn(component, "uid") ?? "",
    title: textIn(component, "summary") ?? "(no title)",
    status: statusOf(component),
    ...withoutUndefined({
      due: dueTime === undefined ? undefined : toText(dueTime),
      start: start === undefined ? undefined : toText(start),
      timezone: timezoneOf(dueTime ?? start),
      completed: completed === undefined ? undefined : toText(completed),
      percent: number("percent-complete"),
      priority: number("priority"),
      categories: categories.length === 0 ? undefined : categories,
      parent: parentOf(component),
      recurrence: rule === undefined ? undefined : rule.toString(),
    }),
  }
}

const timezoneOf = (time: CalendarTime | undefined): string | undefined =>
  time === undefined ? undefined : zoneText(time)

/** The status of a task. A task with a completion time counts as done, as in the Tasks app. */
export function statusOf(component: Component): TaskStatus {
  const statusText = textIn(component, "status")?.toUpperCase()
  const status = taskStatuses.find((candidate) => propertyValues[candidate] === statusText) ?? "open"
  return status !== "cancelled" && component.hasProperty("completed") ? "done" : status
}

/** The instant when the task is due: for a date, the end of that day. */
export function dueInstant(component: Component, { zone }: Document, homeZone: Zone): number | undefined {
  const dueTime = timeOf(component, "due", zone)
  if (dueTime === undefined) return undefined
  return instantOf(dueTime, homeZone) + (dueTime.isDate ? 86_399_000 : 0)
}

function parentProperty(component: Component) {
  return component.getAllProperties("related-to").find((property) => {
    const kind: unknown = property.getFirstParameter("reltype")
    return typeof kind !== "string" || kind.toUpperCase() === "PARENT"
  })
}

export const parentOf = (component: Component): string | undefined => {
  const value = parentProperty(component)?.getFirstValue()
  return value === undefined || value === null || String(value) === "" ? undefined : String(value)
}

export function newTask(uid: string, changes: TaskChanges, changeContext: ChangeContext): string {
  const document = newDocument()
  const task = newComponent("vtodo", uid, changeContext.now)
  document.root.addSubcomponent(task)
  const status = changes.status ?? (changes.percent === undefined ? "open" : undefined)
  applyTask(document, task, { ...changes, status }, changeContext)
  return document.toString()
}

export function changeTask(
  document: Document,
  task: Component,
  changes: TaskChanges,
  changeContext: ChangeContext,
): void {
  applyTask(document, task, changes, changeContext)
  touch(task, changeContext.now)
}

function applyTask(document: Document, task: Component, changes: TaskChanges, changeContext: ChangeContext): void {
  const { title, description, priority, categories, percent, parent, recurrence, alarms } = changes
  if (changes.timezone !== undefined && !changes.start && !changes.due) {
    const because = "`timezone` applies only to a `start` or `due` that is given with it"
    throw nextcloudError("invalid", { activity: changeContext.activity, because })
  }
  changeFields(task, { title, description, priority, categories })
  const { start, due, timezone, usualZone } = changes
  if (start !== undefined)
    changeTime(document, task, { name: "dtstart", text: start, timezone, usualZone }, changeContext.activity)
  if (due !== undefined)
    changeTime(document, task, { name: "due", text: due, timezone, usualZone }, changeContext.activity)
  if (percent === 0) task.removeAllProperties("percent-complete")
  else if (percent !== undefined) task.updatePropertyWithValue("percent-complete", percent)
  if (parent !== undefined) setParent(task, parent)
  if (recurrence !== undefined) changeRule(document, task, recurrence, changeContext.activity)
  const status = changes.status ?? statusAt(task, percent)
  if (status !== undefined) setStatus(task, status, changeContext.now)
  if (alarms !== undefined && alarms.length > 0 && !task.hasProperty("due") && !task.hasProperty("dtstart"))
    throw nextcloudError("invalid", { activity: changeContext.activity, because: "a reminder needs `due` or `start`" })
  if (alarms !== undefined) setAlarms(task, alarms, textIn(task, "summary") ?? "Reminder")
}

/** The status that belongs to a percentage, as in the Tasks app: 100 is done, more than 0 is in progress. */
function statusAt(task: Component, percent: number | undefined): TaskStatus | undefined {
  if (percent === undefined || statusOf(task) === "cancelled") return undefined
  if (percent === 100) return "done"
  return percent === 0 ? "open" : "in_progress"
}

interface TimeChange extends Pick<TaskChanges, "timezone" | "usualZone"> {
  readonly name: "dtstart" | "due"
  readonly text: string
}

function changeTime(document: Document, task: Component, change: TimeChange, activity: string): void {
  const { name, text, timezone, usualZone } = change
  const oldTime = timeOf(task, name, document.zone)
  if (name === "due") task.removeAllProperties("duration")
  if (text === "") {
    task.removeAllProperties(name)
    return
  }
  const currentZone = oldTime === undefined || oldTime.isDate ? undefined : (oldTime.zone ?? "floating")
  const zone = zoneArgument(timezone, activity) ?? currentZone ?? zoneArgument(usualZone, activity)
  setTime(task, name, toCalendarTime(text, zone, activity))
}

function changeRule(document: Document, task: Component, text: string, activity: string): void {
  if (text === "" || text === "none") {
    for (const name of ["rrule", "rdate", "exdate"]) task.removeAllProperties(name)
    return
  }
  const start = timeOf(task, "dtstart", document.zone) ?? timeOf(task, "due", document.zone)
  if (start === undefined)
    throw nextcloudError("invalid", { activity, because: "a task that repeats needs `start` or `due`" })
  setRule(task, toRule(text, start, activity))
}

function setParent(task: Component, uid: string): void {
  const oldProperty = parentProperty(task)
  if (oldProperty !== undefined) task.removeProperty(oldProperty)
  if (uid !== "") task.addPropertyWithValue("related-to", uid)
}

function setStatus(task: Component, status: TaskStatus, now: number): void {
  task.updatePropertyWithValue("status", propertyValues[status])
  task.removeAllProperties("completed")
  if (status === "done") {
    const stamp = { wall: Math.floor(now / 1_000) * 1_000, isDate: false, zone: utc }
    task.addProperty(timeProperty("completed", stamp))
    task.updatePropertyWithValue("percent-complete", 100)
  } else if (textIn(task, "percent-complete") === "100") task.removeAllProperties("percent-complete")
}

/**
 * Completes a task. A recurring task is moved to its next occurrence instead, and is done only after the last one.
 * Returns true when it was moved.
 */
export function completeTask(document: Document, task: Component, now: number, completedAt = now): boolean {
  const nextOccurrence = nextOf(document, task)
  if (nextOccurrence === undefined) setStatus(task, "done", completedAt)
  else {
    moveToNext(document, task, nextOccurrence)
    setStatus(task, "open", now)
  }
  touch(task, now)
  return nextOccurrence !== undefined
}

interface Move {
  readonly from: CalendarTime
  readonly to: CalendarTime
}

function nextOf({ zone }: Document, task: Component): Move | undefined {
  const rule = ruleOf(task)
  const from = timeOf(task, "dtstart", zone) ?? timeOf(task, "due", zone)
  if (rule === undefined || from === undefined) return undefined
  const searchStart = instantOf(from, home) + 1
  const to = startsUntil(task, from, zone, { from: searchStart, until: Number.POSITIVE_INFINITY, maxCount: 1, home })[0]
  return to === undefined ? undefined : { from, to }
}

function moveToNext({ zone }: Document, task: Component, { from, to }: Move): void {
  const rule = ruleOf(task)
  if (rule !== undefined) setRule(task, withoutFirst(rule, stepsBetween(task, zone, { from, to })))
  for (const name of ["dtstart", "due"]) {
    const oldTime = timeOf(task, name, zone)
    if (oldTime !== undefined) setTime(task, name, { ...oldTime, wall: oldTime.wall + to.wall - from.wall })
  }
}

/** The number of occurrences from `from` to before `to`, including those that EXDATE excludes. */
function stepsBetween(task: Component, zone: (tzid: string) => Zone, { from, to }: Move): number {
  const all = copyOf(task)
  all.removeAllProperties("exdate")
  return startsUntil(all, from, zone, { until: instantOf(to, home), home }).length
}
