// The tool that deletes events: one occurrence, one and the following, or all.

import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Which } from "../../ical/series.ts"
import { pluralize } from "../../pluralize.ts"
import { object, text } from "../../schema.ts"
import type { Loss, Tool } from "../../tool.ts"
import { defineTool } from "../../tool.ts"
import type { Stored } from "./api.ts"
import { calendarOf, inCalendar, removeObject } from "./api.ts"
import { etag, eventId, inWords, masked, occurrence, seriesOf, toFullEvent } from "./event.ts"
import type { Events } from "./ical.ts"
import { readToChange, replaceObject } from "./writing.ts"

const doing = "deleting the event"

const deleteEvent = defineTool({
  name: "nc_calendar_delete_event",
  title: "Delete an event",
  description: "Deletes an event, or one occurrence of a series, it and the following, or all. Notifies attendees.",
  scopes: ["calendar.write"],
  effect: "remove",
  reachesOthers: true,
  input: object({ event_id: eventId, ...occurrence, etag }),
  output: object({ deleted: text("Title and time") }),
  requests: 2,
  confirm: {
    verb: "Delete",
    async readLoss({ event_id, etag, ...which }, nextcloud) {
      const { stored, events } = await readToChange(nextcloud, { id: event_id, etag }, doing)
      return lossOf(nextcloud, events, stored, which)
    },
  },
  async run({ event_id, etag, ...which }, nextcloud, { loss }) {
    const expectedEtag = loss?.guard ?? etag
    const { stored, events } = await readToChange(nextcloud, { id: event_id, etag: expectedEtag }, doing)
    const { recurrence_id } = which
    const event = await toFullEvent(nextcloud, events, stored, { doing, recurrence_id })
    await remove(nextcloud, events, stored, which)
    return { deleted: inWords(event) }
  },
})

async function lossOf(nextcloud: Nextcloud, events: Events, stored: Stored, which: Which): Promise<Loss> {
  const { reach } = events.targetOf(seriesOf(events, stored, doing), which, doing)
  const event = await toFullEvent(nextcloud, events, stored, { doing, recurrence_id: which.recurrence_id })
  const attendees = event.attendees?.map(({ email, name }) => name ?? email) ?? []
  const details = [
    ...(event.recurring === true ? [`It repeats: ${whatIsDeleted[reach]}.`] : []),
    ...(event.location === undefined ? [] : [`Where: ${event.location}`]),
    ...(attendees.length === 0
      ? []
      : [`${pluralize(attendees.length, "attendee")} may be notified that it is cancelled: ${names(attendees)}`]),
  ]
  return { what: `the event ${inWords(event)}`, details, guard: stored.etag }
}

const whatIsDeleted = {
  this: "only this occurrence is deleted",
  following: "this occurrence and all that follow are deleted",
  all: "the whole series is deleted",
}

const names = (all: readonly string[]): string => all.slice(0, 10).join(", ") + (all.length > 10 ? ", …" : "")

async function remove(nextcloud: Nextcloud, events: Events, stored: Stored, which: Which): Promise<void> {
  const series = seriesOf(events, stored, doing)
  const target = events.targetOf(series, which, doing)
  if (target.reach !== "all" && events.isMasked(series.document)) throw masked(doing)
  if (target.reach === "this") events.leaveOut(series, target.id, Date.now())
  else if (target.reach === "following") events.endBefore(series, target.id, Date.now())
  if (target.reach === "all" || events.isOver(series)) return removeWhole(nextcloud, stored)
  await replaceObject(nextcloud, events, { ...stored, text: series.document.toString() }, doing)
}

const removeWhole = (nextcloud: Nextcloud, stored: Stored): Promise<void> =>
  inCalendar(nextcloud, calendarOf(stored.id), doing, () => removeObject(nextcloud, stored, doing))

export const removingTools: readonly Tool[] = [deleteEvent]
