// Reminders of events and tasks. Those that this server can write are replaced as a list; all others stay unchanged.

import ICAL from "ical.js"
import type { Component } from "./document.ts"
import { textIn } from "./document.ts"

export interface Alarm {
  /** Minutes before the start, or before the due time of a task. Negative when the reminder comes after it. */
  readonly minutes_before?: number | undefined
  /** The time of any other reminder: an instant, or a duration with its reference, such as “-PT15M from the end”. */
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
    const reference = !(value instanceof ICAL.Duration) ? "" : isFromEnd(alarm) ? " from the end" : " from the start"
    return { at: `${String(value ?? "")}${reference}`, kind }
  })
}

function minutesBefore(component: Component, alarm: Component): number | undefined {
  const value = triggerOf(alarm)
  if (!(value instanceof ICAL.Duration)) return undefined
  // For a task without a start, some programs write a trigger relative to the start and mean the due time.
  const hasExpectedReference = isFromEnd(alarm) === countsFromEnd(component) || !component.hasProperty("dtstart")
  return hasExpectedReference ? Math.round(-value.toSeconds() / 60) + 0 : undefined
}

/** The value of TRIGGER. Some programs write a time where a duration is expected: its text is returned unchanged. */
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

/**
 * Whether reminders are relative to the end. They are for tasks with a due time, because programs disagree on what the
 * start of a task is.
 */
const countsFromEnd = (component: Component): boolean => component.name === "vtodo" && component.hasProperty("due")

export function setAlarms(component: Component, alarms: readonly NewAlarm[], title: string): void {
  for (const oldAlarm of component.getAllSubcomponents("valarm"))
    if (isSettable(component, oldAlarm)) component.removeSubcomponent(oldAlarm)
  const relatedParameter = countsFromEnd(component) ? { related: "END" } : {}
  for (const { minutes_before, kind = "display" } of alarms) {
    const alarm = new ICAL.Component("valarm")
    alarm.addPropertyWithValue("action", kind.toUpperCase())
    alarm.addProperty(
      new ICAL.Property(["trigger", { ...relatedParameter }, "duration", durationText(-minutes_before)]),
    )
    alarm.addPropertyWithValue("description", title)
    if (kind === "email") alarm.addPropertyWithValue("summary", title)
    component.addSubcomponent(alarm)
  }
}

/**
 * Whether this server could have written the alarm: relative to the start (for tasks: to the due time), displayed or
 * mailed. Sounds and procedures are not.
 */
function isSettable(component: Component, alarm: Component): boolean {
  const action = textIn(alarm, "action")?.toUpperCase()
  return (action === "DISPLAY" || action === "EMAIL") && minutesBefore(component, alarm) !== undefined
}

const durationText = (minutes: number): string => ICAL.Duration.fromSeconds(minutes * 60).toString()
