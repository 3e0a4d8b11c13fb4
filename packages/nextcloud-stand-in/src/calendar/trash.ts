// The trash of a person's calendars: listed by a report, put back by moving, deleted for good.

import type { Call, Reply, User } from "../area.ts"
import {
  answerFor,
  multistatus,
  nextcloudCom,
  notFound,
  notImplemented,
  success,
  unknownReport,
} from "../collections/answers.ts"
import { documentOf, isReply, wantedBy } from "../collections/requests.ts"
import { itemResource } from "../collections/resources.ts"
import { hasUid, keep } from "../collections/store.ts"
import { caldav, childOf, xml } from "../xml.ts"
import { passes } from "./filter.ts"
import { calendarData, toIso, typeOf } from "./properties.ts"
import { calendarsOf, type Trashed } from "./store.ts"

export function inTrash(call: Call, user: User, folder: string, last = ""): Reply {
  if (folder !== "objects") return notImplemented()
  if (call.method === "REPORT") return listTrash(call, user)
  const id = Number(/^(\d+)\.ics$/.exec(last)?.[1] ?? 0)
  const trashed = calendarsOf(call.world)
    .trash(user.id)
    .find((one) => one.id === id)
  if (call.method === "MOVE" && trashed !== undefined) return restore(call, user, trashed)
  if (call.method === "DELETE" && trashed !== undefined) {
    calendarsOf(call.world).takeFromTrash(user.id, id)
    return success(204)
  }
  return id === 0 ? notImplemented() : notFound(`Node with name '${last}' could not be found`)
}

function listTrash(call: Call, user: User): Reply {
  const document = documentOf(call)
  if (isReply(document)) return document
  if (document.name !== "calendar-query") return unknownReport()
  const filter = childOf(document, caldav, "filter")
  const found = calendarsOf(call.world)
    .trash(user.id)
    .filter(({ item }) => passes(item.text, filter))
  const wanted = wantedBy(document)
  return multistatus(
    found.map(({ id, uri, item, deletedAt }) => {
      const path = `calendars/${user.id}/trashbin/objects/${id}.ics`
      const more = {
        ...calendarData(item.text),
        [`{${nextcloudCom}}deleted-at`]: xml`${toIso(deletedAt)}`,
        [`{${nextcloudCom}}calendar-uri`]: xml`${uri}`,
      }
      return answerFor(call, itemResource(path, item, typeOf(item), more), wanted)
    }),
  )
}

/** Into the calendar where it was, if there is room for it. */
function restore(call: Call, user: User, { id, uri, item }: Trashed): Reply {
  const calendars = calendarsOf(call.world)
  const calendar = calendars.find(user.id, uri)?.calendar
  if (calendar === undefined || hasUid(calendar, item.uid, item.name))
    return notFound(`Node with name '${uri}' could not be found`)
  calendars.takeFromTrash(user.id, id)
  keep(call.world, calendar, item)
  return success(201)
}
