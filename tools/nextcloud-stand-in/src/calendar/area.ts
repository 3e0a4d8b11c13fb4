// Calendars over CalDAV, as a real server answers: each person's home, calendars, events, tasks and queries. The free
// and busy times of others (the outbox) follow RFC 6638 §5 and were not recorded.

import type { Area, Call, Reply, User } from "../area.ts"
import { noNode, notFound, notImplemented, options, success } from "../collections/answers.ts"
import { propfind } from "../collections/requests.ts"
import { itemResource } from "../collections/resources.ts"
import { decodeSegment } from "../decode-segment.ts"
import { createCalendar, deleteCalendar, patchCalendar, shareCalendar } from "./calendar-requests.ts"
import { deleteItem, getItem, moveItem, putItem } from "./items.ts"
import { principal, root } from "./principals.ts"
import { calendarData, calendarResource, homeResources, typeOf, withoutOwnerPrincipal } from "./properties.ts"
import { report } from "./reports.ts"
import { freeBusyOfOthers } from "./schedule.ts"
import { type Calendars, calendarsOf, type UserCalendar } from "./store.ts"

/** The server's capabilities, sent with every list of properties. */
const davHeader = {
  dav: "1, 3, extended-mkcol, access-control, calendarserver-principal-property-search, oc-resource-sharing, calendar-access, calendar-proxy, calendar-auto-schedule, calendar-availability, nc-calendar-trashbin, nc-calendar-webcal-cache, calendarserver-subscribed, oc-calendar-publishing, calendarserver-sharing, nc-paginate, nextcloud-checksum-update, nc-calendar-search, nc-enable-birthday-calendar, 2",
}

export const calendarArea: Area = (call) => {
  const { user } = call
  if (user === undefined) return undefined
  const pathGroups = /^\/remote\.php\/dav(?:\/(?<rest>.*))?$/.exec(call.path)?.groups
  if (pathGroups === undefined) return undefined
  const [collection = "", ...segments] = (pathGroups.rest ?? "")
    .split("/")
    .filter((part) => part !== "")
    .map(decodeSegment)
  if (collection === "" && call.method === "PROPFIND") return root(call, user)
  if (collection === "principals") return principal(call, segments)
  if (collection !== "calendars") return undefined
  const reply = inCalendars(call, user, segments)
  return call.method === "PROPFIND" ? { ...reply, headers: { ...reply.headers, ...davHeader } } : reply
}

/** Answers for a path below `calendars/`, which is given as its segments. */
function inCalendars(call: Call, user: User, [home = "", uri = "", name]: readonly string[]): Reply {
  if (call.method === "OPTIONS") return options(davHeader.dav)
  if (home !== user.id) {
    return uri === "" || createsCalendar(call)
      ? noNode(home)
      : notFound(`Calendar with name '${uri}' could not be found`)
  }
  const calendars = calendarsOf(call.world)
  if (uri === "") return atHome(call, user, calendars)
  if (uri === "outbox") return call.method === "POST" ? freeBusyOfOthers(call, user) : notImplemented()
  if (uri === "inbox" || uri === "trashbin") return notImplemented()
  const userCalendar = calendars.find(user.id, uri)
  if (createsCalendar(call)) return createCalendar(call, user, uri, userCalendar)
  if (userCalendar === undefined) return noNode(uri)
  if (userCalendar.calendar.deletedAt !== undefined && !methodsInTrash.has(call.method)) return noNode(uri)
  return name === undefined ? atCalendar(call, user, userCalendar) : atItem(call, user, userCalendar, name)
}

/** The methods that work on a calendar in the trash. */
const methodsInTrash = new Set(["PROPFIND", "DELETE"])

const createsCalendar = ({ method }: Call): boolean => method === "MKCALENDAR" || method === "MKCOL"

function atHome(call: Call, user: User, calendars: Calendars): Reply {
  if (call.method !== "PROPFIND") return notImplemented()
  return propfind(call, () => homeResources(call, user.id, calendars.list(user.id)))
}

function atCalendar(call: Call, user: User, userCalendar: UserCalendar): Reply {
  const path = `calendars/${user.id}/${userCalendar.uri}/`
  switch (call.method) {
    case "PROPFIND": {
      const items = [...userCalendar.calendar.items.values()]
      const resources = () => [
        withoutOwnerPrincipal(calendarResource(call, user.id, userCalendar)),
        ...items.map((item) => itemResource(`${path}${item.name}`, item, typeOf(item), calendarData(item.text))),
      ]
      return propfind(call, resources)
    }
    case "REPORT":
      return report(call, path, userCalendar)
    case "PROPPATCH":
      return patchCalendar(call, path, userCalendar)
    case "DELETE":
      return deleteCalendar(call, user, userCalendar)
    case "POST":
      return shareCalendar(call, user, userCalendar)
    default:
      return notImplemented()
  }
}

function atItem(call: Call, user: User, userCalendar: UserCalendar, name: string): Reply {
  switch (call.method) {
    case "GET":
    case "HEAD":
      return getItem(call, userCalendar, name)
    case "PUT":
      return putItem(call, user, userCalendar, name)
    case "DELETE":
      return deleteItem(call, user, userCalendar, name)
    case "MOVE":
      return moveItem(call, user, userCalendar, name)
    default:
      return success(405)
  }
}
