// Tools that write events: create, change one occurrence or a series, answer invitations, move to another calendar.

import { randomUUID } from "node:crypto"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { bare } from "../../etag.ts"
import type { Changes } from "../../ical/change.ts"
import type { Changed, Which } from "../../ical/series.ts"
import { object, oneOf, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import type { Stored } from "./api.ts"
import {
  calendarOf,
  inCalendar,
  moveObject,
  readObject,
  readOrganizer,
  readOwn,
  removeObject,
  toObjectId,
  writeObject,
} from "./api.ts"
import {
  etag,
  eventFields,
  eventId,
  eventLink,
  occurrence,
  seriesToChange,
  toFullEvent,
  toWritten,
  writtenEvent,
} from "./event.ts"
import { readCalendars } from "./homes.ts"
import type { Events } from "./ical.ts"
import { loadEvents } from "./ical.ts"
import { zoneFor } from "./own-zone.ts"

const createEvent = defineTool({
  name: "nc_calendar_create_event",
  title: "Create an event",
  description: "Creates an event or a meeting. One hour long, or one day, when no end is given. Attendees are invited.",
  scopes: ["calendar.write"],
  effect: "add",
  reachesOthers: true,
  input: object({
    calendar: optional(text("Its id; default: personal")),
    title: text(undefined, { least: 1 }),
    start: text("2026-11-20 (all day), or 2026-11-20T10:30"),
    ...eventFields,
  }),
  output: writtenEvent,
  requestsNote:
    "With attendees two more: one to look up the organizer, one to read the stored event. Once a minute one more, for the user's zone.",
  async run({ calendar = "personal", ...changes }, nextcloud) {
    const doing = `creating the event “${changes.title}”`
    const events = await loadEvents()
    const uid = randomUUID()
    const timed = await withUsualZone(nextcloud, changes)
    const text = events.newEvent(uid, timed, await makingOf(nextcloud, changes, doing))
    const stored = await inCalendar(nextcloud, calendar, doing, (id) =>
      writeObject(nextcloud, { id: toObjectId(id, `${uid}.ics`), text }, doing),
    )
    return toWritten(nextcloud, events, stored, { doing })
  },
})

/** Sets the user's zone as the default for times without a zone. */
async function withUsualZone(nextcloud: Nextcloud, changes: Changes): Promise<Changes> {
  const { start, end, timezone } = changes
  const usualZone = timezone === undefined ? await zoneFor(nextcloud, [start, end]) : undefined
  return { ...changes, usualZone }
}

async function makingOf(nextcloud: Nextcloud, { attendees }: Changes, doing: string) {
  const invites = attendees !== undefined && attendees.length > 0
  const organizer = invites ? await readOrganizer(nextcloud, doing) : undefined
  return { now: Date.now(), doing, newUid: randomUUID(), ...(organizer === undefined ? {} : { organizer }) }
}

const updateEvent = defineTool({
  name: "nc_calendar_update_event",
  title: "Change an event",
  description: "Changes only the given fields; empty removes one. A new start keeps length and time zone.",
  scopes: ["calendar.write"],
  effect: "change",
  reachesOthers: true,
  input: object({
    event_id: eventId,
    ...occurrence,
    etag,
    title: optional(text()),
    start: optional(text()),
    ...eventFields,
  }),
  output: writtenEvent,
  requests: 2,
  requestsNote:
    "With attendees up to two more; “following” makes a second series, which is one more. Once a minute one more, for the user's zone.",
  async run({ event_id, occurrence, recurrence_id, etag, ...changes }, nextcloud) {
    const doing = "changing the event"
    if (Object.values(changes).every((value) => value === undefined))
      throw nextcloudError("invalid", { doing, because: "there is nothing to change" })
    const which = { occurrence, recurrence_id }
    const { stored, events } = await readToChange(nextcloud, { id: event_id, etag }, doing)
    const making = await makingOf(nextcloud, changes, doing)
    const series = seriesToChange(events, stored, doing)
    const timed = events.hasZone(series) ? changes : await withUsualZone(nextcloud, changes)
    const changed = events.changeEvent(series, which, timed, making)
    return storeChanged(nextcloud, events, { stored, changed, which }, doing)
  },
})

/** Reads an event for a change. Throws a conflict when its etag is not the one that the caller has seen. */
export async function readToChange(
  nextcloud: Nextcloud,
  { id, etag }: { readonly id: string; readonly etag?: string | undefined },
  doing: string,
): Promise<{ stored: Stored; events: Events }> {
  const [stored, events] = await Promise.all([readObject(nextcloud, id, doing), loadEvents()])
  if (etag !== undefined && bare(etag) !== stored.etag) {
    const current = await toFullEvent(nextcloud, events, stored, { doing })
    throw nextcloudError("conflict", { doing, current })
  }
  return { stored, events }
}

interface Storing {
  readonly stored: Stored
  readonly changed: Changed
  readonly which: Which
}

/**
 * Writes a change. When it split the series, the new series is written first; if writing the old one then fails, the
 * new one is removed again.
 */
async function storeChanged(nextcloud: Nextcloud, events: Events, { stored, changed, which }: Storing, doing: string) {
  const { split, text } = changed
  if (split === undefined) {
    const written = await replaceObject(nextcloud, events, { ...stored, text }, doing)
    const isOne = which.recurrence_id !== undefined && which.occurrence !== "all"
    const occurrence = isOne ? { recurrence_id: which.recurrence_id } : {}
    return toWritten(nextcloud, events, written, { ...occurrence, doing })
  }
  const calendar = calendarOf(stored.id)
  const added = await inCalendar(nextcloud, calendar, doing, (id) =>
    writeObject(nextcloud, { id: toObjectId(id, `${split.uid}.ics`), text: split.text }, doing),
  )
  try {
    await replaceObject(nextcloud, events, { ...stored, text }, doing)
  } catch (error) {
    // The first error matters more than a failed cleanup.
    await removeObject(nextcloud, added, doing).catch(() => {})
    throw error
  }
  return toWritten(nextcloud, events, added, { doing })
}

/** Overwrites a file only if it is unchanged; otherwise throws a conflict with the current event. */
export async function replaceObject(
  nextcloud: Nextcloud,
  events: Events,
  next: Stored,
  doing: string,
): Promise<Stored> {
  try {
    return await inCalendar(nextcloud, calendarOf(next.id), doing, () => writeObject(nextcloud, next, doing))
  } catch (error) {
    if (!isNextcloudError(error) || error.kind !== "conflict") throw error
    const current = await toFullEvent(nextcloud, events, await readObject(nextcloud, next.id, doing), { doing })
    throw nextcloudError("conflict", { doing, status: error.status, current })
  }
}

const answers = ["accepted", "declined", "tentative"] as const

const respond = defineTool({
  name: "nc_calendar_respond_to_invitation",
  title: "Answer an invitation",
  description: "Answers an invitation for the user; notifies the organizer.",
  scopes: ["calendar.write"],
  effect: "set",
  reachesOthers: true,
  input: object({
    event_id: eventId,
    answer: oneOf(answers),
    recurrence_id: optional(text("Only this occurrence of a series")),
  }),
  output: writtenEvent,
  requests: 3,
  requestsNote: "One more when the server modifies the event, and once a minute for the user's zone.",
  notRecorded: "The answer that the organizer receives.",
  async run({ event_id, answer, recurrence_id }, nextcloud) {
    const doing = "answering the invitation"
    const [{ stored, events }, { addresses }] = await Promise.all([
      readToChange(nextcloud, { id: event_id }, doing),
      readOwn(nextcloud),
    ])
    const series = seriesToChange(events, stored, doing)
    const one =
      recurrence_id === undefined ? undefined : events.ownComponent(series, events.findId(series, recurrence_id, doing))
    const all = one === undefined ? series.document.root.getAllSubcomponents("vevent") : [one]
    if (all.filter((component) => events.setAnswer(component, addresses, answer)).length === 0) {
      const advice = "Only invitations can be answered; the organizer changes the event itself."
      throw nextcloudError("invalid", { doing, because: "the user is not invited", advice })
    }
    const next = { ...stored, text: series.document.toString() }
    const written = await replaceObject(nextcloud, events, next, doing)
    return toWritten(nextcloud, events, written, { doing, recurrence_id })
  },
})

const moveEvent = defineTool({
  name: "nc_calendar_move_event",
  title: "Move an event to another calendar",
  description: "Moves an event, or a whole series, with everything in it. It gets a new id and keeps its uid.",
  scopes: ["calendar.write"],
  effect: "change",
  input: object({ event_id: eventId, to_calendar: text("Its id"), etag }),
  output: object({ id: text(), calendar: text(), url: text() }),
  requests: 2,
  notRecorded: "If-Match when moving.",
  async run({ event_id, to_calendar, etag }, nextcloud) {
    const doing = "moving the event"
    const target = await findTarget(nextcloud, to_calendar, "events", doing)
    const id = await moveTo(
      nextcloud,
      { id: event_id, etag: etag === undefined ? undefined : bare(etag) },
      target,
      doing,
    )
    return { id, calendar: calendarOf(id), url: await eventLink(nextcloud, id) }
  },
})

/**
 * Checks the target of a move: the server would silently move an event into a task list, where it is no longer visible.
 */
export const findTarget = (nextcloud: Nextcloud, calendar: string, kind: "events" | "tasks", doing: string) =>
  inCalendar(nextcloud, calendar, doing, async (id) => {
    const target = (await readCalendars(nextcloud)).find((one) => one.id === id)
    if (target === undefined || target.read_only) throw nextcloudError("not_found", { doing })
    if (target[kind]) return id
    const other = kind === "events" ? "tasks" : "events"
    throw nextcloudError("invalid", {
      doing,
      because: `“${target.name}” holds only ${other}`,
      advice: `Use one that holds ${kind}.`,
    })
  })

/** Moves an object to another calendar. A read-only calendar answers with “not found”. */
export async function moveTo(
  nextcloud: Nextcloud,
  from: { readonly id: string; readonly etag?: string | undefined },
  target: string,
  doing: string,
): Promise<string> {
  if (calendarOf(from.id) === target)
    throw nextcloudError("invalid", { doing, because: `it is already in the calendar “${target}”` })
  return inCalendar(nextcloud, calendarOf(from.id), doing, () => moveObject(nextcloud, from, target, doing))
}

export const writingTools = [createEvent, updateEvent, respond, moveEvent]
