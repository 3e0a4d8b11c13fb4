// Calendars as a whole: created, renamed, shared and deleted.

import type { Call, Reply, User } from "../area.ts"
import { failure, notAllowed, notFound, type PropertyName, success } from "../collections/answers.ts"
import { documentOf, isReply, propertiesToSet, proppatch } from "../collections/requests.ts"
import { contentOf } from "../collections/resources.ts"
import { touch } from "../collections/store.ts"
import { childOf, childrenOf, dav, type Element, oc } from "../xml.ts"
import { calendarsOf, type UserCalendar } from "./store.ts"

const components: PropertyName = "{urn:ietf:params:xml:ns:caldav}supported-calendar-component-set"
const resourceType: PropertyName = "{DAV:}resourcetype"

export function createCalendar(call: Call, user: User, uri: string, userCalendar: UserCalendar | undefined): Reply {
  if (userCalendar !== undefined) return notAllowed("The resource you tried to create already exists")
  const document = call.body.length === 0 ? undefined : documentOf(call)
  if (document !== undefined && isReply(document)) return document
  const set = document === undefined ? new Map<PropertyName, Element>() : propertiesToSet(document)
  const kinds = set.get(resourceType)?.children.map(({ name }) => name) ?? []
  if (call.method === "MKCOL" && !kinds.includes("calendar")) {
    return notAllowed("Creating collections in this collection is not allowed")
  }
  const componentNames = set.get(components)?.children.flatMap(({ attributes }) => attributes.name ?? []) ?? []
  const calendar = calendarsOf(call.world).add(user.id, uri, {
    components: componentNames.length > 0 ? componentNames : ["VEVENT", "VTODO"],
  })
  for (const [name, value] of set) {
    if (name !== components && name !== resourceType) calendar.properties.set(name, contentOf(value))
  }
  return success(201)
}

/** Changes properties of a calendar. A recipient of a shared calendar changes them for themselves only. */
export function patchCalendar(call: Call, path: string, { calendar, share }: UserCalendar): Reply {
  const properties = share?.properties ?? calendar.properties
  const reply = proppatch(call, path, (name, value) => {
    if (value === undefined) properties.delete(name)
    else properties.set(name, contentOf(value))
  })
  touch(calendar)
  return reply
}

export function deleteCalendar(call: Call, user: User, userCalendar: UserCalendar): Reply {
  if (userCalendar.calendar.generated && userCalendar.uri !== "contact_birthdays") return failure(403, "Forbidden", "")
  calendarsOf(call.world).removeCalendar(user.id, userCalendar.uri, call.headers.has("x-nc-caldav-no-trashbin"))
  return success(204)
}

/** Shares a calendar. The request, in Nextcloud's own format, names people to add and people to remove. */
export function shareCalendar(call: Call, user: User, userCalendar: UserCalendar): Reply {
  const document = documentOf(call)
  if (isReply(document)) return document
  if (document.name !== "share" || document.space !== oc) return failure(501, "NotImplemented", "")
  if (userCalendar.share !== undefined) return notFound(`Calendar with name '${userCalendar.uri}' could not be found`)
  for (const set of childrenOf(document, oc, "set")) {
    const person = personIn(set)
    const write = childOf(set, oc, "read-write") !== undefined
    if (call.world.users.has(person)) calendarsOf(call.world).share(user.id, userCalendar.uri, person, write)
  }
  for (const removedShare of childrenOf(document, oc, "remove"))
    userCalendar.calendar.shares.delete(personIn(removedShare))
  return success(200, { "x-sabre-status": "everything-went-well" })
}

function personIn(element: Element): string {
  return decodeURIComponent(childOf(element, dav, "href")?.text.split("/").at(-1) ?? "")
}
