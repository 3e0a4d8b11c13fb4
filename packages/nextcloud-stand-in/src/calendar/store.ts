// The calendars people have, their own and those shared with them, with what is in them. Nothing here knows of HTTP.

import type { PropertyName } from "../collections/answers.ts"
import { type Collection, createCollection, drop, type Item, keep } from "../collections/store.ts"
import type { World } from "../world.ts"
import { type Xml, xml } from "../xml.ts"
import { componentsOf, uidOf } from "./text.ts"

export interface Calendar extends Collection {
  readonly owner: string
  readonly uri: string
  /** Made by the server: nobody writes into it. */
  readonly generated: boolean
  readonly components: readonly string[]
  /** What was set: name, colour, description, order, anything. */
  readonly properties: Map<PropertyName, Xml>
  /** Milliseconds. It lies in the trash, and yet stands among the others. */
  deletedAt: number | undefined
  /** With whom it is shared. */
  readonly shares: Map<string, Share>
}

export interface Share {
  readonly write: boolean
  /** What this person set for themselves. */
  readonly properties: Map<PropertyName, Xml>
}

/** A calendar as one person sees it. */
export interface Seen {
  /** As its address has it: `work`, or `work_shared_by_alice`. */
  readonly uri: string
  readonly calendar: Calendar
  /** Undefined for one's own. */
  readonly share: Share | undefined
  readonly writable: boolean
}

export interface NewCalendar {
  readonly name?: string
  readonly color?: string
  readonly components?: readonly string[]
  readonly generated?: boolean
}

export interface Calendars {
  /** Own ones first, as they were made, then what others share. */
  readonly list: (user: string) => readonly Seen[]
  readonly find: (user: string, uri: string) => Seen | undefined
  readonly add: (user: string, uri: string, options?: NewCalendar) => Calendar
  /** Into the trash, or for good when it is there already. */
  readonly removeCalendar: (user: string, uri: string, forGood?: boolean) => void
  readonly share: (user: string, uri: string, withUser: string, write?: boolean) => void
  /** Throws when there is no such calendar. */
  readonly put: (user: string, uri: string, name: string, text: string) => Item
  readonly get: (user: string, uri: string, name: string) => Item | undefined
  readonly remove: (user: string, uri: string, name: string) => boolean
}

export const displayName = "{DAV:}displayname"
const color = "{http://apple.com/ns/ical/}calendar-color"
const order = "{http://apple.com/ns/ical/}calendar-order"

/** Deck shows each board as a calendar that cannot be written to. */
const isOfDeck = ({ uri }: Pick<Calendar, "uri">): boolean => uri.startsWith("app-generated--deck--")

/** The calendars of this world, for the area and for tests. */
export function calendarsOf(world: World): Calendars {
  return world.part("calendars", () => createCalendars(world))
}

function createCalendars(world: World): Calendars {
  const { homes } = world.state("calendars", () => ({ homes: new Map<string, Map<string, Calendar>>() }))

  const homeOf = (user: string): Map<string, Calendar> => {
    const found = homes.get(user)
    if (found !== undefined) return found
    const home = new Map<string, Calendar>()
    homes.set(user, home)
    home.set("personal", createCalendar(user, "personal", { name: "Personal", color: "#00679e" }))
    const birthdays = { name: "Contact birthdays", color: "#E9D859", generated: true }
    home.set("contact_birthdays", createCalendar(user, "contact_birthdays", birthdays))
    return home
  }
  const sharedWith = (user: string): readonly Seen[] =>
    [...homes.values()]
      .flatMap((home) => [...home.values()])
      .flatMap((calendar) => {
        const share = calendar.shares.get(user)
        if (share === undefined || calendar.deletedAt !== undefined) return []
        return [{ uri: `${calendar.uri}_shared_by_${calendar.owner}`, calendar, share, writable: share.write }]
      })
  const list = (user: string): readonly Seen[] => [
    ...[...homeOf(user).values()]
      .filter((calendar) => !isOfDeck(calendar) || world.isInstalled("deck"))
      .map((calendar) => ({
        uri: calendar.uri,
        calendar,
        share: undefined,
        writable: !calendar.generated && calendar.deletedAt === undefined,
      })),
    ...sharedWith(user),
  ]
  const find = (user: string, uri: string): Seen | undefined => list(user).find((seen) => seen.uri === uri)

  return {
    list,
    find,
    add: (user, uri, options = {}) => {
      const calendar = createCalendar(user, uri, options)
      homeOf(user).set(uri, calendar)
      return calendar
    },
    removeCalendar: (user, uri, forGood = false) => {
      const { share, calendar } = find(user, uri) ?? {}
      if (calendar === undefined) return
      if (share !== undefined) calendar.shares.delete(user)
      else if (forGood || calendar.deletedAt !== undefined) homeOf(user).delete(uri)
      else calendar.deletedAt = world.now()
    },
    share: (user, uri, withUser, write = false) => {
      const calendar = homeOf(user).get(uri)
      if (calendar === undefined) throw new Error(`${user} has no calendar ${uri}.`)
      calendar.shares.set(withUser, { write, properties: new Map() })
      calendar.token += 1
    },
    put: (user, uri, name, text) => {
      const seen = find(user, uri)
      if (seen === undefined) throw new Error(`${user} has no calendar ${uri}.`)
      return keep(world, seen.calendar, { name, text, uid: uidOf(componentsOf(text)) })
    },
    get: (user, uri, name) => find(user, uri)?.calendar.items.get(name),
    remove: (user, uri, name) => {
      const calendar = find(user, uri)?.calendar
      return calendar !== undefined && drop(calendar, name)
    },
  }
}

function createCalendar(owner: string, uri: string, options: NewCalendar): Calendar {
  const { name, color: shade, components = ["VEVENT"], generated = false } = options
  const properties = new Map<PropertyName, Xml>(isOfDeck({ uri }) ? [] : [[order, { xml: "0" }]])
  if (name !== undefined) properties.set(displayName, xml`${name}`)
  if (shade !== undefined) properties.set(color, xml`${shade}`)
  return {
    ...createCollection(),
    owner,
    uri,
    generated,
    components,
    properties,
    shares: new Map(),
    deletedAt: undefined,
  }
}
