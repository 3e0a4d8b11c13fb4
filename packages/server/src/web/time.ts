// Shows a time relative to now and exactly. The exact time is in UTC; the script converts it to the person's zone.

import { type Html, html } from "./html.ts"

const hour = 3_600_000
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" })
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })

/** Writes a time as "in 4 minutes (09:30 UTC)". Includes the date of a time that is more than twelve hours away. */
export function timeOf(at: number, now: number): Html {
  const isNear = Math.abs(at - now) < 12 * hour
  return html`<time datetime="${new Date(at).toISOString()}"><span data-words>${relativeWords(at, now)}</span> <span class="exact" data-exact="${isNear ? "clock" : "day"}">(${(isNear ? clock : day).format(at)} UTC)</span></time>`
}

/**
 * Writes the deadline of a question as “ends in 4 minutes (09:30 UTC)”. The script counts down the remaining
 * milliseconds.
 */
export function deadlineOf(at: number, now: number, verb: "Ends" | "ends" = "ends"): Html {
  return html`<span data-left="${Math.max(0, at - now)}"><span>${verb}</span> ${timeOf(at, now)}</span>`
}

/** Writes a relative time in its largest unit: "in 4 minutes", "2 days ago", "just now". */
export function relativeWords(at: number, now: number): string {
  const distance = Math.abs(at - now)
  if (distance < 45_000) return at > now ? "in less than a minute" : "just now"
  const [length, unit] = units.find(([size]) => distance >= size * 0.95) ?? units.at(-1)!
  const count = Math.round(distance / length)
  const words = `${count} ${unit}${count === 1 ? "" : "s"}`
  return at > now ? `in ${words}` : `${words} ago`
}

/** Writes a duration in its largest unit: “12 seconds”, “3 minutes”. */
export function durationWords(ms: number): string {
  if (ms < 950) return "less than a second"
  const [length, unit] = [...units, second].find(([size]) => ms >= size * 0.95) ?? second
  const count = Math.max(1, Math.round(ms / length))
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}

const second = [1_000, "second"] as const

const units = [
  [365 * 24 * hour, "year"],
  [30 * 24 * hour, "month"],
  [24 * hour, "day"],
  [hour, "hour"],
  [hour / 60, "minute"],
] as const
