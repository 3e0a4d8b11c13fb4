// Undocumented behaviour of Nextcloud's calendars: encoded addresses, confidential events with hidden details, moves
// into calendars for other components.

import { calendarsOf } from "@holdpoint/nextcloud-stand-in"
import { describe, expect, it } from "vitest"
import { calendarTools } from "../../src/tools/calendar/calendar.ts"
import { eventLink } from "../../src/tools/calendar/event.ts"
import { taskTools } from "../../src/tools/tasks/tasks.ts"
import { callTool, confirmAndCall, toolOf } from "../fits.ts"
import { calendarOf } from "../ical/files.ts"
import { connect } from "../nextcloud.ts"
import { createdCalendar, createdEvent } from "../samples/calendar.ts"
import { createdList, createdTask } from "../samples/tasks.ts"
import { setUp } from "./calendar-stage.ts"
import { failing } from "./recorded-call.ts"

const all = [...calendarTools, ...taskTools]
const meeting = { title: "Plan", start: "2026-11-20T10:00", timezone: "Europe/Berlin" }
const asked = { duration_minutes: 60, from: "2031-01-06", to: "2031-01-06", timezone: "Europe/Berlin" }

function withAddress(email: string) {
  const stage = setUp()
  const alice = stage.standIn.world.users.get("alice")
  if (alice !== undefined) Object.assign(alice, { email })
  return stage
}

describe("an e-mail address with a plus sign", () => {
  it("is written as it is in invitations, though the server returns it encoded", async () => {
    const { call, raw } = withAddress("alice+work@example.org")
    const { id } = await call<{ id: string }>("create_event", {
      ...meeting,
      attendees: [{ email: "Bob@Example.org" }],
    })
    const text = (await raw(id)).replace(/\r\n[ \t]/g, "")
    expect(text).toMatch(/^ORGANIZER.*:mailto:alice\+work@example\.org\r$/m)
    // The server recognised the user as the organizer: it adds the delivery status of the invitation.
    expect(text).toMatch(/^ATTENDEE.*SCHEDULE-STATUS=.*:mailto:bob@example\.org\r$/m)
  })

  it("can answer an invitation", async () => {
    const { call, raw, storeFile } = withAddress("alice+work@example.org")
    const people = ["ORGANIZER:mailto:bob@example.org", "ATTENDEE;RSVP=TRUE:mailto:Alice+Work@example.org"]
    const times = ["DTSTART:20261120T090000Z", "DTEND:20261120T100000Z"]
    storeFile(
      "i.ics",
      calendarOf("BEGIN:VEVENT", "UID:i", "DTSTAMP:20261101T000000Z", ...times, ...people, "END:VEVENT"),
    )
    await call("respond_to_invitation", { event_id: "personal/i.ics", answer: "accepted" })
    expect(await raw("personal/i.ics")).toContain("PARTSTAT=ACCEPTED")
  })

  it.each([
    ["alice+work@example.org", "ORGANIZER:mailto:alice%2bwork@example.org"],
    ["", "ORGANIZER:/remote.php/dav/principals/users/alice/"],
  ])("or none at all has the server's form in a request for busy times: %j", async (email, line) => {
    const { call, requests, world } = withAddress(email)
    await createdEvent(world.bob, { start: "2031-01-06T09:00", timezone: "Europe/Berlin", duration_minutes: 60 })
    const availability = await call<{ slots: { start: string }[]; unknown: unknown[] }>("find_availability", {
      ...asked,
      attendees: ["mailto:bob@example.org"],
    })
    expect(requests.find(({ method }) => method === "POST")?.body.split("\r\n")).toContain(line)
    expect(availability.unknown).toEqual([])
    expect(availability.slots[0]?.start).toBe("2031-01-06T10:00:00+01:00")
  })
})

