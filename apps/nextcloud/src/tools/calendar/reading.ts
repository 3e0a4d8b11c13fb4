// Tools that read events: lists over a range, and one full event.

import { offsetArgument, pageFields, paging, toPage } from "../../page.ts"
import { integer, list, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { readObject } from "./api.ts"
import { eventId, shortEvent, toFullEvent, toShort, wholeEvent } from "./event.ts"
import { filterFields, findEvents, notListed, toNotListed } from "./find-events.ts"
import { loadEvents } from "./load-ical.ts"
import { withoutOwnZone } from "./user-zone.ts"

const listEvents = defineTool({
  name: "nc_calendar_list_events",
  title: "List events",
  description:
    "Events in a range (default: the next 7 days), in order; series as occurrences. Times are in the event's zone.",
  scopes: ["calendar.read"],
  effect: "read",
  input: object({
    ...filterFields,
    days_ahead: optional(integer("Instead of to", { least: 1, usual: 7 })),
    attendee: optional(text("Part of name or address")),
    min_attendees: optional(integer()),
    min_minutes: optional(integer()),
    ...paging,
  }),
  output: object({ events: list(shortEvent), ...notListed, ...pageFields }),
  requestsNote:
    "Without `calendar`: one more, and one for each calendar. At most once a minute, one more for the user's zone.",
  notRecorded: "Calendars that the user subscribed to by address are not listed.",
  async run({ limit, cursor, ...filter }, nextcloud) {
    const events = await loadEvents()
    const { matches, skipped } = await findEvents(nextcloud, events, filter, "listing the events")
    const { items, facts } = toPage(matches, { limit, cursor })
    const shortEvents = items.map((match) => toShort(events, match.storedObject.id, match))
    return { events: await withoutOwnZone(nextcloud, shortEvents), ...toNotListed(skipped), ...facts }
  },
})

const getEvent = defineTool({
  name: "nc_calendar_get_event",
  title: "Read an event",
  description: "One full event with its etag. For a series: the rule, or one occurrence.",
  scopes: ["calendar.read"],
  effect: "read",
  input: object({ event_id: eventId, recurrence_id: optional(text("As listed")), ...offsetArgument }),
  output: wholeEvent,
  requestsNote: "At most once a minute, one more for the user's zone.",
  async run({ event_id, ...options }, nextcloud) {
    const activity = "reading the event"
    const [storedObject, events] = await Promise.all([readObject(nextcloud, event_id, activity), loadEvents()])
    return toFullEvent(nextcloud, events, storedObject, { ...options, activity })
  },
})

export const readingTools = [listEvents, getEvent]
