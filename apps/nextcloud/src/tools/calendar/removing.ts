// The tool that deletes events: one occurrence, one and the following, or all.

import type { Nextcloud } from "../../api/nextcloud.ts"
import type { OccurrenceSelection } from "../../ical/series.ts"
import { pluralize } from "../../pluralize.ts"
import { object, text } from "../../schema.ts"
import type { Loss, Tool } from "../../tool.ts"
import { defineTool } from "../../tool.ts"
import type { StoredObject } from "./api.ts"
import { calendarOf, removeObject, writeInCalendar } from "./api.ts"
import { etag, eventId, inWords, occurrence, seriesOf, toFullEvent, toMaskedError } from "./event.ts"
import type { Events } from "./load-ical.ts"
import { readToChange, replaceObject } from "./writing.ts"

const activity = "deleting the event"

const deleteEvent = defineTool({
  name: "nc_calendar_delete_event",
  title: "Delete an event",
  description: "Deletes an event; in a series: one occurrence, it and the following ones, or all. Notifies attendees.",
  scopes: ["calendar.write"],
  effect: "remove",
  reach: "ended",
  input: object({ event_id: eventId, ...occurrence, etag }),
  output: object({ deleted: text("Title and time") }),
  requests: 2,
  confirm: {
    verb: "Delete",
    async readLoss({ event_id, etag, ...selection }, nextcloud) {
      const { storedObject, events } = await readToChange(nextcloud, { id: event_id, etag }, activity)
      return lossOf(nextcloud, events, storedObject, selection)
    },
  },
  async run({ event_id, etag, ...selection }, nextcloud, { loss }) {
    const expectedEtag = loss?.guard ?? etag
    const { storedObject, events } = await readToChange(nextcloud, { id: event_id, etag: expectedEtag }, activity)
    const { recurrence_id } = selection
    const event = await toFullEvent(nextcloud, events, storedObject, { activity, recurrence_id })
    await remove(nextcloud, events, storedObject, selection)
    return { deleted: inWords(event) }
  },
})

async function lossOf(
  nextcloud: Nextcloud,
  events: Events,
  storedObject: StoredObject,
  selection: OccurrenceSelection,
): Promise<Loss> {
  const { reach } = events.targetOf(seriesOf(events, storedObject, activity), selection, activity)
  const event = await toFullEvent(nextcloud, events, storedObject, { activity, recurrence_id: selection.recurrence_id })
  const attendees = event.attendees?.map(({ email, name }) => name ?? email) ?? []
  const details = [
    ...(event.recurring === true ? [`It repeats: ${whatIsDeleted[reach]}.`] : []),
    ...(event.location === undefined ? [] : [`Where: ${event.location}`]),
    ...(attendees.length === 0
      ? []
      : [`${pluralize(attendees.length, "attendee")} may be notified that it is cancelled: ${names(attendees)}`]),
  ]
  return { what: `the event ${inWords(event)}`, details, guard: storedObject.etag }
}

const whatIsDeleted = {
  this: "only this occurrence is deleted",
  following: "this occurrence and all that follow are deleted",
  all: "the whole series is deleted",
}

const names = (all: readonly string[]): string => all.slice(0, 10).join(", ") + (all.length > 10 ? ", …" : "")

async function remove(
  nextcloud: Nextcloud,
  events: Events,
  storedObject: StoredObject,
  selection: OccurrenceSelection,
): Promise<void> {
  const series = seriesOf(events, storedObject, activity)
  const target = events.targetOf(series, selection, activity)
  if (target.reach !== "all" && events.isMasked(series.document)) throw toMaskedError(activity)
  if (target.reach === "this") events.excludeOccurrence(series, target.id, Date.now())
  else if (target.reach === "following") events.endBefore(series, target.id, Date.now())
  if (target.reach === "all" || events.isOver(series)) return removeWhole(nextcloud, storedObject)
  await replaceObject(nextcloud, events, { ...storedObject, text: series.document.toString() }, activity)
}

const removeWhole = (nextcloud: Nextcloud, storedObject: StoredObject): Promise<void> =>
  writeInCalendar(nextcloud, calendarOf(storedObject.id), activity, () =>
    removeObject(nextcloud, storedObject, activity),
  )

export const removingTools: readonly Tool[] = [deleteEvent]
