// Bulk operations: the events that match a filter are changed, deleted or moved one by one, each only if it is
// unchanged since it was found.

import { createHash, randomUUID } from "node:crypto"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { pluralize } from "../../pluralize.ts"
import { integer, list, object, oneOf, optional, text } from "../../schema.ts"
import type { Run, Tool } from "../../tool.ts"
import { defineTool } from "../../tool.ts"
import type { Stored } from "./api.ts"
import { calendarOf, inCalendar, removeObject } from "./api.ts"
import { seriesToChange } from "./event.ts"
import type { Filter, MatchingEvents, MatchingOccurrence } from "./find.ts"
import { filterFields, findEvents, notListed, toNotListed } from "./find.ts"
import type { Events } from "./ical.ts"
import { loadEvents } from "./ical.ts"
import { findTarget, moveTo, replaceObject } from "./writing.ts"

const operations = ["update", "delete", "move"] as const
type Operation = (typeof operations)[number]

const doing = "changing many events"
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
    "Changes, moves or deletes all matching events, series as a whole. Try the filter with nc_calendar_list_events first.",
  scopes: ["calendar.write"],
  effect: "remove",
  reachesOthers: true,
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
      const names = matches.map((one) => nameOf(events, one))
      const listed = names.slice(0, 20)
      const where = input.to_calendar === undefined ? "" : ` “${input.to_calendar}”`
      return {
        what: `${pluralize(matches.length, "event")}: ${verbs[input.operation]}${where}`,
        details: [
          ...listed,
          ...(names.length > listed.length ? [`and ${names.length - listed.length} more`] : []),
          ...skipped.slice(0, 5).map(({ title }) => `“${title}” cannot be read or expanded, and stays as it is.`),
        ],
        guard: digestOf(matches),
      }
    },
  },
  async run(input, nextcloud, run) {
    const events = await loadEvents()
    const { matches, skipped } = await findFiles(nextcloud, events, input)
    if (run.loss?.guard !== undefined && run.loss.guard !== digestOf(matches)) {
      const current = matches.map((one) => nameOf(events, one))
      throw nextcloudError("conflict", {
        doing,
        because: "the matching events have changed since they were shown",
        current,
      })
    }
    const { to_calendar } = input
    const target = to_calendar === undefined ? undefined : await findTarget(nextcloud, to_calendar, "events", doing)
    const result = await doAll(matches, run, {
      act: ({ stored }) => doOne(nextcloud, events, { ...input, to_calendar: target }, stored),
      name: (one) => nameOf(events, one),
    })
    return { ...result, ...toNotListed(skipped) }
  },
})

const verbs: Readonly<Record<Operation, string>> = {
  update: "change them",
  delete: "delete them",
  move: "move them to the calendar",
}

/** Finds the matching files, each series once. */
async function findFiles(nextcloud: Nextcloud, events: Events, input: Input): Promise<MatchingEvents> {
  const { operation, changes = {}, to_calendar } = input
  if (operation === "move" && to_calendar === undefined)
    throw nextcloudError("invalid", {
      doing,
      because: "the target calendar is missing",
      advice: "Give `to_calendar`.",
    })
  if (operation === "update" && Object.values(changes).every((value) => value === undefined))
    throw nextcloudError("invalid", { doing, because: "there is nothing to change", advice: "Give `changes`." })
  if (operation !== "move" && to_calendar !== undefined)
    throw nextcloudError("invalid", { doing, because: "`to_calendar` is only for moving" })
  if (operation !== "update" && input.changes !== undefined)
    throw nextcloudError("invalid", { doing, because: "`changes` are only for updating" })
  const { matches, skipped } = await findEvents(nextcloud, events, input, doing)
  const once = new Map(matches.toReversed().map((one) => [one.stored.id, one]))
  if (once.size <= mostEvents) return { matches: [...once.values()].reverse(), skipped }
  const because = `${once.size} events match, more than ${mostEvents}`
  throw nextcloudError("invalid", { doing, because, advice: "Narrow it down." })
}

const nameOf = ({ toShortEvent }: Events, one: MatchingOccurrence): string => {
  const { title, start, recurring, attendees } = toShortEvent(one)
  const people = attendees === undefined ? "" : `, ${pluralize(attendees, "attendee")}`
  return `“${title}” on ${start}${recurring === true ? " (a series)" : ""}${people}`
}

const digestOf = (matches: readonly MatchingOccurrence[]): string =>
  createHash("sha256")
    .update(
      matches
        .map(({ stored }) => `${stored.id} ${stored.etag}`)
        .sort()
        .join("\n"),
    )
    .digest("hex")

interface Act {
  act(one: MatchingOccurrence): Promise<void>
  name(one: MatchingOccurrence): string
}

async function doAll(matches: readonly MatchingOccurrence[], run: Run, { act, name }: Act) {
  const failed: { event: string; why: string }[] = []
  let done = 0
  for (const one of matches) {
    if (run.signal.aborted) break
    try {
      await act(one)
      done++
    } catch (error) {
      failed.push({ event: name(one), why: (error as Error).message })
      if (isForAll(error)) return afterRefusal(error, { done, failed }, matches.length)
    }
    await run.progress(`${done + failed.length} of ${matches.length}`, (done + failed.length) / matches.length)
  }
  return { done, failed }
}

/**
 * Whether an error ends the whole run: the other events would be refused too, and too many refusals lock an account.
 */
const isForAll = (error: unknown): boolean =>
  !isNextcloudError(error) || ["unauthorized", "throttled", "unavailable", "failed", "full"].includes(error.kind)

type Failed = readonly { readonly event: string; readonly why: string }[]

function afterRefusal(error: unknown, { done, failed }: { done: number; failed: Failed }, all: number) {
  if (done === 0) throw error
  const left = all - done - failed.length
  const others = {
    event: pluralize(left, "other", "others"),
    why: "They were not attempted, and are unchanged.",
  }
  return { done, failed: left === 0 ? failed : [...failed, others] }
}

async function doOne(nextcloud: Nextcloud, events: Events, input: Input, stored: Stored): Promise<void> {
  const { operation, changes = {}, to_calendar = "" } = input
  const calendar = calendarOf(stored.id)
  if (operation === "delete") await inCalendar(nextcloud, calendar, doing, () => removeObject(nextcloud, stored, doing))
  else if (operation === "move") await moveTo(nextcloud, stored, to_calendar, doing)
  else {
    const series = seriesToChange(events, stored, doing)
    const making = { now: Date.now(), doing, newUid: randomUUID() }
    const { text } = events.changeEvent(series, { occurrence: "all" }, changes, making)
    await replaceObject(nextcloud, events, { ...stored, text }, doing)
  }
}

export const bulkTools: readonly Tool[] = [bulkOperations]
