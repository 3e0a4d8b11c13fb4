// The birthday calendar: each card with a birthday has a yearly event, created and removed with the card.

import { calendarsOf } from "../calendar/store.ts"
import { removeItem, storeItem } from "../collections/store.ts"
import type { World } from "../world.ts"
import { valueIn } from "./card.ts"

export interface CardKey {
  readonly user: string
  readonly book: string
  readonly name: string
}

/** Writes, changes or removes a contact's event. `text` is its vCard, undefined when the card was deleted. */
export function updateBirthdayEvent(world: World, { user, book, name }: CardKey, text: string | undefined): void {
  const calendar = calendarsOf(world).find(user, "contact_birthdays")?.calendar
  if (calendar === undefined) return
  const eventName = `${book}-${name.replace(/\.vcf$/, "")}.ics`
  const birthDate = text === undefined ? undefined : dateIn(valueIn(text, "BDAY") ?? "")
  if (text === undefined || birthDate === undefined) {
    removeItem(calendar, eventName)
    return
  }
  const uid = `birthday-${book}-${valueIn(text, "UID") ?? name}`
  storeItem(world, calendar, { name: eventName, uid, text: eventOf(uid, valueIn(text, "FN") ?? "", birthDate) })
}

interface BirthDate {
  /** Undefined when the card has no year. */
  readonly year: string | undefined
  /** The month and the day: `0401`. */
  readonly day: string
}

function dateIn(value: string): BirthDate | undefined {
  const [, year, month, day] = /^(\d{4}|--)-?(\d\d)-?(\d\d)/.exec(value) ?? []
  if (year === undefined) return undefined
  return { year: year === "--" ? undefined : year, day: `${month}${day}` }
}

function eventOf(uid: string, name: string, { year, day }: BirthDate): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Sabre//Sabre VObject 4.5.6//EN",
    "CALSCALE:GREGORIAN",
    "BEGIN:VEVENT",
    `UID:${uid}`,
    "DTSTAMP:20260101T000000Z",
    `DTSTART;VALUE=DATE:${year ?? "1970"}${day}`,
    "DURATION:P1D",
    "RRULE:FREQ=YEARLY",
    `SUMMARY:🎂 ${name}${year === undefined ? "" : ` (${year})`}`,
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]
  return lines.join("\r\n")
}
