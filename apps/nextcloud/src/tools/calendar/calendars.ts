// Tools that list, create, rename and delete calendars.

import { randomBytes } from "node:crypto"
import { davSend, multistatus, propfind } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { pluralize } from "../../pluralize.ts"
import { flag, integer, list, object, oneOf, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import type { Xml } from "../../xml.ts"
import { calendarServer, childOf, childrenOf, dav, oc, textOf, toDocument, xml } from "../../xml.ts"
import { assertDone, calendarPath, writeInCalendar } from "./api.ts"
import { isCalendar, readCalendars, toCalendar } from "./calendar-list.ts"

const calendar = object({
  id: text(),
  name: text(),
  color: optional(text()),
  description: optional(text()),
  read_only: flag(),
  owner: optional(text()),
  events: flag(),
  tasks: flag(),
})

const listCalendars = defineTool({
  name: "nc_calendar_list_calendars",
  title: "List calendars",
  description: "The user's calendars, own and shared, and what each holds.",
  scopes: ["calendar.read"],
  effect: "read",
  input: object({}),
  output: object({ calendars: list(calendar), total: integer() }),
  async run(_, nextcloud) {
    const all = await readCalendars(nextcloud)
    return { calendars: all.map(({ isOpaque: _, ...one }) => one), total: all.length }
  },
})

const color = optional(text("#rrggbb", { pattern: "^#[0-9a-fA-F]{6}$" }))

const createCalendar = defineTool({
  name: "nc_calendar_create_calendar",
  title: "Create a calendar",
  description: "Creates a calendar for events, a list for tasks, or one for both.",
  scopes: ["calendar.write"],
  effect: "add",
  input: object({
    name: text(undefined, { least: 1 }),
    description: optional(text()),
    color,
    holds: optional(oneOf(["events", "tasks", "both"], "default: events")),
  }),
  output: object({ id: text(), name: text() }),
  requestsNote: "One more when the address made from the name is taken, for example by a calendar in the trash.",
  async run({ name, description, color, holds = "events" }, nextcloud) {
    const kinds = { events: ["VEVENT"], tasks: ["VTODO"], both: ["VEVENT", "VTODO"] }[holds]
    const set = { xml: kinds.map((kind) => `<cal:comp name="${kind}"/>`).join("") }
    const components = xml`<cal:supported-calendar-component-set>${set}</cal:supported-calendar-component-set>`
    const content = xml`<d:set><d:prop>${propertiesOf({ name, description, color })}${components}</d:prop></d:set>`
    const id = await makeCalendar(nextcloud, name, toDocument("cal:mkcalendar", content))
    return { id, name }
  },
})

interface Properties {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly color?: string | undefined
}

function propertiesOf({ name, description, color }: Properties): Xml {
  const parts = [
    name === undefined ? undefined : xml`<d:displayname>${name}</d:displayname>`,
    description === undefined ? undefined : xml`<cal:calendar-description>${description}</cal:calendar-description>`,
    color === undefined ? undefined : xml`<x1:calendar-color>${color}</x1:calendar-color>`,
  ]
  return xml`${parts.filter((part) => part !== undefined)}`
}

/** Creates a calendar and returns its id, which is made from its name, with a random suffix when that is taken. */
async function makeCalendar(nextcloud: Nextcloud, name: string, body: string): Promise<string> {
  const activity = `creating the calendar “${name}”`
  const baseName = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40)
  const uniqueId = `${baseName === "" ? "calendar" : baseName}-${randomBytes(3).toString("hex")}`
  for (const id of baseName === "" ? [uniqueId] : [baseName, uniqueId]) {
    const path = await calendarPath(nextcloud, id)
    const answer = await davSend(nextcloud, { method: "MKCALENDAR", path, body, activity, accept: [405] })
    if (answer.status === 405) continue
    assertDone(answer, activity)
    return id
  }
  throw nextcloudError("conflict", { activity, status: 405 })
}

const calendarId = text("Its id")

