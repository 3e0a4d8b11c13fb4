// Computes free slots: the wanted hours minus all busy times. Pure.

import { nextcloudError } from "../../api/error.ts"
import type { Zone } from "../../ical/zone.ts"
import type { Events } from "./load-ical.ts"

export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** Hours of a day, in minutes after midnight. */
export interface Hours {
  readonly from: number
  readonly to: number
}

export interface SlotRequest {
  readonly range: TimeRange
  readonly zone: Zone
  readonly minutes: number
  readonly buffer: number
  readonly hours: Hours
  readonly weekends: boolean
  readonly preferred: readonly Hours[]
}

export interface Slot extends TimeRange {
  readonly isPreferred: boolean
}

const dayMs = 86_400_000
const minuteMs = 60_000
const step = 15 * minuteMs

/** Parses a range of hours such as “09:00-17:00”. Throws for any other text. */
export function toHours(text: string, activity: string): Hours {
  const match = /^\s*(\d{1,2}):([0-5]\d)\s*[-–]\s*(\d{1,2}):([0-5]\d)\s*$/.exec(text)
  const [startHour = 0, startMinute = 0, endHour = 0, endMinute = 0] = match?.slice(1).map(Number) ?? []
  const hours = { from: startHour * 60 + startMinute, to: endHour * 60 + endMinute }
  if (match !== null && hours.from < hours.to && hours.to <= 24 * 60) return hours
  throw nextcloudError("invalid", {
    activity,
    because: `“${text}” is not a range of hours`,
    advice: "Write them as 09:00-17:00.",
  })
}

/** Consecutive free slots of the wanted length. The first slot of each gap starts at a quarter hour. */
export function freeSlots(
  events: Pick<Events, "toInstant" | "toWall">,
  request: SlotRequest,
  busyTimes: readonly TimeRange[],
): readonly Slot[] {
  const { range, zone, minutes, buffer, preferred } = request
  const length = minutes * minuteMs
  const occupied = busyTimes
    .map(({ from, to }) => ({ from: from - buffer * minuteMs, to: to + buffer * minuteMs }))
    .sort((a, b) => a.from - b.from)
  const slots: Slot[] = []
  for (const window of windowsOf(events, request)) {
    const searchedRange = { from: Math.max(window.from, range.from), to: Math.min(window.to, range.to) }
    for (const gap of gapsIn(searchedRange, occupied)) {
      for (let from = quarter(events, zone, gap.from); from + length <= gap.to; from += Math.max(step, length)) {
        const to = from + length
        slots.push({ from, to, isPreferred: preferred.some((hours) => isWithin(events, zone, hours, { from, to })) })
      }
    }
  }
  return slots.sort((a, b) => Number(b.isPreferred) - Number(a.isPreferred) || a.from - b.from)
}

/** The wanted hours of each day, in the zone's local time. */
function windowsOf(
  { toInstant, toWall }: Pick<Events, "toInstant" | "toWall">,
  { range, zone, hours, weekends }: SlotRequest,
): readonly TimeRange[] {
  const windows: TimeRange[] = []
  const lastWall = toWall(range.to, zone)
  for (let day = Math.floor(toWall(range.from, zone) / dayMs) * dayMs; day < lastWall; day += dayMs) {
    const weekday = new Date(day).getUTCDay()
    if (!weekends && (weekday === 0 || weekday === 6)) continue
    const at = (minutes: number): number => toInstant(day + minutes * minuteMs, zone)
    windows.push({ from: at(hours.from), to: at(hours.to) })
  }
  return windows
}

/** The parts of a window that are not occupied. `occupied` must be sorted by its starts. */
function gapsIn(window: TimeRange, occupied: readonly TimeRange[]): readonly TimeRange[] {
  const gaps: TimeRange[] = []
  let freeFrom = window.from
  for (const { from, to } of occupied) {
    if (to <= freeFrom) continue
    if (from >= window.to) break
    if (from > freeFrom) gaps.push({ from: freeFrom, to: from })
    freeFrom = to
  }
  return freeFrom < window.to ? [...gaps, { from: freeFrom, to: window.to }] : gaps
}

function quarter({ toWall }: Pick<Events, "toWall">, zone: Zone, instant: number): number {
  const remainder = toWall(instant, zone) % step
  return remainder === 0 ? instant : instant + step - remainder
}

function isWithin({ toWall }: Pick<Events, "toWall">, zone: Zone, hours: Hours, { from, to }: TimeRange): boolean {
  const day = Math.floor(toWall(from, zone) / dayMs) * dayMs
  return toWall(from, zone) - day >= hours.from * minuteMs && toWall(to, zone) - day <= hours.to * minuteMs
}
