// Events and tasks: written, read, moved and deleted, with the conditions and refusals of a real server.

import type { Call, Reply, User } from "../area.ts"
import { badRequest, failure, notFound, success, unsupported } from "../collections/answers.ts"
import { download, etagOf, textOfBody, unmet } from "../collections/requests.ts"
import { drop, hasUid, keep } from "../collections/store.ts"
import { decoded } from "../decoded.ts"
import { typeOf } from "./properties.ts"
import { announce, cancel } from "./schedule.ts"
import { calendarsOf, type UserCalendar } from "./store.ts"
import { type Checked, check, uidOf } from "./text.ts"

const missing = (): Reply => notFound("Calendar object not found")

/** A read-only shared calendar is not found for writers; one of the person's own that the server generates is forbidden. */
const hidden = ({ uri, share }: UserCalendar): Reply =>
  share === undefined
    ? failure(403, "Forbidden", "Access denied")
    : notFound(`Calendar with name '${uri}' could not be found`)

export function getItem(call: Call, { calendar }: UserCalendar, name: string): Reply {
  const item = calendar.items.get(name)
  return item === undefined ? missing() : download(call, item, typeOf(item))
}

export function putItem(call: Call, user: User, userCalendar: UserCalendar, name: string): Reply {
  if (!userCalendar.writable) return hidden(userCalendar)
  const { calendar } = userCalendar
  const before = calendar.items.get(name)
  const refused = unmet(call, before)
  if (refused !== undefined) return refused
  const checked = check(textOfBody(call), calendar.components)
  if ("refused" in checked) return refusal(checked)
  const uid = uidOf(checked.components)
  if (hasUid(calendar, uid, name)) {
    return badRequest("Calendar object with uid already exists in this calendar collection.")
  }
  const text = announce(call.world, user, checked.text)
  const item = keep(call.world, calendar, { name, text, uid })
  const status = before === undefined ? 201 : 204
  if (checked.warning !== undefined) {
    return success(status, { "x-sabre-ew-gross": `iCalendar validation warning: ${checked.warning}` })
  }
  // The etag of a text that the server changed is not returned, because the client has another text.
  return success(status, text === checked.text ? etagOf(item) : {})
}

function refusal({ refused, reason }: Extract<Checked, { readonly refused: string }>): Reply {
  switch (refused) {
    case "unparsable":
      return unsupported(`This resource only supports valid iCalendar 2.0 data. Parse error: ${reason}`)
    case "vcard":
      return unsupported("This collection can only support iCalendar objects.")
    case "uids":
      return unsupported(
        "Validation error in iCalendar: A calendar object on a CalDAV server may only have components with the same UID.",
      )
    case "component": {
      const more = { xml: '  <cal:supported-calendar-component xmlns:cal="urn:ietf:params:xml:ns:caldav"/>\n' }
      const message = `iCalendar objects must at least have a component of type ${reason}`
      return failure(403, "Sabre\\CalDAV\\Exception\\InvalidComponentType", message, more)
    }
  }
}

export function deleteItem(call: Call, user: User, userCalendar: UserCalendar, name: string): Reply {
  if (!userCalendar.writable) return hidden(userCalendar)
  const item = userCalendar.calendar.items.get(name)
  if (item === undefined) return missing()
  const refused = unmet(call, item)
  if (refused !== undefined) return refused
  cancel(call.world, user, item.text)
  calendarsOf(call.world).remove(user.id, userCalendar.uri, name)
  return success(204)
}

/** Moves to any calendar of the same person. The host of the destination does not matter. */
export function moveItem(call: Call, user: User, userCalendar: UserCalendar, name: string): Reply {
  const item = userCalendar.calendar.items.get(name)
  if (item === undefined) return missing()
  const refused = unmet(call, item)
  if (refused !== undefined) return refused
  const destination = call.headers.get("destination")
  if (destination === null) return failure(500, "TypeError", "The destination header was not supplied")
  const [uri = "", target = ""] = destination
    .split("/")
    .filter((part) => part !== "")
    .slice(-2)
    .map(decoded)
  const to = calendarsOf(call.world).find(user.id, uri)
  if (to === undefined) return failure(409, "Conflict", "The destination node is not found")
  const existed = to.calendar.items.has(target)
  if (existed && call.headers.get("overwrite") === "F") {
    return failure(
      412,
      "PreconditionFailed",
      "The destination node already exists, and the overwrite header is set to false",
    )
  }
  if (!userCalendar.writable || !to.writable) return hidden(userCalendar.writable ? to : userCalendar)
  drop(userCalendar.calendar, name)
  keep(call.world, to.calendar, { name: target, text: item.text, uid: item.uid })
  return success(existed ? 204 : 201)
}
