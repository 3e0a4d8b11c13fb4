// An event as tools return it: plain data with named fields, and times as text in their own zone.

import { alarmsOf } from "./alarms.ts"
import { attendeesOf, organizerOf } from "./attendees.ts"
import type { CalendarTime } from "./calendar-time.ts"
import { dayMs, toText } from "./calendar-time.ts"
import type { Component } from "./document.ts"
import { textIn } from "./document.ts"
import type { Occurrence } from "./occurrences.ts"
import { idText, isRecurring } from "./occurrences.ts"

export const statuses = ["confirmed", "tentative", "cancelled"] as const
export interface ShortEvent {
  readonly uid: string
  readonly title: string
  readonly start: string
  /** For all-day events, the last day. */
  readonly end: string
  readonly all_day: boolean
  readonly timezone?: string
  readonly location?: string
  readonly status?: string
  readonly categories?: readonly string[]
  readonly recurring?: boolean
  readonly recurrence_id?: string
  readonly attendees?: number
}

export function toShortEvent({ component, start, end, id }: Occurrence): ShortEvent {
  const categories = categoriesOf(component)
  const attendees = component.getAllProperties("attendee").length
  return {
    uid: textIn(component, "uid") ?? "",
    title: textIn(component, "summary") ?? "(no title)",
    start: toText(start),
    end: endText(start, end),
    all_day: start.isDate,
    ...withoutUndefined({
      timezone: zoneText(start),
      location: textIn(component, "location"),
      status: wordIn(component, "status"),
      categories: categories.length === 0 ? undefined : categories,
      recurring: id !== undefined || isRecurring(component) ? true : undefined,
      recurrence_id: id === undefined ? undefined : idText(id),
      attendees: attendees === 0 ? undefined : attendees,
    }),
  }
}

/** The end as text. An all-day event ends on its last day for people, and on the day after in the file. */
export function endText(start: CalendarTime, end: CalendarTime): string {
  return toText(end.isDate ? { ...end, wall: Math.max(start.wall, end.wall - dayMs) } : end)
}

/** The zone as text; undefined for dates. */
export function zoneText({ isDate, zone }: CalendarTime): string | undefined {
  if (isDate) return undefined
  if (zone === undefined) return "floating"
  return zone.isUnknown === true ? `${zone.name} (unknown here)` : zone.name
}

export function categoriesOf(component: Component): readonly string[] {
  return component
    .getAllProperties("categories")
    .flatMap((property) => property.getValues().map(String))
    .filter((category) => category !== "")
}

const wordIn = (component: Component, name: string): string | undefined => textIn(component, name)?.toLowerCase()

/** The fields of an event that lists omit. */
export function toDetails(component: Component, master: Component | undefined) {
  const organizer = organizerOf(component)
  const attendees = attendeesOf(component)
  const alarms = alarmsOf(component)
  const recurrence = (master ?? component).getFirstPropertyValue("rrule")
  const priority = Number(textIn(component, "priority") ?? 0)
  return withoutUndefined({
    description: textIn(component, "description"),
    organizer: organizer?.email,
    attendees: attendees.length === 0 ? undefined : attendees,
    alarms: alarms.length === 0 ? undefined : alarms,
    recurrence: recurrence === null ? undefined : String(recurrence),
    privacy: wordIn(component, "class"),
    busy: textIn(component, "transp")?.toUpperCase() === "TRANSPARENT" ? false : undefined,
    color: textIn(component, "color"),
    link: textIn(component, "url"),
    priority: priority === 0 ? undefined : priority,
  })
}

type DefinedFields<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** Removes undefined members. */
export function withoutUndefined<T extends object>(members: T): DefinedFields<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as DefinedFields<T>
}
