// Calendars and tasks from recorded responses of a real server.

import { describe, expect, it } from "vitest"
import { calendarTools } from "../../src/tools/calendar/calendar.ts"
import { taskTools } from "../../src/tools/tasks/tasks.ts"
import { recorded } from "../recorded.ts"
import { createRecordedCaller, failing } from "./recorded-call.ts"

const who = {
  method: "PROPFIND",
  path: "/remote.php/dav/",
  status: 207,
  type: "application/xml",
  body: '<d:multistatus xmlns:d="DAV:"><d:response><d:href>/remote.php/dav/</d:href><d:propstat><d:prop><d:current-user-principal><d:href>/remote.php/dav/principals/users/alice/</d:href></d:current-user-principal></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>',
}

const listOfTasks =
  '<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>/remote.php/dav/calendars/alice/tasks/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:current-user-privilege-set><d:privilege><d:write/></d:privilege></d:current-user-privilege-set><c:supported-calendar-component-set><c:comp name="VTODO"/></c:supported-calendar-component-set></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>'

const callRecorded = createRecordedCaller([...calendarTools, ...taskTools])
const caldav = (...labels: readonly string[]) => recorded("caldav", labels, [who])

describe("from a real server", () => {
  it("calendars are read, without inbox, outbox and trash", async () => {
    const { output, sent } = await callRecorded("nc_calendar_list_calendars", {}, caldav("home PROPFIND depth 1"))
    expect(output).toEqual({
      calendars: [
        { id: "personal", name: "Personal", color: "#00679e", read_only: false, events: true, tasks: false },
        {
          id: "contact_birthdays",
          name: "Contact birthdays",
          color: "#E9D859",
          read_only: true,
          events: true,
          tasks: false,
        },
        {
          id: "app-generated--deck--board-1",
          name: "Deck: Welcome to Nextcloud Deck!",
          color: "#bf678b",
          read_only: true,
          events: false,
          tasks: true,
        },
      ],
      total: 3,
    })
    expect(sent).toHaveLength(1)
  })

  it("events of a range are read, with a series as its occurrences", async () => {
    const range = { calendar: "work", from: "2026-11-15", to: "2026-11-21", timezone: "UTC" }
    const { output, sent } = await callRecorded(
      "nc_calendar_list_events",
      range,
      caldav("REPORT calendar-query time-range"),
    )
    const events = output.events as readonly { title: string; start: string; recurrence_id?: string }[]
    expect(events.map(({ title, start }) => [title, start])).toEqual([
      ["Standup", "2026-11-16T08:00:00Z"],
      ["Standup", "2026-11-18T08:00:00Z"],
      ["x", "2026-11-20T09:00:00Z"],
      ["Updated ✓", "2026-11-20T09:30:00Z"],
      ["Meeting", "2026-11-21T09:00:00Z"],
    ])
    // One day more on each side: the server counts days in UTC.
    expect(sent[0]).toContain('<cal:time-range start="20261114T000000Z" end="20261123T000000Z"/>')
  })

  it("tasks are read with status, priority, day and categories", async () => {
    const { output } = await callRecorded("nc_tasks_list_tasks", { list: "work" }, caldav("REPORT VTODO"))
    expect(output.tasks).toEqual([
      {
        id: "work/todo1.ics",
        list: "work",
        uid: "todo1@rec",
        title: "Einkaufen ✓",
        status: "open",
        due: "2026-11-30T18:00:00Z",
        timezone: "UTC",
        priority: 5,
        categories: ["Haus", "Büro"],
        url: "http://cloud.test/index.php/apps/tasks/calendars/work/tasks/todo1.ics",
      },
    ])
  })

  it("an event is read with its etag", async () => {
    const { output } = await callRecorded("nc_calendar_get_event", { event_id: "work/ev1.ics" }, caldav("GET event"))
    expect(output).toMatchObject({
      title: "Bespräch mit 测试 🦊",
      description: "Line one\nLine two, comma",
      location: "Zürich",
      etag: "512ac8fc4bc4e11a30ca594b0b017240",
      start: "2026-11-20T09:00:00Z",
    })
  })

  it("a task is moved to the given list", async () => {
    const home = { ...who, path: "/remote.php/dav/calendars/alice/", body: listOfTasks }
    const { output } = await callRecorded(
      "nc_tasks_move_task",
      { task_id: "work/todo1.ics", to_list: "tasks" },
      recorded("caldav", ["MOVE event between calendars"], [who, home]),
    )
    expect(output).toMatchObject({ id: "tasks/todo1.ics", list: "tasks" })
  })

  it("a calendar gets a new name and color", async () => {
    const wanted = { calendar: "work", name: "Work ✓", color: "#00aa00" }
    const { output, sent } = await callRecorded(
      "nc_calendar_update_calendar",
      wanted,
      caldav("PROPPATCH rename calendar"),
    )
    expect(output).toEqual({ id: "work", changed: ["name", "color"] })
    expect(sent[0]).toContain("<d:displayname>Work ✓</d:displayname>")
  })

  it.each([
    ["nc_calendar_get_event", { event_id: "work/none.ics" }, "GET missing event", "not_found"],
    ["nc_tasks_get_task", { task_id: "work/ev1.ics" }, "GET event", "not_found"],
  ])("%s with %o is reported as not found", async (name, input, label, kind) => {
    expect((await failing(callRecorded(name, input, caldav(label)))).kind).toBe(kind)
  })
})
