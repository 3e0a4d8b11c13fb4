// Reminders. Those this program can write are replaced as a list; all others stay as they are.

import ICAL from "ical.js"
import type { Component } from "./document.ts"
import { textIn } from "./document.ts"

export interface Alarm {
  /** Negative when it comes after the start. */
  readonly minutes_before?: number | undefined
  /** Where it is not counted from the start: an instant, or in words. */
  readonly at?: string
  readonly kind: "display" | "email"
}

export interface NewAlarm {
  readonly minutes_before: number
  readonly kind?: "display" | "email" | undefined
}

export function alarmsOf(component: Component): readonly Alarm[] {
  return component.getAllSubcomponents("valarm").map((alarm) => {
    const kind = textIn(alarm, "action")?.toLowerCase() === "email" ? "email" : "display"
    const minutes = minutesBefore(component, alarm)
    if (minutes !== undefined) return { minutes_before: minutes, kind }
    const value = triggerOf(alarm)
    const place = !(value instanceof ICAL.Duration) ? "" : isFromEnd(alarm) ? " from the end" : " from the start"
    return { at: `${String(value ?? "")}${place}`, kind }
  })
}

function minutesBefore(component: Component, alarm: Component): number | undefined {
  const value = triggerOf(alarm)
  if (!(value instanceof ICAL.Duration)) return undefined
  // Where there is no start, some write the one and mean the other.
  const isMeant = isFromEnd(alarm) === countsFromEnd(component) || !component.hasProperty("dtstart")
  return isMeant ? Math.round(-value.toSeconds() / 60) + 0 : undefined
}

/** Some write a time where a length is expected: that is given as it stands. */
function triggerOf(alarm: Component): unknown {
  const trigger = alarm.getFirstProperty("trigger")
  try {
    return trigger?.getFirstValue()
  } catch {
    return trigger?.jCal[3]
  }
}

const isFromEnd = (alarm: Component): boolean =>
  String(alarm.getFirstProperty("trigger")?.getFirstParameter("related") ?? "").toUpperCase() === "END"

/** Of tasks: before they are due. Programs do not agree what the start of a task is; all agree on its end. */
const countsFromEnd = (component: Component): boolean => component.name === "vtodo" && component.hasProperty("due")

export function setAlarms(component: Component, alarms: readonly NewAlarm[], title: string): void {
  for (const old of component.getAllSubcomponents("valarm"))
    if (isOurs(component, old)) component.removeSubcomponent(old)
  const place = countsFromEnd(component) ? { related: "END" } : {}
  for (const { minutes_before, kind = "display" } of alarms) {
    const alarm = new ICAL.Component("valarm")
    alarm.addPropertyWithValue("action", kind.toUpperCase())
    alarm.addProperty(new ICAL.Property(["trigger", { ...place }, "duration", durationText(-minutes_before)]))
    alarm.addPropertyWithValue("description", title)
    if (kind === "email") alarm.addPropertyWithValue("summary", title)
    component.addSubcomponent(alarm)
  }
}

/** Counted from the start (of tasks: from when they are due), shown or mailed: what the list of alarms can say. Sounds and procedures it cannot. */
function isOurs(component: Component, alarm: Component): boolean {
  const action = textIn(alarm, "action")?.toUpperCase()
  return (action === "DISPLAY" || action === "EMAIL") && minutesBefore(component, alarm) !== undefined
}

const durationText = (minutes: number): string => ICAL.Duration.fromSeconds(minutes * 60).toString()