describe("a confidential event that shows only its time", () => {
  const confidential = (...lines: readonly string[]) =>
    calendarOf("BEGIN:VEVENT", "UID:c", "CLASS:CONFIDENTIAL", "SUMMARY:Busy", ...lines, "END:VEVENT")
  const once = ["DTSTART:20261120T090000Z", "DTEND:20261120T100000Z"]

  it.each([
    ["update_event", { event_id: "personal/c.ics", location: "x", occurrence: "all" }],
    ["update_event", { event_id: "personal/c.ics", recurrence_id: "2026-11-21T09:00:00Z", location: "x" }],
    [
      "update_event",
      { event_id: "personal/c.ics", recurrence_id: "2026-11-21T09:00:00Z", occurrence: "following", title: "x" },
    ],
    ["delete_event", { event_id: "personal/c.ics", recurrence_id: "2026-11-21T09:00:00Z" }],
    ["respond_to_invitation", { event_id: "personal/c.ics", answer: "accepted" }],
  ])("is not written back: %s %j", async (name, input) => {
    const { call, storeFile, requests } = setUp()
    storeFile("c.ics", confidential(...once, "RRULE:FREQ=DAILY"))
    const { kind, message } = await failing(call(name, input))
    expect([kind, message]).toEqual(["forbidden", expect.stringContaining("confidential")])
    expect(requests.filter(({ method }) => method === "PUT" || method === "DELETE")).toEqual([])
  })

  it("is skipped by a bulk change, and can be deleted as a whole", async () => {
    const { call, storeFile, tool, nextcloud, raw } = setUp()
    storeFile("c.ics", confidential(...once))
    const filter = { calendar: "personal", from: "2026-11-01", to: "2026-11-30" }
    const changed = await call<{ done: number; failed: { why: string }[] }>("bulk_operations", {
      operation: "update",
      ...filter,
      changes: { location: "x" },
    })
    expect(changed).toMatchObject({ done: 0, failed: [{ why: expect.stringContaining("confidential") }] })
    expect(await raw("personal/c.ics")).toBe(confidential(...once))
    await confirmAndCall(tool("delete_event"), { event_id: "personal/c.ics" }, nextcloud)
  })

  it("with all its details, as its owner sees it, is changed like any other", async () => {
    const { call, storeFile, raw } = setUp()
    storeFile("c.ics", confidential("DTSTAMP:20261101T000000Z", ...once))
    await call("update_event", { event_id: "personal/c.ics", location: "Hall" })
    expect(await raw("personal/c.ics")).toContain("LOCATION:Hall")
  })

  it("can also be a task, and then it cannot be completed", async () => {
    const { nextcloud, standIn } = setUp()
    const list = await createdList(nextcloud, "Theirs")
    const task = calendarOf("BEGIN:VTODO", "UID:c", "CLASS:CONFIDENTIAL", "SUMMARY:Busy", "END:VTODO")
    calendarsOf(standIn.world).put("alice", list, "c.ics", task)
    const complete = callTool(toolOf(all, "nc_tasks_complete_task"), { task_id: `${list}/c.ics` }, nextcloud)
    expect((await failing(complete)).kind).toBe("forbidden")
  })
})

describe("a move", () => {
  it("does not put an event into a task list or a task into a calendar of events", async () => {
    const { nextcloud, requests, call, tool } = setUp()
    const list = await createdList(nextcloud, "Todo")
    const { id } = await createdEvent(nextcloud)
    const task = await createdTask(nextcloud, { list })
    const calls = [
      call("move_event", { event_id: id, to_calendar: list }),
      callTool(toolOf(all, "nc_tasks_move_task"), { task_id: task.id, to_list: "personal" }, nextcloud),
      callTool(
        tool("bulk_operations"),
        { operation: "move", calendar: "personal", from: "2020-01-01", to: "2029-01-01", to_calendar: list },
        nextcloud,
      ),
    ]
    const failures = await Promise.all(calls.map(failing))
    expect(failures.map(({ kind, message }) => [kind, / holds only (\w+)/.exec(message)?.[1]])).toEqual([
      ["invalid", "tasks"],
      ["invalid", "events"],
      ["invalid", "tasks"],
    ])
    expect(requests.filter(({ method }) => method === "MOVE")).toEqual([])
  })

  it("accepts the name of a calendar, and reports when no calendar has it", async () => {
    const { nextcloud, call } = setUp()
    const { id } = await createdEvent(nextcloud)
    await createdCalendar(nextcloud)
    const { message, kind } = await failing(call("move_event", { event_id: id, to_calendar: "nowhere" }))
    expect([kind, message]).toEqual(["not_found", expect.stringContaining("there is no calendar “nowhere”")])
    expect(await call("move_event", { event_id: id, to_calendar: "PROJEKT" })).toMatchObject({ calendar: "projekt" })
  })

  it("is refused for an outdated etag", async () => {
    const { nextcloud, call } = setUp()
    const { id } = await createdEvent(nextcloud)
    const { id: to_calendar } = await createdCalendar(nextcloud)
    const { kind } = await failing(call("move_event", { event_id: id, to_calendar, etag: "older" }))
    expect(kind).toBe("conflict")
  })
})

it("a link to an event contains the server's own address for it", async () => {
  const principal = "/remote.php/dav/principals/users/ann@example.org/"
  const body = `<d:multistatus xmlns:d="DAV:"><d:response><d:href>/</d:href><d:propstat><d:prop><d:current-user-principal><d:href>${principal}</d:href></d:current-user-principal></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`
  const { nextcloud } = connect(async () => new Response(body, { status: 207 }), { url: "http://cloud.test/nc" })
  const link = await eventLink(nextcloud, "b%C3%BCro/it's%20(1).ics")
  const encoded = decodeURIComponent(link.split("/").at(-1) ?? "")
  expect(Buffer.from(encoded, "base64").toString()).toBe(
    "/nc/remote.php/dav/calendars/ann@example.org/b%c3%bcro/it%27s%20(1).ics",
  )
})
