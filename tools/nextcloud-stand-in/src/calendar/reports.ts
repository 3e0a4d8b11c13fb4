// The only supported report of a calendar: calendar-query.

import type { Call, Reply } from "../area.ts"
import { answerFor, badRequest, multistatus, nameOf, notImplemented, unknownReport } from "../collections/answers.ts"
import { documentOf, isReply, requestedNamesIn } from "../collections/requests.ts"
import { itemResource } from "../collections/resources.ts"
import { caldav, childOf, dav } from "../xml.ts"
import { matchesFilter } from "./filter.ts"
import { calendarData, typeOf } from "./properties.ts"
import type { UserCalendar } from "./store.ts"

export function report(call: Call, path: string, { calendar }: UserCalendar): Reply {
  const document = documentOf(call)
  if (isReply(document)) return document
  if (nameOf(document) !== `{${caldav}}calendar-query`) return unknownReport()
  if (call.headers.get("depth") !== "1")
    return badRequest("A calendar-query REPORT on a calendar with a Depth: 0 is undefined. Set Depth to 1")
  const data = childOf(childOf(document, dav, "prop"), caldav, "calendar-data")
  if (childOf(data, caldav, "expand") !== undefined) return notImplemented()
  const filter = childOf(document, caldav, "filter")
  const requestedNames = requestedNamesIn(document)
  const matches = [...calendar.items.values()].filter(({ text }) => matchesFilter(text, filter))
  return multistatus(
    matches.map((item) => {
      const resource = itemResource(`${path}${item.name}`, item, typeOf(item), calendarData(item.text))
      return answerFor(call, resource, requestedNames)
    }),
  )
}
