// Tools that write events: create, change one occurrence or a series, answer invitations, move to another calendar.

import { randomUUID } from "node:crypto"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { toBareEtag } from "../../etag.ts"
import type { Changes } from "../../ical/change.ts"
import type { ChangedEvent, OccurrenceSelection } from "../../ical/series.ts"
import { object, oneOf, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import type { StoredObject } from "./api.ts"
import {
  calendarOf,
  moveObject,
  readObject,
  readOrganizer,
  readOwn,
  removeObject,
  toObjectId,
  writeInCalendar,
  writeObject,
} from "./api.ts"
import { readCalendars } from "./calendar-list.ts"
import {
  etag,
  eventFields,
  eventId,
  eventLink,
  inWords,
  occurrence,
  seriesToChange,
  toFullEvent,
  toWritten,
  writtenEvent,
} from "./event.ts"
import { invitationLines, recipientsOf, toInvited } from "./invitation.ts"
import type { Events } from "./load-ical.ts"
import { loadEvents } from "./load-ical.ts"
import { zoneFor } from "./user-zone.ts"

const createEvent = defineTool({
  name: "nc_calendar_create_event",
  title: "Create an event",
  description: "Creates an event or a meeting. Without an end, it lasts one hour or one day. Attendees are invited.",
  scopes: ["calendar.write"],
  effect: "add",
  reach: {
    kinds: ["email"],
    find: ({ title, attendees = [] }) =>
      toInvited(
        attendees.map(({ email }) => email),
        title,
      ),
  },
  input: object({
    calendar: optional(text("Its id; default: personal")),
    title: text(undefined, { least: 1 }),
    start: text("2026-11-20 (all day), or 2026-11-20T10:30"),
    ...eventFields,
  }),
  output: writtenEvent,
  requestsNote:
    "With attendees, two more: one to look up the organizer, one to read the stored event. At most once a minute, one more for the user's zone.",
  confirm: {
    requests: 0,
    verb: "Send",
    keptText: "was not sent, and the event was not created",
    readLoss: async ({ title, start, ...changes }) => ({
      what: `the invitation to “${title}” on ${start}`,
      details: invitationLines(changes.attendees?.map(({ email }) => email) ?? [], changes),
    }),
  },
  async run({ calendar = "personal", ...changes }, nextcloud) {
    const activity = `creating the event “${changes.title}”`
    const events = await loadEvents()
    const uid = randomUUID()
    const changesWithZone = await withUsualZone(nextcloud, changes)
    const text = events.newEvent(uid, changesWithZone, await toChangeContext(nextcloud, changes, activity))
    const storedObject = await writeInCalendar(nextcloud, calendar, activity, (id) =>
      writeObject(nextcloud, { id: toObjectId(id, `${uid}.ics`), text }, activity),
    )
    return toWritten(nextcloud, events, storedObject, { activity })
  },
})

/** Sets the user's zone as the default for times without a zone. */
async function withUsualZone(nextcloud: Nextcloud, changes: Changes): Promise<Changes> {
  const { start, end, timezone } = changes
  const usualZone = timezone === undefined ? await zoneFor(nextcloud, [start, end]) : undefined
  return { ...changes, usualZone }
}

async function toChangeContext(nextcloud: Nextcloud, { attendees }: Changes, activity: string) {
  const invites = attendees !== undefined && attendees.length > 0
  const organizer = invites ? await readOrganizer(nextcloud, activity) : undefined
  return { now: Date.now(), activity, newUid: randomUUID(), ...(organizer === undefined ? {} : { organizer }) }
}

const updateEvent = defineTool({
  name: "nc_calendar_update_event",
  title: "Change an event",
  description: "Changes only the given fields; an empty value removes a field. A new start keeps length and time zone.",
  scopes: ["calendar.write"],
  effect: "change",
  reach: {
    kinds: ["email"],
    requests: 1,
    async find({ event_id, etag, attendees }, nextcloud) {
      const { storedObject, events } = await readToChange(nextcloud, { id: event_id, etag }, "changing the event")
      return toInvited(recipientsOf(events, storedObject, attendees), event_id)
    },
  },
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
    "With attendees, up to two more; “following” creates a second series, which takes one more. At most once a minute, one more for the user's zone.",
  confirm: {
    verb: "Send",
    keptText: "was not sent, and the event was not changed",
    async readLoss({ event_id, etag, occurrence: _, recurrence_id, ...changes }, nextcloud) {
      const activity = "changing the event"
      const { storedObject, events } = await readToChange(nextcloud, { id: event_id, etag }, activity)
      const event = await toFullEvent(nextcloud, events, storedObject, { activity, recurrence_id })
      return {
        what: `the change of the event ${inWords(event)} to its attendees`,
        details: invitationLines(recipientsOf(events, storedObject, changes.attendees), changes),
        guard: storedObject.etag,
      }
    },
  },
  async run({ event_id, occurrence, recurrence_id, etag: givenEtag, ...changes }, nextcloud, { loss }) {
    const activity = "changing the event"
    const etag = loss?.guard ?? givenEtag
    if (Object.values(changes).every((value) => value === undefined))
      throw nextcloudError("invalid", { activity, because: "there is nothing to change" })
    const selection = { occurrence, recurrence_id }
    const { storedObject, events } = await readToChange(nextcloud, { id: event_id, etag }, activity)
    const changeContext = await toChangeContext(nextcloud, changes, activity)
    const series = seriesToChange(events, storedObject, activity)
    const changesWithZone = events.hasZone(series) ? changes : await withUsualZone(nextcloud, changes)
    const changed = events.changeEvent(series, selection, changesWithZone, changeContext)
    return storeChanged(nextcloud, events, { storedObject, changed, selection }, activity)
  },
})

/** Reads an event for a change. Throws a conflict when its etag is not the one that the caller has seen. */
export async function readToChange(
  nextcloud: Nextcloud,
  { id, etag }: { readonly id: string; readonly etag?: string | undefined },
  activity: string,
): Promise<{ storedObject: StoredObject; events: Events }> {
  const [storedObject, events] = await Promise.all([readObject(nextcloud, id, activity), loadEvents()])
  if (etag !== undefined && toBareEtag(etag) !== storedObject.etag) {
    const currentEvent = await toFullEvent(nextcloud, events, storedObject, { activity })
    throw nextcloudError("conflict", { activity, current: currentEvent })
  }
  return { storedObject, events }
}

interface ChangeToStore {
  readonly storedObject: StoredObject
  readonly changed: ChangedEvent
  readonly selection: OccurrenceSelection
}

/**
 * Writes a change. When it split the series, the new series is written first; if writing the old one then fails, the
 * new one is removed again.
 */
async function storeChanged(
  nextcloud: Nextcloud,
  events: Events,
  { storedObject, changed, selection }: ChangeToStore,
  activity: string,
) {
  const { newSeries, text } = changed
  if (newSeries === undefined) {
    const writtenObject = await replaceObject(nextcloud, events, { ...storedObject, text }, activity)
    const isSingleOccurrence = selection.recurrence_id !== undefined && selection.occurrence !== "all"
    const occurrence = isSingleOccurrence ? { recurrence_id: selection.recurrence_id } : {}
    return toWritten(nextcloud, events, writtenObject, { ...occurrence, activity })
  }
  const calendar = calendarOf(storedObject.id)
  const added = await writeInCalendar(nextcloud, calendar, activity, (id) =>
    writeObject(nextcloud, { id: toObjectId(id, `${newSeries.uid}.ics`), text: newSeries.text }, activity),
  )
  try {
    await replaceObject(nextcloud, events, { ...storedObject, text }, activity)
  } catch (error) {
    // The first error matters more than a failed cleanup.
    await removeObject(nextcloud, added, activity).catch(() => {})
    throw error
  }
  return toWritten(nextcloud, events, added, { activity })
}

/** Overwrites a file only if it is unchanged; otherwise throws a conflict with the current event. */
export async function replaceObject(
  nextcloud: Nextcloud,
  events: Events,
  newObject: StoredObject,
  activity: string,
): Promise<StoredObject> {
  try {
    return await writeInCalendar(nextcloud, calendarOf(newObject.id), activity, () =>
      writeObject(nextcloud, newObject, activity),
    )
  } catch (error) {
    if (!isNextcloudError(error) || error.kind !== "conflict") throw error
    const currentEvent = await toFullEvent(nextcloud, events, await readObject(nextcloud, newObject.id, activity), {
      activity,
    })
    throw nextcloudError("conflict", { activity, status: error.status, current: currentEvent })
  }
}

const answers = ["accepted", "declined", "tentative"] as const

const respond = defineTool({
  name: "nc_calendar_respond_to_invitation",
  title: "Answer an invitation",
  description: "Answers an invitation for the user; notifies the organizer.",
  scopes: ["calendar.write"],
  effect: "set",
  reach: "shown",
  input: object({
    event_id: eventId,
    answer: oneOf(answers),
    recurrence_id: optional(text("Only this occurrence of a series")),
  }),
  output: writtenEvent,
  requests: 3,
  requestsNote: "One more when the server modifies the event. At most once a minute, one more for the user's zone.",
  notRecorded: "The answer that the organizer receives.",
  async run({ event_id, answer, recurrence_id }, nextcloud) {
    const activity = "answering the invitation"
    const [{ storedObject, events }, { addresses }] = await Promise.all([
      readToChange(nextcloud, { id: event_id }, activity),
      readOwn(nextcloud),
    ])
    const series = seriesToChange(events, storedObject, activity)
    const override =
      recurrence_id === undefined
        ? undefined
        : events.ownComponent(series, events.findId(series, recurrence_id, activity))
    const all = override === undefined ? series.document.root.getAllSubcomponents("vevent") : [override]
    if (all.filter((component) => events.setAnswer(component, addresses, answer)).length === 0) {
      const advice = "Only invited people can answer. If the user is the organizer, change the event instead."
      throw nextcloudError("invalid", { activity, because: "the user is not invited", advice })
    }
    const newObject = { ...storedObject, text: series.document.toString() }
    const writtenObject = await replaceObject(nextcloud, events, newObject, activity)
    return toWritten(nextcloud, events, writtenObject, { activity, recurrence_id })
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
    const activity = "moving the event"
    const target = await findTarget(nextcloud, to_calendar, "events", activity)
    const id = await moveTo(
      nextcloud,
      { id: event_id, etag: etag === undefined ? undefined : toBareEtag(etag) },
      target,
      activity,
    )
    return { id, calendar: calendarOf(id), url: await eventLink(nextcloud, id) }
  },
})

/**
 * The id of the calendar to move to. Throws for a read-only calendar, and for a task list as the target of an event:
 * the server would move the event there, where it is not visible.
 */
export const findTarget = (nextcloud: Nextcloud, calendar: string, kind: "events" | "tasks", activity: string) =>
  writeInCalendar(nextcloud, calendar, activity, async (id) => {
    const target = (await readCalendars(nextcloud)).find((candidate) => candidate.id === id)
    if (target === undefined || target.read_only) throw nextcloudError("not_found", { activity })
    if (target[kind]) return id
    const otherKind = kind === "events" ? "tasks" : "events"
    throw nextcloudError("invalid", {
      activity,
      because: `“${target.name}” holds only ${otherKind}`,
      advice: `Use a calendar that holds ${kind}.`,
    })
  })

/** Moves an event or task to another calendar, and returns its new id. Throws when it is already there. */
export async function moveTo(
  nextcloud: Nextcloud,
  source: { readonly id: string; readonly etag?: string | undefined },
  target: string,
  activity: string,
): Promise<string> {
  if (calendarOf(source.id) === target)
    throw nextcloudError("invalid", { activity, because: `it is already in the calendar “${target}”` })
  return writeInCalendar(nextcloud, calendarOf(source.id), activity, () =>
    moveObject(nextcloud, source, target, activity),
  )
}

export const writingTools = [createEvent, updateEvent, respond, moveEvent]
