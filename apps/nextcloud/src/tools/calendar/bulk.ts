// Bulk operations: the events that match a filter are changed, deleted or moved one by one, each only if it is
// unchanged since it was found.

import { createHash, randomUUID } from "node:crypto"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { toExcerpt } from "../../page.ts"
import { pluralize } from "../../pluralize.ts"
import { integer, list, object, oneOf, optional, text } from "../../schema.ts"
import type { RunContext, Tool } from "../../tool.ts"
import { defineTool } from "../../tool.ts"
import type { StoredObject } from "./api.ts"
import { calendarOf, removeObject, writeInCalendar } from "./api.ts"
import { seriesToChange } from "./event.ts"
import type { Filter, MatchingEvents, MatchingOccurrence } from "./find-events.ts"
import { filterFields, findEvents, notListed, toNotListed } from "./find-events.ts"
import type { Events } from "./load-ical.ts"
import { loadEvents } from "./load-ical.ts"
import { findTarget, moveTo, replaceObject } from "./writing.ts"

const operations = ["update", "delete", "move"] as const
type Operation = (typeof operations)[number]

const activity = "changing many events"
const mostEvents = 500

interface Input extends Filter {
  readonly operation: Operation
  readonly changes?: Readonly<Record<string, unknown>> | undefined
  readonly to_calendar?: string | undefined
}

const bulkOperations = defineTool({
  name: "nc_calendar_bulk_operations",
  title: "Change, delete or move many events",
  description:
    "Changes, moves or deletes all matching events, each series as a whole. Try the filter with nc_calendar_list_events first.",
  scopes: ["calendar.write"],
  effect: "remove",
  reach: "ended",
  input: object({
    operation: oneOf(operations),
    ...filterFields,
    changes: optional(
      object({
        title: optional(text()),
        description: optional(text()),
        location: optional(text()),
        categories: optional(list(text())),
        status: optional(oneOf(["confirmed", "tentative", "cancelled"])),
        priority: optional(integer()),
        alarms: optional(list(object({ minutes_before: integer() }))),
      }),
    ),
    to_calendar: optional(text("For move: its id")),
  }),
  output: object({ done: integer(), failed: list(object({ event: text(), why: text() })), ...notListed }),
  requests: 2,
  requestsNote: "One for each event, besides those of nc_calendar_list_events; one more for moving.",
  confirm: {
    verb: "Change, delete or move",
    async readLoss(input, nextcloud) {
      const events = await loadEvents()
      const { matches, skipped } = await findFiles(nextcloud, events, input)
      const names = matches.map((match) => nameOf(events, match))
      const listedNames = names.slice(0, 20)
      const targetText = input.to_calendar === undefined ? "" : ` “${input.to_calendar}”`
      return {
        what: `${pluralize(matches.length, "event")}: ${verbs[input.operation]}${targetText}`,
        details: [
          ...changesInWords(input.changes),
          ...listedNames,
          ...(names.length > listedNames.length ? [`and ${names.length - listedNames.length} more`] : []),
          ...skipped.slice(0, 5).map(({ title }) => `“${title}” cannot be read or expanded, and stays as it is.`),
        ],
        guard: digestOf(matches),
      }
    },
  },
  async run(input, nextcloud, runContext) {
    const events = await loadEvents()
    const { matches, skipped } = await findFiles(nextcloud, events, input)
    if (runContext.loss?.guard !== undefined && runContext.loss.guard !== digestOf(matches)) {
      const currentNames = matches.map((match) => nameOf(events, match))
      throw nextcloudError("conflict", {
        activity,
        because: "the matching events have changed since they were shown",
        current: currentNames,
      })
    }
    const { to_calendar } = input
    const target = to_calendar === undefined ? undefined : await findTarget(nextcloud, to_calendar, "events", activity)
    const result = await changeEach(matches, runContext, {
      change: ({ storedObject }) => changeFile(nextcloud, events, { ...input, to_calendar: target }, storedObject),
      name: (match) => nameOf(events, match),
    })
    return { ...result, ...toNotListed(skipped) }
  },
})

const verbs: Readonly<Record<Operation, string>> = {
  update: "change them",
  delete: "delete them",
  move: "move them to the calendar",
}

/** What the events get, for the person who confirms it: “New location: “Hall””. */
function changesInWords({ alarms, ...changes }: NonNullable<Input["changes"]> = {}): readonly string[] {
  const minutes = Array.isArray(alarms) ? alarms.map((alarm) => `${alarm.minutes_before} minutes before`) : undefined
  return Object.entries({ ...changes, alarms: minutes })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `New ${name}: ${valueInWords(value)}`)
}

function valueInWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ")
  if (typeof value !== "string") return String(value)
  const excerpt = `“${toExcerpt(value)}”`
  return value === "" ? "none" : value.length > 200 ? `${pluralize(value.length, "character")}: ${excerpt}` : excerpt
}

/** Finds the events to change. A series of which several occurrences match is included once. */
async function findFiles(nextcloud: Nextcloud, events: Events, input: Input): Promise<MatchingEvents> {
  const { operation, changes = {}, to_calendar } = input
  if (operation === "move" && to_calendar === undefined)
    throw nextcloudError("invalid", {
      activity,
      because: "the target calendar is missing",
      advice: "Give `to_calendar`.",
    })
  if (operation === "update" && Object.values(changes).every((value) => value === undefined))
    throw nextcloudError("invalid", { activity, because: "there is nothing to change", advice: "Give `changes`." })
  if (operation !== "move" && to_calendar !== undefined)
    throw nextcloudError("invalid", { activity, because: "`to_calendar` is only for moving" })
  if (operation !== "update" && input.changes !== undefined)
    throw nextcloudError("invalid", { activity, because: "`changes` are only for updating" })
  const { matches, skipped } = await findEvents(nextcloud, events, input, activity)
  const byFile = new Map(matches.toReversed().map((match) => [match.storedObject.id, match]))
  if (byFile.size <= mostEvents) return { matches: [...byFile.values()].reverse(), skipped }
  const because = `${byFile.size} events match, more than ${mostEvents}`
  throw nextcloudError("invalid", { activity, because, advice: "Narrow the filter." })
}

const nameOf = ({ toShortEvent }: Events, match: MatchingOccurrence): string => {
  const { title, start, recurring, attendees } = toShortEvent(match)
  const attendeesText = attendees === undefined ? "" : `, ${pluralize(attendees, "attendee")}`
  return `“${title}” on ${start}${recurring === true ? " (a series)" : ""}${attendeesText}`
}

const digestOf = (matches: readonly MatchingOccurrence[]): string =>
  createHash("sha256")
    .update(
      matches
        .map(({ storedObject }) => `${storedObject.id} ${storedObject.etag}`)
        .sort()
        .join("\n"),
    )
    .digest("hex")

interface BulkChange {
  change(match: MatchingOccurrence): Promise<void>
  name(match: MatchingOccurrence): string
}

async function changeEach(
  matches: readonly MatchingOccurrence[],
  runContext: RunContext,
  { change, name }: BulkChange,
) {
  const failed: { event: string; why: string }[] = []
  let done = 0
  for (const match of matches) {
    if (runContext.signal.aborted) break
    try {
      await change(match)
      done++
    } catch (error) {
      failed.push({ event: name(match), why: (error as Error).message })
      if (affectsAllEvents(error)) return afterRefusal(error, { done, failed }, matches.length)
    }
    await runContext.progress(`${done + failed.length} of ${matches.length}`, (done + failed.length) / matches.length)
  }
  return { done, failed }
}

/**
 * Whether the other events are not attempted after this error. They would be refused too, and too many refusals lock an
 * account.
 */
const affectsAllEvents = (error: unknown): boolean =>
  !isNextcloudError(error) || ["unauthorized", "throttled", "unavailable", "failed", "full"].includes(error.kind)

type Failed = readonly { readonly event: string; readonly why: string }[]

function afterRefusal(error: unknown, { done, failed }: { done: number; failed: Failed }, eventCount: number) {
  if (done === 0) throw error
  const remaining = eventCount - done - failed.length
  const skippedEntry = {
    event: pluralize(remaining, "other", "others"),
    why: "They were not attempted, and are unchanged.",
  }
  return { done, failed: remaining === 0 ? failed : [...failed, skippedEntry] }
}

async function changeFile(
  nextcloud: Nextcloud,
  events: Events,
  input: Input,
  storedObject: StoredObject,
): Promise<void> {
  const { operation, changes = {}, to_calendar = "" } = input
  const calendar = calendarOf(storedObject.id)
  if (operation === "delete")
    await writeInCalendar(nextcloud, calendar, activity, () => removeObject(nextcloud, storedObject, activity))
  else if (operation === "move") await moveTo(nextcloud, storedObject, to_calendar, activity)
  else {
    const series = seriesToChange(events, storedObject, activity)
    const changeContext = { now: Date.now(), activity, newUid: randomUUID() }
    const { text } = events.changeEvent(series, { occurrence: "all" }, changes, changeContext)
    await replaceObject(nextcloud, events, { ...storedObject, text }, activity)
  }
}

export const bulkTools: readonly Tool[] = [bulkOperations]
