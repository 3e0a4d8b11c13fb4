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
    const minutes = minutesBefore(alarm)
    if (minutes !== undefined) return { minutes_before: minutes, kind }
    const trigger = alarm.getFirstProperty("trigger")
    const place = trigger?.getFirstParameter("related") === "END" ? " from the end" : ""
    return { at: `${String(trigger?.getFirstValue() ?? "")}${place}`, kind }
  })
}

function minutesBefore(alarm: Component): number | undefined {
  const trigger = alarm.getFirstProperty("trigger")
  const value = trigger?.getFirstValue()
  if (!(value instanceof ICAL.Duration) || trigger?.getFirstParameter("related") === "END") return undefined
  return Math.round(-value.toSeconds() / 60) + 0
}

export function setAlarms(component: Component, alarms: readonly NewAlarm[], title: string): void {
  for (const old of component.getAllSubcomponents("valarm")) if (isOurs(old)) component.removeSubcomponent(old)
  for (const { minutes_before, kind = "display" } of alarms) {
    const alarm = new ICAL.Component("valarm")
    alarm.addPropertyWithValue("action", kind.toUpperCase())
    alarm.addProperty(new ICAL.Property(["trigger", {}, "duration", durationText(-minutes_before)]))
    alarm.addPropertyWithValue("description", title)
    if (kind === "email") alarm.addPropertyWithValue("summary", title)
    component.addSubcomponent(alarm)
  }
}

/** Counted from the start, shown or mailed: what the list of alarms can say. Sounds and procedures it cannot. */
function isOurs(alarm: Component): boolean {
  const action = textIn(alarm, "action")?.toUpperCase()
  return (action === "DISPLAY" || action === "EMAIL") && minutesBefore(alarm) !== undefined
}

const durationText = (minutes: number): string => ICAL.Duration.fromSeconds(minutes * 60).toString()
