// Initial events and tasks, around the current time: a series with a time zone, whole days, a meeting with people and
// an alarm, tasks that are open, late and done, and a calendar of bob's that alice may read.

import { tzlib_get_ical_block } from "timezones-ical-library"
import type { World } from "../world.ts"
import { toStamp } from "./occurrences.ts"
import { calendarsOf } from "./store.ts"

const day = 86_400_000
const hour = 3_600_000
const zone = "Europe/Berlin"

type AddItem = (user: string, calendar: string, uid: string, lines: readonly string[]) => void

export function seedCalendar(world: World): void {
  const calendars = calendarsOf(world)
  const today = Math.floor(world.now() / day) * day
  const stamp = `DTSTAMP:${toStamp(today)}`
  calendars.add("alice", "work", { name: "Work", color: "#0082c9", components: ["VEVENT", "VTODO"] })
  calendars.add("alice", "tasks", { name: "Tasks", color: "#e9322d", components: ["VTODO"] })
  const board = { name: "Deck: Welcome to Nextcloud Deck!", color: "#bf678b", components: ["VTODO"], generated: true }
  calendars.add("alice", "app-generated--deck--board-1", board)
  calendars.add("bob", "team", { name: "Team", color: "#46ba61" })
  calendars.share("bob", "team", "alice")
  const addItem: AddItem = (user, calendar, uid, lines) => {
    const [kind = "VEVENT", ...propertyLines] = lines
    const componentLines = [`BEGIN:${kind}`, `UID:${uid}`, stamp, ...propertyLines, `END:${kind}`]
    const zones = propertyLines.some((line) => line.includes(`TZID=${zone}`)) ? zoneLines() : []
    const all = [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Holdpoint//Stand-in//EN",
      ...zones,
      ...componentLines,
      "END:VCALENDAR",
    ]
    calendars.put(user, calendar, `${uid}.ics`, `${all.join("\r\n")}\r\n`)
  }
  seedEvents(addItem, today)
  seedTasks(addItem, today)
  seedForBob(addItem, today)
}

function seedEvents(addItem: AddItem, today: number): void {
  addItem("alice", "work", "standup", [
    "VEVENT",
    ...inZone(mondayBefore(today - 28 * day) + 9.5 * hour, 0.25),
    "SUMMARY:Stand-up",
    "RRULE:FREQ=WEEKLY;BYDAY=MO,WE",
    "LOCATION:Room 3",
    "CATEGORIES:Work",
  ])
  addItem("alice", "work", "planning", [
    "VEVENT",
    ...inUtc(today + 2 * day + 9 * hour, 1),
    ...planningLines,
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "DESCRIPTION:Planning",
    "TRIGGER:-PT15M",
    "END:VALARM",
  ])
  addItem("alice", "personal", "dentist", [
    "VEVENT",
    ...inZone(today + day + 14 * hour, 0.75),
    "SUMMARY:Zahnärztin",
    "LOCATION:Köln\\, Hauptstraße 1",
    "DESCRIPTION:Bring the card.\\nAsk about the molar.",
  ])
  addItem("alice", "personal", "lunch", ["VEVENT", ...inZone(today + 12.5 * hour, 1), "SUMMARY:Lunch with Zoë 🍜"])
  addItem("alice", "personal", "lisbon", [
    "VEVENT",
    `DTSTART;VALUE=DATE:${dayOf(today + 10 * day)}`,
    `DTEND;VALUE=DATE:${dayOf(today + 13 * day)}`,
    "SUMMARY:Lisboa ☀️",
    "TRANSP:TRANSPARENT",
    "CATEGORIES:Travel",
  ])
  addItem("alice", "personal", "choir", [
    "VEVENT",
    ...inZone(today + 4 * day + 19 * hour, 2),
    "SUMMARY:Choir",
    "STATUS:TENTATIVE",
  ])
}