const updateCalendar = defineTool({
  name: "nc_calendar_update_calendar",
  title: "Change a calendar",
  description: "Changes the name, color or description of a calendar.",
  scopes: ["calendar.write"],
  effect: "set",
  input: object({
    calendar: calendarId,
    name: optional(text(undefined, { least: 1 })),
    description: optional(text()),
    color,
  }),
  output: object({ id: text(), changed: list(text()) }),
  async run({ calendar, ...newFields }, nextcloud) {
    const activity = `changing the calendar “${calendar}”`
    const changes = Object.entries(newFields).filter(([, value]) => value !== undefined)
    if (changes.length === 0) throw nextcloudError("invalid", { activity, because: "there is nothing to change" })
    const body = toDocument("d:propertyupdate", xml`<d:set><d:prop>${propertiesOf(newFields)}</d:prop></d:set>`)
    return writeInCalendar(nextcloud, calendar, activity, async (id) => {
      const path = await calendarPath(nextcloud, id)
      const [updatedItem] = multistatus(
        await davSend(nextcloud, { method: "PROPPATCH", path, body, activity }),
        activity,
      )
      if ((updatedItem?.props.children.length ?? 0) < changes.length) throw nextcloudError("forbidden", { activity })
      return { id, changed: changes.map(([name]) => name) }
    })
  },
})

const deleteCalendar = defineTool({
  name: "nc_calendar_delete_calendar",
  title: "Delete a calendar",
  description: "Deletes a calendar with all entries; a shared one is only removed from the user's list.",
  scopes: ["calendar.write"],
  effect: "remove",
  reach: "ended",
  input: object({ calendar: calendarId }),
  output: object({ deleted: text("Its name") }),
  requests: 2,
  notRecorded: "With whom a calendar is shared.",
  confirm: {
    verb: "Delete",
    async readLoss({ calendar }, nextcloud) {
      const { name, events, tasks, owner, guard, others } = await readContents(nextcloud, calendar)
      const contentsText = `${pluralize(events, "event")} and ${pluralize(tasks, "task")} go with it, to the trash of the Calendar app.`
      const details = [
        owner === undefined
          ? contentsText
          : `It belongs to ${owner}: it is only removed from your list, and nothing is lost.`,
      ]
      const sharingText = others.length === 0 ? [] : [`It is shared with ${others.join(", ")}: they lose it too.`]
      return { what: `the calendar “${name}”`, details: [...details, ...sharingText], guard }
    },
  },
  async run({ calendar }, nextcloud, { loss }) {
    // The server ignores If-Match when a calendar is deleted, so the current state is compared with what was shown.
    const activity = `deleting the calendar “${calendar}”`
    const { guard, ...contents } = await readContents(nextcloud, calendar)
    if (loss?.guard !== undefined && loss.guard !== guard)
      throw nextcloudError("conflict", { activity, current: contents })
    const path = await calendarPath(nextcloud, contents.id)
    assertDone(await nextcloud.send({ method: "DELETE", path, activity }), activity)
    return { deleted: contents.name }
  },
})

/** The calendar, the number of its entries, and a guard that changes with its content. */
async function readContents(nextcloud: Nextcloud, calendar: string) {
  const activity = `reading the calendar “${calendar}”`
  const props = xml`<d:resourcetype/><d:displayname/><oc:owner-principal/><oc:invite/><cs:getctag/><d:getcontenttype/><d:getetag/>`
  return writeInCalendar(nextcloud, calendar, activity, async (id) => {
    const items = await propfind(nextcloud, { path: await calendarPath(nextcloud, id), props, depth: 1, activity })
    const calendarItem = items.find(isCalendar)
    if (calendarItem === undefined) throw nextcloudError("not_found", { activity })
    const { name, owner } = toCalendar(calendarItem, await nextcloud.userId())
    const kinds = items.map(({ props }) => textOf(props, dav, "getcontenttype") ?? "")
    return {
      id,
      name,
      ...(owner === undefined ? {} : { owner }),
      events: kinds.filter((kind) => /component=vevent/i.test(kind)).length,
      tasks: kinds.filter((kind) => /component=vtodo/i.test(kind)).length,
      others: childrenOf(childOf(calendarItem.props, oc, "invite"), oc, "user").map(
        (user) => textOf(user, oc, "common-name") || textOf(user, dav, "href") || "others",
      ),
      guard: textOf(calendarItem.props, calendarServer, "getctag") ?? "",
    }
  })
}

export const calendarsTools = [listCalendars, createCalendar, updateCalendar, deleteCalendar]
