// Finds free times: the user's from their own calendars, other people's from the server's free-busy data.

import { readXml } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Occurrence } from "../../ical/occurrences.ts"
import type { Zone } from "../../ical/zone.ts"
import { mapLimited } from "../../map-limited.ts"
import { pageFields, paging, toPage } from "../../page.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { caldav, childOf, childrenOf, dav, textOf } from "../../xml.ts"
import { createYielder } from "../../yielder.ts"
import type { OwnAddresses } from "./api.ts"
import { queryCalendar, readOwn } from "./api.ts"
import { homePath, readCalendars } from "./calendar-list.ts"
import type { Skipped } from "./find-events.ts"
import { notListed, rangeOf, toNotListed, toSkipped } from "./find-events.ts"
import type { Events } from "./load-ical.ts"
import { loadEvents } from "./load-ical.ts"
import type { TimeRange } from "./slots.ts"
import { freeSlots, toHours } from "./slots.ts"
import { zoneFor } from "./user-zone.ts"

const activity = "finding free times"
const dayMs = 86_400_000

const findAvailability = defineTool({
  name: "nc_calendar_find_availability",
  title: "Find free times",
  description: "Times when the user, and all attendees whose times the server knows, are free.",
  scopes: ["calendar.read"],
  effect: "read",
  input: object({
    duration_minutes: integer(undefined, { least: 1, most: 1440 }),
    timezone: optional(text("IANA name; default: the user's")),
    attendees: optional(list(text(), "E-mail addresses")),
    from: optional(text("Day or time; default: now")),
    to: optional(text("Day or time; default: 7 days later")),
    hours: optional(text("Default: 09:00-17:00; 00:00-24:00 for any time")),
    weekends: optional(flag()),
    buffer_minutes: optional(integer("Kept free before and after", { least: 0 })),
    preferred: optional(list(text(), "Listed first: 10:00-12:00")),
    ...paging,
  }),
  output: object({
    slots: list(object({ start: text(), end: text(), preferred: optional(flag()) })),
    unknown: list(object({ email: text(), why: text() }), "Attendees whose times are not known"),
    ...notListed,
    ...pageFields,
  }),
  requests: 3,
  requestsNote:
    "Two, one for each calendar whose events count, and one when there are attendees. One more without `timezone`.",
  source: "documented",
  notRecorded: "The free-busy times of other people (RFC 6638 section 5). Working hours are not read.",
  async run({ attendees = [], limit, cursor, ...request }, nextcloud) {
    const events = await loadEvents()
    const zoneName = request.timezone ?? (await zoneFor(nextcloud, ["now"], () => true))
    if (zoneName === undefined)
      throw nextcloudError("invalid", {
        activity,
        because: "the time zone of the user is not known",
        advice: "Give `timezone`.",
      })
    const zone = events.namedZone(zoneName, activity)
    const range = rangeOf(events, request, zone, activity)
    if (range.to - range.from > 92 * dayMs)
      throw nextcloudError("invalid", { activity, because: "the range is longer than 92 days" })
    const ownAddresses = await readOwn(nextcloud)
    const [ownTimes, othersTimes] = await Promise.all([
      readOwnBusy(nextcloud, events, { range, zone, ownAddresses }),
      attendees.length === 0 ? noOthersBusy : readOthersBusy(nextcloud, { range, ownAddresses, attendees }),
    ])
    const slots = freeSlots(
      events,
      {
        range: { from: Math.max(range.from, Date.now()), to: range.to },
        zone,
        minutes: request.duration_minutes,
        buffer: request.buffer_minutes ?? 0,
        hours: toHours(request.hours ?? "09:00-17:00", activity),
        weekends: request.weekends ?? false,
        preferred: (request.preferred ?? []).map((hoursText) => toHours(hoursText, activity)),
      },
      [...ownTimes.busy, ...othersTimes.busy],
    )
    const { items, facts } = toPage(slots, { limit, cursor })
    return {
      slots: items.map(({ from, to, isPreferred }) => ({
        start: events.instantText(from, zone),
        end: events.instantText(to, zone),
        ...(isPreferred ? { preferred: true } : {}),
      })),
      unknown: othersTimes.unknown,
      ...toNotListed(ownTimes.skipped),
      ...facts,
    }
  },
})

interface OthersBusy {
  readonly busy: readonly TimeRange[]
  readonly unknown: readonly { readonly email: string; readonly why: string }[]
}

const noOthersBusy: OthersBusy = { busy: [], unknown: [] }

/** The id of the birthday calendar, which Nextcloud generates. Birthdays do not make the user busy. */
const birthdayCalendarId = "contact_birthdays"

interface BusyQuery {
  readonly range: TimeRange
  readonly ownAddresses: OwnAddresses
}

async function readOwnBusy(
  nextcloud: Nextcloud,
  events: Events,
  { range, zone, ownAddresses }: BusyQuery & { zone: Zone },
): Promise<{ busy: readonly TimeRange[]; skipped: readonly Skipped[] }> {
  const calendars = (await readCalendars(nextcloud)).filter(
    (calendar) => calendar.events && calendar.isOpaque && calendar.id !== birthdayCalendarId,
  )
  const calendarQuery = { kind: "VEVENT" as const, range: { from: range.from - dayMs, to: range.to + dayMs } }
  const storedObjects = (
    await mapLimited(calendars, ({ id }) => queryCalendar(nextcloud, id, calendarQuery, activity))
  ).flat()
  const busy: TimeRange[] = []
  const skipped: Skipped[] = []
  const budget = events.createStepBudget(events.mostForCall)
  const yieldIfDue = createYielder()
  for (const file of storedObjects) {
    await yieldIfDue()
    try {
      const series = events.seriesIn(events.readDocument(file.text), "vevent")
      const occurrences = series === undefined ? [] : events.occurrencesIn(series, range, zone, budget)
      for (const { start, end } of occurrences.filter((occurrence) => isBlocking(events, occurrence, ownAddresses)))
        busy.push({ from: events.instantOf(start, zone), to: events.instantOf(end, zone) })
    } catch (error) {
      skipped.push(toSkipped(file, error))
    }
  }
  return { busy, skipped }
}

