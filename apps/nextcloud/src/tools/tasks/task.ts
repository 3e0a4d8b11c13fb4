// Tasks in tool inputs and outputs: schemas, and the conversion from a file.

import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Component, Document } from "../../ical/document.ts"
import { toTextPart } from "../../page.ts"
import { toServerEncoding } from "../../path-encoding.ts"
import { integer, list, object, oneOf, optional, text } from "../../schema.ts"
import type { StoredObject } from "../calendar/api.ts"
import { calendarOf } from "../calendar/api.ts"
import { foreignZone } from "../calendar/event.ts"

export type Tasks = typeof import("../../ical/alarms.ts") &
  typeof import("../../ical/document.ts") &
  typeof import("../../ical/task.ts") &
  typeof import("../../ical/calendar-time.ts") &
  typeof import("../../ical/zone.ts")

export async function loadTasks(): Promise<Tasks> {
  const [alarms, documents, task, calendarTime, zone] = await Promise.all([
    import("../../ical/alarms.ts"),
    import("../../ical/document.ts"),
    import("../../ical/task.ts"),
    import("../../ical/calendar-time.ts"),
    import("../../ical/zone.ts"),
  ])
  return { ...alarms, ...documents, ...task, ...calendarTime, ...zone }
}

const shortTaskFields = {
  id: text(),
  list: text(),
  uid: text(),
  title: text(),
  status: text(),
  due: optional(text()),
  start: optional(text()),
  timezone: foreignZone,
  completed: optional(text()),
  percent: optional(integer()),
  priority: optional(integer()),
  categories: optional(list(text())),
  parent: optional(text()),
  recurrence: optional(text()),
  url: text(),
}

export const shortTask = object({ ...shortTaskFields, open_subtasks: optional(integer()) })

export const wholeTask = object({
  ...shortTaskFields,
  etag: text(),
  description: optional(text()),
  next_offset: optional(integer()),
  alarms: optional(list(object({ minutes_before: optional(integer()), at: optional(text()), kind: text() }))),
})

export const taskId = text("As listed: tasks/abc.ics")
export const etag = optional(text("As read; fails if changed since"))

/** The fields for creating and changing a task. */
export const taskFields = {
  description: optional(text()),
  due: optional(text("2026-11-30, or 2026-11-30T18:00")),
  start: optional(text()),
  timezone: optional(text("IANA name; default: the user's")),
  status: optional(oneOf(["open", "in_progress", "done", "cancelled"])),
  percent: optional(integer(undefined, { least: 0, most: 100 })),
  priority: optional(integer("1 high to 9 low, 0 none", { least: 0, most: 9 })),
  categories: optional(list(text())),
  parent: optional(text("uid of the task it belongs to")),
  recurrence: optional(text("RRULE, daily, weekly, monthly, yearly, none")),
  alarms: optional(list(object({ minutes_before: integer() }))),
}

export interface ParsedTask {
  readonly document: Document
  readonly task: Component
}

export function readTask(tasks: Tasks, { text, id }: StoredObject, activity: string): ParsedTask {
  let document: Document
  try {
    document = tasks.readDocument(text)
  } catch (error) {
    throw nextcloudError("malformed", { activity, detail: `${id}: ${(error as Error).message}` })
  }
  const series = tasks.seriesIn(document, "vtodo")
  const task = series?.master ?? series?.overrides[0]
  if (task !== undefined) return { document, task }
  throw nextcloudError("not_found", {
    activity,
    because: `${id} is not a task`,
    advice: "It may be an event: use the tools of Calendar.",
  })
}

/** The link that opens the task in the Tasks app. */
export function taskLink(nextcloud: Nextcloud, id: string): string {
  const [list = "", file = ""] = id.split("/").map(toServerEncoding).map(encodeURIComponent)
  return nextcloud.link(`/apps/tasks/calendars/${list}/tasks/${file}`)
}

export function toShort(nextcloud: Nextcloud, tasks: Tasks, { id }: StoredObject, { document, task }: ParsedTask) {
  return { id, list: calendarOf(id), ...tasks.toTask(task, document), url: taskLink(nextcloud, id) }
}

interface OutputOptions {
  readonly activity: string
  readonly offset?: number | undefined
}

export function toFullTask(
  nextcloud: Nextcloud,
  tasks: Tasks,
  storedObject: StoredObject,
  { activity, offset }: OutputOptions,
) {
  const parsedTask = readTask(tasks, storedObject, activity)
  const description = tasks.textIn(parsedTask.task, "description")
  const part = description === undefined ? undefined : toTextPart(description, offset)
  const alarms = tasks.alarmsOf(parsedTask.task)
  return {
    ...toShort(nextcloud, tasks, storedObject, parsedTask),
    etag: storedObject.etag,
    ...(part === undefined ? {} : { description: part.content }),
    ...(part?.next_offset === undefined ? {} : { next_offset: part.next_offset }),
    ...(alarms.length === 0 ? {} : { alarms }),
  }
}
