// Events and tasks: written, read, moved and deleted, with the conditions and refusals of a real server.

import type { Call, Reply, User } from "../area.ts"
import { badRequest, failure, notFound, success, unsupported } from "../collections/answers.ts"
import { download, etagOf, findFailedCondition, textOfBody } from "../collections/requests.ts"
import { hasUid, removeItem, storeItem } from "../collections/store.ts"
import { decodeSegment } from "../decode-segment.ts"
import { typeOf } from "./properties.ts"
import { announce, cancel } from "./schedule.ts"
import { calendarsOf, type UserCalendar } from "./store.ts"
import { type Checked, check, uidOf } from "./text.ts"

const itemNotFound = (): Reply => notFound("Calendar object not found")

/** The refusal to write: “not found” for a shared calendar, “forbidden” for one that the server generates. */
const refuseWrite = ({ uri, share }: UserCalendar): Reply =>
  share === undefined
    ? failure(403, "Forbidden", "Access denied")
    : notFound(`Calendar with name '${uri}' could not be found`)

export function getItem(call: Call, { calendar }: UserCalendar, name: string): Reply {
  const item = calendar.items.get(name)
  return item === undefined ? itemNotFound() : download(call, item, typeOf(item))
}

export function putItem(call: Call, user: User, userCalendar: UserCalendar, name: string): Reply {
  if (!userCalendar.writable) return refuseWrite(userCalendar)
  const { calendar } = userCalendar
  const existingItem = calendar.items.get(name)
  const failedCondition = findFailedCondition(call, existingItem)
  if (failedCondition !== undefined) return failedCondition
  const checkResult = check(textOfBody(call), calendar.components)
  if ("refused" in checkResult) return toRefusal(checkResult)
  const uid = uidOf(checkResult.components)
  if (hasUid(calendar, uid, name)) {
    return badRequest("Calendar object with uid already exists in this calendar collection.")
  }
  const text = announce(call.world, user, checkResult.text)
  const item = storeItem(call.world, calendar, { name, text, uid })
  const status = existingItem === undefined ? 201 : 204
  if (checkResult.warning !== undefined) {
    return success(status, { "x-sabre-ew-gross": `iCalendar validation warning: ${checkResult.warning}` })
  }
  // The etag of a text that the server changed is not returned, because the client has another text.
  return success(status, text === checkResult.text ? etagOf(item) : {})
}

function toRefusal({ refused, reason }: Extract<Checked, { readonly refused: string }>): Reply {
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
      const replyOptions = { xml: '  <cal:supported-calendar-component xmlns:cal="urn:ietf:params:xml:ns:caldav"/>\n' }
      const message = `iCalendar objects must at least have a component of type ${reason}`
      return failure(403, "Sabre\\CalDAV\\Exception\\InvalidComponentType", message, replyOptions)
    }
  }
}

export function deleteItem(call: Call, user: User, userCalendar: UserCalendar, name: string): Reply {
  if (!userCalendar.writable) return refuseWrite(userCalendar)
  const item = userCalendar.calendar.items.get(name)
  if (item === undefined) return itemNotFound()
  const failedCondition = findFailedCondition(call, item)
  if (failedCondition !== undefined) return failedCondition
  cancel(call.world, user, item.text)
  calendarsOf(call.world).remove(user.id, userCalendar.uri, name)
  return success(204)
}

/** Moves an item to any calendar of the same person. The host of the destination does not matter. */
export function moveItem(call: Call, user: User, userCalendar: UserCalendar, name: string): Reply {
  const item = userCalendar.calendar.items.get(name)
  if (item === undefined) return itemNotFound()
  const failedCondition = findFailedCondition(call, item)
  if (failedCondition !== undefined) return failedCondition
  const destination = call.headers.get("destination")
  if (destination === null) return failure(500, "TypeError", "The destination header was not supplied")
  const [uri = "", target = ""] = destination
    .split("/")
    .filter((part) => part !== "")
    .slice(-2)
    .map(decodeSegment)
  const targetCalendar = calendarsOf(call.world).find(user.id, uri)
  if (targetCalendar === undefined) return failure(409, "Conflict", "The destination node is not found")
  const isReplaced = targetCalendar.calendar.items.has(target)
  if (isReplaced && call.headers.get("overwrite") === "F") {
    return failure(
      412,
      "PreconditionFailed",
      "The destination node already exists, and the overwrite header is set to false",
    )
  }
  if (!userCalendar.writable || !targetCalendar.writable)
    return refuseWrite(userCalendar.writable ? targetCalendar : userCalendar)
  removeItem(userCalendar.calendar, name)
  storeItem(call.world, targetCalendar.calendar, { name: target, text: item.text, uid: item.uid })
  return success(isReplaced ? 204 : 201)
}