/** Whether an event makes the user busy: not when it is marked as free, cancelled, or declined. */
function isBlocking(events: Events, { component }: Occurrence, ownAddresses: OwnAddresses): boolean {
  if (events.textIn(component, "transp")?.toUpperCase() === "TRANSPARENT") return false
  if (events.textIn(component, "status")?.toUpperCase() === "CANCELLED") return false
  const ownEmails = ownAddresses.addresses.map((address) => address.replace(/^mailto:/i, "").toLowerCase())
  return !events
    .attendeesOf(component)
    .some(({ email, answer }) => answer === "declined" && ownEmails.includes(email.toLowerCase()))
}

async function readOthersBusy(
  nextcloud: Nextcloud,
  { range, ownAddresses, attendees }: BusyQuery & { attendees: readonly string[] },
): Promise<OthersBusy> {
  if (ownAddresses.href === undefined) {
    const reason =
      "The server does not report this account's calendar address, which is needed to look up other people's times."
    return { busy: [], unknown: attendees.map((email) => ({ email, why: reason })) }
  }
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Holdpoint//Nextcloud//EN",
    "METHOD:REQUEST",
    "BEGIN:VFREEBUSY",
    `UID:${crypto.randomUUID()}`,
    `DTSTAMP:${stamp(Date.now())}`,
    `DTSTART:${stamp(range.from)}`,
    `DTEND:${stamp(range.to)}`,
    `ORGANIZER:${ownAddresses.href}`,
    ...attendees.map((email) => `ATTENDEE:mailto:${addressOf(email)}`),
    "END:VFREEBUSY",
    "END:VCALENDAR",
    "",
  ]
  const path = `${await homePath(nextcloud)}outbox/`
  const headers = { "content-type": "text/calendar; charset=utf-8", accept: "application/xml" }
  const answer = await nextcloud.send({
    method: "POST",
    path,
    headers,
    body: lines.join("\r\n"),
    activity,
    repeatable: true,
  })
  const responses = childrenOf(readXml(answer, activity), caldav, "response").map((response) => ({
    email:
      textOf(childOf(response, caldav, "recipient"), dav, "href")
        ?.trim()
        .replace(/^mailto:/i, "")
        .toLowerCase() ?? "",
    status: textOf(response, caldav, "request-status")?.trim() ?? "",
    data: textOf(response, caldav, "calendar-data"),
  }))
  const successful = responses.filter(({ status, data }) => status.startsWith("2.") && data !== undefined)
  const unknownEmails = attendees.filter(
    (email) => !successful.some((response) => response.email === addressOf(email).toLowerCase()),
  )
  return {
    busy: successful.flatMap(({ data }) => periodsIn(data ?? "")),
    unknown: unknownEmails.map((email) => {
      const statusText = responses
        .find((response) => response.email === addressOf(email).toLowerCase())
        ?.status.split(";")[1]
      return {
        email,
        why:
          statusText === undefined || statusText === ""
            ? "The server does not report their free and busy times."
            : `The server reports: ${statusText}`,
      }
    }),
  }
}

/** The bare e-mail address. Throws for any other text, which could add lines to the calendar request. */
function addressOf(email: string): string {
  const address = email.trim().replace(/^mailto:/i, "")
  if (/^[^\s@;,:"<>]+@[^\s@;,:"<>]+$/.test(address)) return address
  throw nextcloudError("invalid", { activity, because: `“${email}” is not an e-mail address` })
}

const stamp = (instant: number): string => new Date(instant).toISOString().replace(/\.\d+/, "").replace(/[-:]/g, "")

/** The busy periods of FREEBUSY lines: start/end or start/duration, in UTC. Periods of the type FREE are left out. */
export function periodsIn(text: string): readonly TimeRange[] {
  const lines = text.replace(/\r?\n[ \t]/g, "").split(/\r?\n/)
  return lines
    .filter((line) => /^FREEBUSY[;:]/i.test(line) && !/FBTYPE=FREE[;:]/i.test(line))
    .flatMap((line) => line.slice(line.lastIndexOf(":") + 1).split(","))
    .flatMap((period) => {
      const [start = "", end = ""] = period.trim().split("/")
      const startInstant = instantOf(start)
      const endInstant = end.startsWith("P") ? startInstant + lengthOf(end) : instantOf(end)
      return Number.isNaN(startInstant) || Number.isNaN(endInstant) ? [] : [{ from: startInstant, to: endInstant }]
    })
}

const instantOf = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, "$1-$2-$3T$4:$5:$6Z"))

function lengthOf(text: string): number {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text)
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] =
    match?.slice(1).map((part) => Number(part ?? 0)) ?? []
  return ((weeks * 7 + days) * 86_400 + hours * 3_600 + minutes * 60 + seconds) * 1_000
}

export const availabilityTools = [findAvailability]
