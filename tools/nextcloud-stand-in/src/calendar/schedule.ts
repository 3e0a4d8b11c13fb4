// Invitations between people of this server, and free and busy times. Invitations behave as recorded: they arrive in
// the calendar and, since no mail is sent, have the status 5.0. Free and busy times and cancelled invitations were not
// recorded.

import ICAL from "ical.js"
import type { Call, Reply, User } from "../area.ts"
import { badRequest, encodePath, failure, hrefOf, notImplemented } from "../collections/answers.ts"
import { textOfBody } from "../collections/requests.ts"
import { storeItem } from "../collections/store.ts"
import type { World } from "../world.ts"
import { type Xml, xml } from "../xml.ts"
import { type Busy, busyIn, type Range, toStamp } from "./occurrences.ts"
import { type Calendar, calendarsOf } from "./store.ts"
import { type Component, parseCalendar, textOf, timeOf, toMillis } from "./text.ts"

const addressOf = (value: unknown): string =>
  String(value)
    .replace(/^mailto:/i, "")
    .toLowerCase()

function personAt(world: World, address: string): User | undefined {
  return [...world.users.values()].find(({ email }) => email !== "" && email.toLowerCase() === address)
}

/** Sends an organizer's event to its attendees, or an attendee's answer to the organizer. Returns the text to store. */
export function announce(world: World, user: User, text: string): string {
  if (!/^ATTENDEE/im.test(text)) return text
  const root = parseCalendar(text)
  const events = root.getAllSubcomponents("vevent")
  const organizer = addressOf(events[0]?.getFirstPropertyValue("organizer"))
  if (organizer !== user.email.toLowerCase()) {
    answer(world, user, organizer, events)
    return text
  }
  for (const attendee of events.flatMap((event) => event.getAllProperties("attendee"))) {
    const address = addressOf(attendee.getFirstValue())
    if (address === organizer) continue
    attendee.setParameter("schedule-status", "5.0")
    const person = personAt(world, address)
    if (person !== undefined) deliver(world, person, text, "REQUEST")
  }
  return `${root.toString()}\r\n`
}

/** Informs the attendees that the event is cancelled. */
export function cancel(world: World, user: User, text: string): void {
  if (!/^ATTENDEE/im.test(text)) return
  const events = parseCalendar(text).getAllSubcomponents("vevent")
  if (addressOf(events[0]?.getFirstPropertyValue("organizer")) !== user.email.toLowerCase()) return
  for (const attendee of events[0]?.getAllProperties("attendee") ?? []) {
    const person = personAt(world, addressOf(attendee.getFirstValue()))
    if (person !== undefined && person.id !== user.id) deliver(world, person, text, "CANCEL")
  }
}

function deliver(world: World, person: User, text: string, method: "REQUEST" | "CANCEL"): void {
  const uid = textOf(parseCalendar(text).getFirstSubcomponent("vevent") ?? undefined, "uid") ?? ""
  const personal = calendarsOf(world).find(person.id, "personal")?.calendar
  if (personal === undefined) return
  const existingItem = itemWith(personal, uid)
  if (method === "CANCEL") {
    if (existingItem !== undefined) storeItem(world, personal, { ...existingItem, text: cancelled(existingItem.text) })
    return
  }
  storeItem(world, personal, { name: existingItem?.name ?? `sabredav-${world.nextId()}.ics`, text, uid })
}

/** The attendee's copy of a cancelled event, with the status CANCELLED. */
function cancelled(text: string): string {
  const root = parseCalendar(text)
  for (const event of root.getAllSubcomponents("vevent")) event.updatePropertyWithValue("status", "CANCELLED")
  return `${root.toString()}\r\n`
}

/** Writes the attendee's answer into the organizer's event. */
function answer(world: World, user: User, organizer: string, events: readonly Component[]): void {
  const host = personAt(world, organizer)
  const uid = textOf(events[0], "uid")
  const participation = attendeeIn(events, user.email)?.getParameter("partstat")
  if (host === undefined || uid === undefined || typeof participation !== "string") return
  for (const { calendar, share } of calendarsOf(world).list(host.id)) {
    const item = share === undefined ? itemWith(calendar, uid) : undefined
    if (item === undefined) continue
    const root = parseCalendar(item.text)
    attendeeIn(root.getAllSubcomponents("vevent"), user.email)?.setParameter("partstat", participation)
    storeItem(world, calendar, { ...item, text: `${root.toString()}\r\n` })
  }
}

function attendeeIn(events: readonly Component[], address: string) {
  return events
    .flatMap((event) => event.getAllProperties("attendee"))
    .find((attendee) => addressOf(attendee.getFirstValue()) === address.toLowerCase())
}

function itemWith(calendar: Calendar, uid: string) {
  return [...calendar.items.values()].find((item) => item.uid === uid)
}

