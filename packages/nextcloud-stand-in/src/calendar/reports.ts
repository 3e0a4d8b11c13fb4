// The reports of a calendar: calendar-query, calendar-multiget, sync-collection and free-busy-query.

import type { Call, Reply } from "../area.ts"
import { answerFor, badRequest, multistatus, nameOf, unknownReport } from "../collections/answers.ts"
import { documentOf, isReply, namesIn, syncCollection, wantedBy } from "../collections/requests.ts"
import { itemResource } from "../collections/resources.ts"
import type { Item } from "../collections/store.ts"
import { caldav, childOf, dav, type Element } from "../xml.ts"
import { passes, rangeOf } from "./filter.ts"
import { busyIn, expand } from "./occurrences.ts"
import { calendarData, typeOf } from "./properties.ts"
import { freeBusyText } from "./schedule.ts"
import type { Seen } from "./store.ts"

type Report = (call: Call, document: Element, path: string, seen: Seen) => Reply

const reports: Readonly<Record<string, Report>> = {
  [`{${caldav}}calendar-query`]: (call, document, path, { calendar }) => {
    if (call.headers.get("depth") !== "1") {
      return badRequest("A calendar-query REPORT on a calendar with a Depth: 0 is undefined. Set Depth to 1")
    }
    const filter = childOf(document, caldav, "filter")
    return answers(
      call,
      document,
      path,
      [...calendar.items.values()].filter(({ text }) => passes(text, filter)),
    )
  },
  [`{${caldav}}calendar-multiget`]: (call, document, path, { calendar }) =>
    answers(
      call,
      document,
      path,
      namesIn(document).flatMap((name) => calendar.items.get(name) ?? []),
    ),
  [`{${dav}}sync-collection`]: (call, document, path, { calendar }) =>
    syncCollection(call, document, path, calendar, (item) => resourceOf(path, item, item.text)),
  [`{${caldav}}free-busy-query`]: (call, document, _, { calendar }) => {
    const range = rangeOf(childOf(document, caldav, "time-range"))
    const busy = busyIn(
      [...calendar.items.values()].map(({ text }) => text),
      range,
    )
    const body = freeBusyText({ range, busy, now: call.world.now() })
    return { status: 200, headers: { "content-type": "text/calendar;charset=UTF-8" }, body }
  },
}

export function report(call: Call, path: string, seen: Seen): Reply {
  const document = documentOf(call)
  if (isReply(document)) return document
  return reports[nameOf(document)]?.(call, document, path, seen) ?? unknownReport()
}

function answers(call: Call, document: Element, path: string, items: readonly Item[]): Reply {
  const wanted = wantedBy(document)
  const data = childOf(childOf(document, dav, "prop"), caldav, "calendar-data")
  const expansion = childOf(data, caldav, "expand")
  const shown = (item: Item): string => (expansion === undefined ? item.text : expand(item.text, rangeOf(expansion)))
  return multistatus(items.map((item) => answerFor(call, resourceOf(path, item, shown(item)), wanted)))
}

function resourceOf(path: string, item: Item, text: string) {
  return itemResource(`${path}${item.name}`, item, typeOf(item), calendarData(text))
}
