// One call of each tool for calendars.

import type { Nextcloud } from "../../src/api/nextcloud.ts"
import { calendarTools } from "../../src/tools/calendar/calendar.ts"
import { userTools } from "../../src/tools/users/users.ts"
import { callTool, toolOf } from "../fits.ts"
import type { Sample, Samples, SampleWorld } from "./sample.ts"

export interface WrittenEvent {
  readonly id: string
  readonly etag: string
  readonly title: string
  readonly start: string
  readonly end: string
  readonly url: string
}

const plan = { title: "Plänung 🗓", start: "2026-11-20T10:30", timezone: "Europe/Berlin" }

export const createdEvent = (nextcloud: Nextcloud, fields: object = {}): Promise<WrittenEvent> =>
  callTool(toolOf(calendarTools, "nc_calendar_create_event"), { ...plan, ...fields }, nextcloud)

export const createdCalendar = (nextcloud: Nextcloud, fields: object = {}): Promise<{ readonly id: string }> =>
  callTool(toolOf(calendarTools, "nc_calendar_create_calendar"), { name: "Projekt", ...fields }, nextcloud)

/** A calendar of bob with one event, which alice may only read. */
export async function sharedByBob({ alice, bob }: SampleWorld): Promise<string> {
  const { id } = await createdCalendar(bob, { name: "Team" })
  await createdEvent(bob, { calendar: id })
  const share = `<?xml version="1.0"?><o:share xmlns:d="DAV:" xmlns:o="http://owncloud.org/ns"><o:set><d:href>principal:principals/users/${await alice.userId()}</d:href></o:set></o:share>`
  const path = `/remote.php/dav/calendars/${await bob.userId()}/${id}/`
  const headers = { "content-type": "application/xml; charset=utf-8" }
  await bob.send({ method: "POST", path, headers, body: share, activity: "sharing" })
  return `${id}_shared_by_${await bob.userId()}`
}

const missing = { event_id: "personal/not-there.ics" }

const withEvent = (more: object = {}): Sample["arguments"] => {
  return async ({ alice }) => ({ event_id: (await createdEvent(alice)).id, ...more })
}

const stale = (more: object = {}) => {
  return async ({ alice }: SampleWorld) => ({ event_id: (await createdEvent(alice)).id, etag: "stale", ...more })
}

async function emailOf(nextcloud: Nextcloud): Promise<string> {
  const me = await callTool<{ email?: string }>(toolOf(userTools, "nc_users_get_me"), {}, nextcloud)
  return me.email ?? "nobody@example.org"
}

/** An event to which alice is invited, in her own calendar. */
export async function invitation({ alice, bob }: SampleWorld): Promise<string> {
  await createdEvent(bob, { title: "Invitation", attendees: [{ email: await emailOf(alice) }] })
  const result = await callTool<{ events: readonly { id: string; title: string }[] }>(
    toolOf(calendarTools, "nc_calendar_list_events"),
    { from: "2026-11-01", to: "2026-12-01", query: "Invitation" },
    alice,
  )
  return result.events[0]?.id ?? ""
}

export const calendarSamples: Samples = {
  nc_calendar_list_calendars: { arguments: () => ({}) },
  nc_calendar_create_calendar: { arguments: () => ({ name: "Ärbeit <&> 🗓", color: "#00aa00", holds: "both" }) },
  nc_calendar_update_calendar: {
    arguments: async ({ alice }) => ({ calendar: (await createdCalendar(alice)).id, name: "Neu", color: "#ff0000" }),
    missing: { calendar: "not-there", name: "Neu" },
  },
  nc_calendar_delete_calendar: {
    arguments: async ({ alice }) => {
      const { id } = await createdCalendar(alice)
      await createdEvent(alice, { calendar: id })
      return { calendar: id }
    },
    missing: { calendar: "not-there" },
  },
  nc_calendar_list_events: {
    arguments: async ({ alice }) => {
      await createdEvent(alice)
      return { calendar: "personal", from: "2026-11-01", to: "2026-11-30", timezone: "Europe/Berlin" }
    },
    missing: { calendar: "not-there" },
  },
  nc_calendar_get_event: { arguments: withEvent(), missing },
  nc_calendar_create_event: {
    arguments: () => ({ ...plan, location: "Köln", recurrence: "weekly", alarms: [{ minutes_before: 15 }] }),
    missing: { ...plan, calendar: "not-there" },
    foreign: { ...plan, calendar: "contact_birthdays" },
  },
  nc_calendar_update_event: {
    arguments: withEvent({ start: "2026-11-21T11:00", location: "Zürich" }),
    missing: { ...missing, title: "x" },
    conflict: stale({ title: "x" }),
  },
  nc_calendar_respond_to_invitation: {
    arguments: async (world) => ({ event_id: await invitation(world), answer: "accepted" }),
    missing: { ...missing, answer: "accepted" },
  },
  nc_calendar_move_event: {
    arguments: async ({ alice }) => ({
      event_id: (await createdEvent(alice)).id,
      to_calendar: (await createdCalendar(alice)).id,
    }),
    missing: { event_id: "not-there/x.ics", to_calendar: "personal" },
    foreign: { event_id: "personal/x.ics", to_calendar: "contact_birthdays" },
  },
  nc_calendar_delete_event: { arguments: withEvent(), missing, conflict: stale() },
  nc_calendar_find_availability: {
    arguments: () => ({ duration_minutes: 30, timezone: "Europe/Berlin", from: "2030-01-07", to: "2030-01-08" }),
  },
  nc_calendar_bulk_operations: {
    arguments: async ({ alice }) => {
      await createdEvent(alice)
      const range = { from: "2026-11-01", to: "2026-11-30", timezone: "Europe/Berlin" }
      const filter = { calendar: "personal", ...range, query: "plänung" }
      return { operation: "update", ...filter, changes: { location: "Hall" } }
    },
    missing: { operation: "delete", calendar: "not-there" },
  },
}