/** POST to the outbox: returns the busy times of people. */
export function freeBusyOfOthers(call: Call, user: User): Reply {
  if (call.headers.get("content-type")?.startsWith("text/calendar") !== true) return notImplemented()
  let root: Component
  try {
    root = parseCalendar(textOfBody(call))
  } catch (error) {
    return badRequest(`The request body must be a valid iCalendar object. Parse error: ${(error as Error).message}`)
  }
  const freeBusyRequest = root.getFirstSubcomponent("vfreebusy")
  if (textOf(root, "method") === undefined) return badRequest("A METHOD property must be specified in iTIP messages")
  if (freeBusyRequest === null || textOf(root, "method")?.toUpperCase() !== "REQUEST") return notImplemented()
  const organizer = textOf(freeBusyRequest, "organizer") ?? ""
  if (!addressesOf(call, user).includes(organizer)) {
    const message = "The organizer in the request did not match any of the addresses for the owner of this inbox"
    return failure(403, "Forbidden", message)
  }
  if (!freeBusyRequest.hasProperty("attendee")) return badRequest("You must at least specify 1 attendee")
  const [start, end] = [timeOf(freeBusyRequest, "dtstart"), timeOf(freeBusyRequest, "dtend")]
  if (!start || !end) return badRequest("DTSTART and DTEND must both be specified")
  const question = { range: { start: toMillis(start), end: toMillis(end) }, uid: textOf(freeBusyRequest, "uid") ?? "" }
  const ignoredUid = textOf(freeBusyRequest, "x-calendarserver-mask-uid")
  const answers = freeBusyRequest.getAllProperties("attendee").map((attendee): Xml => {
    const address = String(attendee.getFirstValue())
    const person = personAt(call.world, addressOf(address))
    const recipientXml = xml`<cal:recipient><d:href>${address}</d:href></cal:recipient>`
    if (person === undefined) {
      return xml`<cal:response>${recipientXml}<cal:request-status>3.7;Could not find principal</cal:request-status></cal:response>`
    }
    const busy = busyOf(call.world, person, question.range, ignoredUid)
    const text = freeBusyText({
      ...question,
      busy,
      now: call.world.now(),
      organizer,
      attendee: person.email,
    }).replaceAll("\r\n", "\n")
    return xml`<cal:response>${recipientXml}<cal:request-status>2.0;Success</cal:request-status><cal:calendar-data>${text}</cal:calendar-data></cal:response>`
  })
  const spaces = 'xmlns:d="DAV:" xmlns:cal="urn:ietf:params:xml:ns:caldav"'
  const body = `<?xml version="1.0"?>\n<cal:schedule-response ${spaces}>${xml`${answers}`.xml}</cal:schedule-response>\n`
  return { status: 200, headers: { "content-type": "application/xml" }, body }
}

/** The user's addresses, encoded as the principal states them, because they are compared literally. */
const addressesOf = (call: Call, { id, email }: User): readonly string[] => [
  ...(email === "" ? [] : [encodePath(`mailto:${email}`)]),
  hrefOf(call, `principals/users/${id}/`),
]

/** The busy times in those of the person's own calendars that count as busy. */
function busyOf(world: World, person: User, range: Range, ignoredUid: string | undefined): readonly Busy[] {
  const ownCalendars = calendarsOf(world)
    .list(person.id)
    .filter(({ share, calendar }) => share === undefined && !calendar.generated && isCountedAsBusy(calendar))
  const texts = ownCalendars.flatMap(({ calendar }) => [...calendar.items.values()].map(({ text }) => text))
  return busyIn(texts, range, ignoredUid)
}

function isCountedAsBusy({ properties, deletedAt }: Calendar): boolean {
  if (deletedAt !== undefined) return false
  return properties.get("{urn:ietf:params:xml:ns:caldav}schedule-calendar-transp")?.xml.includes("transparent") !== true
}

interface FreeBusy {
  readonly range: Range
  readonly busy: readonly Busy[]
  readonly now: number
  readonly uid: string
  readonly organizer: string
  readonly attendee: string
}

function freeBusyText({ range, busy, now, uid, organizer, attendee }: FreeBusy): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Sabre//Sabre VObject 4.5.6//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:REPLY",
    "BEGIN:VFREEBUSY",
    `DTSTART:${toStamp(range.start)}`,
    `DTEND:${toStamp(range.end)}`,
    `DTSTAMP:${toStamp(now)}`,
    ...busy.map(({ start, end, tentative }) => {
      const type = tentative ? ";FBTYPE=BUSY-TENTATIVE" : ""
      const [clippedStart, clippedEnd] = [Math.max(start, range.start), Math.min(end, range.end)]
      return `FREEBUSY${type}:${toStamp(clippedStart)}/${toStamp(clippedEnd)}`
    }),
    `ATTENDEE:mailto:${attendee}`,
    `UID:${uid}`,
    `ORGANIZER:${organizer}`,
    "END:VFREEBUSY",
    "END:VCALENDAR",
    "",
  ]
  return lines.join(ICAL.newLineChar)
}