const planningLines = [
  "SUMMARY:Planning",
  "DESCRIPTION:The importer\\, and who does what.",
  "ORGANIZER;CN=Alice Example:mailto:alice@example.org",
  "ATTENDEE;CN=Alice Example;ROLE=CHAIR;PARTSTAT=ACCEPTED:mailto:alice@example.org",
  "ATTENDEE;CN=Bob Example;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:bob@example.org",
]

function seedTasks(addItem: AddItem, today: number): void {
  addItem("alice", "tasks", "taxes", [
    "VTODO",
    "SUMMARY:Send in the taxes",
    "STATUS:NEEDS-ACTION",
    "PRIORITY:1",
    `DUE;VALUE=DATE:${dayOf(today - 3 * day)}`,
    "CATEGORIES:Home",
  ])
  addItem("alice", "tasks", "shopping", [
    "VTODO",
    "SUMMARY:Einkaufen ✓",
    "STATUS:IN-PROCESS",
    "PERCENT-COMPLETE:40",
    "PRIORITY:5",
    `DUE:${toStamp(today + day + 18 * hour)}`,
  ])
  addItem("alice", "tasks", "apples", ["VTODO", "SUMMARY:Äpfel", "STATUS:NEEDS-ACTION", "RELATED-TO:shopping"])
  addItem("alice", "tasks", "passport", [
    "VTODO",
    "SUMMARY:Renew the passport",
    "STATUS:COMPLETED",
    `COMPLETED:${toStamp(today - 2 * day + 10 * hour)}`,
    "PERCENT-COMPLETE:100",
  ])
  addItem("alice", "work", "budget", [
    "VTODO",
    "SUMMARY:Ask for the budget",
    "STATUS:NEEDS-ACTION",
    "PRIORITY:3",
    `DTSTART:${toStamp(today + 8 * hour)}`,
    `DUE:${toStamp(today + 5 * day + 16 * hour)}`,
    "DESCRIPTION:With the figures of last year.",
  ])
  addItem("alice", "work", "changelog", [
    "VTODO",
    "SUMMARY:Write the changelog",
    "STATUS:COMPLETED",
    `COMPLETED:${toStamp(today - day + 15 * hour)}`,
    "PERCENT-COMPLETE:100",
  ])
}

function seedForBob(addItem: AddItem, today: number): void {
  addItem("bob", "personal", "planning", ["VEVENT", ...inUtc(today + 2 * day + 9 * hour, 1), ...planningLines])
  addItem("bob", "personal", "gym", [
    "VEVENT",
    ...inUtc(today + day + 7 * hour, 1.5),
    "SUMMARY:Gym",
    "RRULE:FREQ=DAILY;COUNT=5",
  ])
  addItem("bob", "personal", "review", ["VEVENT", ...inUtc(today + 2 * day + 13 * hour, 2), "SUMMARY:Review"])
  addItem("bob", "team", "offsite", [
    "VEVENT",
    `DTSTART;VALUE=DATE:${dayOf(today + 20 * day)}`,
    `DTEND;VALUE=DATE:${dayOf(today + 22 * day)}`,
    "SUMMARY:Offsite",
    "LOCATION:Utrecht",
  ])
  addItem("bob", "team", "retro", ["VEVENT", ...inZone(today + 3 * day + 15 * hour, 1), "SUMMARY:Retrospective"])
}

function inUtc(start: number, hours: number): readonly string[] {
  return [`DTSTART:${toStamp(start)}`, `DTEND:${toStamp(start + hours * hour)}`]
}

/** The properties for a wall clock time in the time zone. */
function inZone(start: number, hours: number): readonly string[] {
  const toLocalStamp = (time: number): string => toStamp(time).slice(0, -1)
  return [`DTSTART;TZID=${zone}:${toLocalStamp(start)}`, `DTEND;TZID=${zone}:${toLocalStamp(start + hours * hour)}`]
}

function zoneLines(): readonly string[] {
  const [block = ""] = tzlib_get_ical_block(zone)
  return block.trim().split(/\r?\n/)
}

function dayOf(time: number): string {
  return toStamp(time).slice(0, 8)
}

function mondayBefore(time: number): number {
  return time - ((new Date(time).getUTCDay() + 6) % 7) * day
}
