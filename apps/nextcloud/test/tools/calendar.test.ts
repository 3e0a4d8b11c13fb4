// Calendars and events, against the stand-in: what is written is read back, and other programs' properties survive.

import { describe, expect, it } from "vitest"
import { calendarTools } from "../../src/tools/calendar/calendar.ts"
import { callTool, toolOf } from "../fits.ts"
import { calendarOf, eventOf } from "../ical/files.ts"
import { connect } from "../nextcloud.ts"
import { calendarSamples, createdCalendar, createdEvent, invitation, sharedByBob } from "../samples/calendar.ts"
import { type Listed, november, type Short, setUp, weekly } from "./calendar-stage.ts"
import { checkEvery } from "./every.ts"
import { failing } from "./recorded-call.ts"
import { openStage } from "./stage.ts"

checkEvery(calendarTools, calendarSamples)

it.each(Object.entries(calendarSamples).filter(([, { foreign }]) => foreign !== undefined))(
  "%s reports a missing permission",
  async (name, { foreign }) => {
    const call = callTool(toolOf(calendarTools, name), foreign ?? {}, openStage().alice.nextcloud)
    await expect(call).rejects.toMatchObject({ kind: "forbidden" })
  },
)

describe("listing events", () => {
  it("expands series in their own zone, with the recurrence_id of each occurrence", async () => {
    const { storeFile, listed } = setUp()
    const lines = ["DTSTART;TZID=Europe/Berlin:20261024T090000", "DTEND;TZID=Europe/Berlin:20261024T093000"]
    const moved = eventOf(
      "RECURRENCE-ID;TZID=Europe/Berlin:20261026T090000",
      "DTSTART:20261026T150000Z",
      "DURATION:PT1H",
    )
    storeFile("s.ics", calendarOf(eventOf(...lines, "RRULE:FREQ=DAILY;COUNT=4", "EXDATE:20261027T080000Z"), moved))
    const { events, total } = await listed({ from: "2026-10-01", to: "2026-10-31" })
    expect(total).toBe(3)
    expect(events.map(({ start, recurrence_id }) => [start, recurrence_id])).toEqual([
      ["2026-10-24T09:00:00+02:00", "2026-10-24T09:00:00+02:00"],
      ["2026-10-25T09:00:00+01:00", "2026-10-25T09:00:00+01:00"],
      ["2026-10-26T15:00:00Z", "2026-10-26T09:00:00+01:00"],
    ])
    expect(events[0]).toMatchObject({
      id: "personal/s.ics",
      end: "2026-10-24T09:30:00+02:00",
    })
  })

  it("filters before it pages, over all calendars", async () => {
    const { nextcloud, listed, requests, forget } = setUp()
    const { id } = await createdCalendar(nextcloud)
    for (let day = 10; day < 20; day++)
      await createdEvent(nextcloud, { start: `2026-11-${day}T09:00`, title: `Day ${day}` })
    const more = {
      location: "Köln",
      categories: ["Work"],
      status: "tentative",
      attendees: [{ email: "bob@example.org" }],
    }
    await createdEvent(nextcloud, { calendar: id, start: "2026-11-29T09:00", title: "Needle", ...more })
    forget()
    expect(await listed({ limit: 3 })).toMatchObject({ total: 11, next_cursor: "at-3" })
    // The home, and each of three calendars.
    expect(requests.map(({ method }) => method)).toEqual(["PROPFIND", "REPORT", "REPORT", "REPORT"])
    for (const filter of [
      { query: "köln" },
      { category: "work" },
      { status: "tentative" },
      { attendee: "BOB@" },
      { min_attendees: 1 },
    ]) {
      const { events, total } = await listed({ limit: 1, ...filter })
      expect([filter, total, events[0]?.title]).toEqual([filter, 1, "Needle"])
    }
    expect((await listed({ calendar: "PROJEKT" })).total).toBe(1)
    expect((await listed({ min_minutes: 61 })).total).toBe(0)
    expect((await listed({ limit: 10, cursor: "at-10" })).events.map(({ title }) => title)).toEqual(["Needle"])
  })

  it("counts days in the caller's time zone", async () => {
    const { nextcloud, starts } = setUp()
    await createdEvent(nextcloud, { start: "2026-11-10T23:30:00Z", duration_minutes: 15 })
    await createdEvent(nextcloud, { start: "2026-11-11", title: "All day" })
    expect(await starts({ from: "2026-11-11", to: "2026-11-11" })).toHaveLength(2)
    expect(await starts({ from: "2026-11-11", to: "2026-11-11", timezone: "UTC" })).toEqual(["2026-11-11"])
    expect(await starts({ from: "2026-11-12", to: "2026-11-12" })).toEqual([])
  })

  it("covers the next week by default", async () => {
    const { nextcloud, call } = setUp()
    const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    for (const days of [-1, 3, 20]) await createdEvent(nextcloud, { start: later(days) })
    expect((await call<Listed>("list_events", {})).total).toBe(1)
    expect((await call<Listed>("list_events", { days_ahead: 30 })).total).toBe(2)
  })

  it("leaves out unreadable events, and says how many", async () => {
    const { nextcloud, standIn } = setUp()
    for (const title of ["Good", "Broken"]) await createdEvent(nextcloud, { title })
    const breaking = connect(
      async (request) => {
        const answer = await standIn.fetch(request)
        return request.method === "REPORT"
          ? new Response((await answer.text()).replace("SUMMARY:Broken", "SUMMARY"), answer)
          : answer
      },
      { url: "http://localhost" },
    )
    const result = await callTool<Listed>(
      toolOf(calendarTools, "nc_calendar_list_events"),
      november,
      breaking.nextcloud,
    )
    expect([result.total, result.unreadable, result.events[0]?.title]).toEqual([1, 1, "Good"])
  })

  it.each([
    [{ from: "2026-11-30", to: "2026-11-01" }, /not after/],
    [{ from: "1990-01-01", to: "2026-11-01" }, /longer than/],
    [{ timezone: "Berlin" }, /not a time zone/],
    [{ cursor: "nonsense" }, /cursor/],
  ])("refuses %o", async (input, message) => {
    const { listed } = setUp()
    await expect(listed(input)).rejects.toThrow(message)
  })

  it("names the existing calendars when one does not exist", async () => {
    const { listed } = setUp()
    const { kind, message } = await failing(listed({ calendar: "Garden" }))
    expect(kind).toBe("not_found")
    expect(message).toContain("personal (“Personal”)")
  })
})

describe("creating events", () => {
  it("keeps the time zone, never overwrites, and links to the page", async () => {
    const { nextcloud, requests, call } = setUp()
    const created = await createdEvent(nextcloud, { alarms: [{ minutes_before: 15 }], categories: ["A"], priority: 3 })
    expect(created).toMatchObject({ start: "2026-11-20T10:30:00+01:00", end: "2026-11-20T11:30:00+01:00" })
    expect(requests[0]?.headers.get("if-none-match")).toBe("*")
    expect(requests[0]?.headers.get("content-type")).toBe("text/calendar; charset=utf-8")
    expect(requests[0]?.body).toContain("DTSTART;TZID=Europe/Berlin:20261120T103000")
    expect(requests[0]?.body).toContain("BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin")
    const path = decodeURIComponent(created.url.split("/edit/")[1] ?? "")
    expect(Buffer.from(path, "base64").toString()).toBe(`/remote.php/dav/calendars/alice/${created.id}`)
    expect(await call("get_event", { event_id: created.id })).toMatchObject({
      title: "Plänung 🗓",
      start: "2026-11-20T10:30:00+01:00",
      alarms: [{ minutes_before: 15, kind: "display" }],
      categories: ["A"],
      priority: 3,
    })
  })

  it("invites in the user's name, and returns the event as the server stored it", async () => {
    const { nextcloud, requests, call } = setUp()
    const attendees = [
      { email: "bob@example.org", name: "Bob" },
      { email: "eve@example.net", role: "optional" },
    ]
    const { id, etag } = await createdEvent(nextcloud, { attendees })
    const methods = requests.filter(({ path }) => path.startsWith("/remote.php/dav/")).map(({ method }) => method)
    expect(methods).toEqual(["PROPFIND", "PUT", "GET"])
    expect(requests[1]?.body).toContain("ORGANIZER;CN=Alice Example:mailto:alice@example.org")
    expect(etag).not.toBe("")
    expect(await call("get_event", { event_id: id })).toMatchObject({
      organizer: "alice@example.org",
      attendees: [
        { email: "bob@example.org", name: "Bob", answer: "needs_action" },
        { email: "eve@example.net", role: "optional", answer: "needs_action" },
      ],
    })
  })

  it("says that an account without an address cannot invite", async () => {
    const { standIn } = setUp()
    const admin = connect(standIn.fetch, { user: "admin", url: "http://localhost" })
    const { message } = await failing(createdEvent(admin.nextcloud, { attendees: [{ email: "bob@example.org" }] }))
    expect(message).toContain("no e-mail address")
  })

  it("says that a shared calendar is read-only, or that a calendar holds only tasks", async () => {
    const { world, nextcloud } = setUp()
    const calendar = await sharedByBob(world)
    expect((await failing(createdEvent(nextcloud, { calendar }))).message).toContain("read-only")
    const { id } = await createdCalendar(nextcloud, { name: "Todo", holds: "tasks" })
    expect((await failing(createdEvent(nextcloud, { calendar: id }))).message).toContain("holds only tasks")
  })

  it.each([403, 500])("reports a shared calendar as read-only if the server answers %s to a write", async (status) => {
    const { world, standIn } = setUp()
    const calendar = await sharedByBob(world)
    const { nextcloud } = connect(
      (request) =>
        request.method === "PUT" && request.url.includes(calendar)
          ? Promise.resolve(new Response("<html>Internal Server Error</html>", { status }))
          : standIn.fetch(request),
      { url: "http://localhost" },
    )
    const { message } = await failing(createdEvent(nextcloud, { calendar }))
    expect(message).toContain("read-only")
    expect(message).not.toContain("later")
  })

  it("works for a user whose id differs from the login name, in a subfolder", async () => {
    const { standIn } = setUp({ path: "/cloud" })
    const dora = connect(standIn.fetch, { user: "dora", url: "http://localhost/cloud" })
    const created = await createdEvent(dora.nextcloud)
    expect(dora.requests[0]?.path).toBe(`/cloud/remote.php/dav/calendars/ldap-7f3a/${created.id}`)
    const { id } = await createdCalendar(dora.nextcloud)
    const moved = await callTool(
      toolOf(calendarTools, "nc_calendar_move_event"),
      { event_id: created.id, to_calendar: id },
      dora.nextcloud,
    )
    expect(moved).toMatchObject({ calendar: id })
    expect(dora.requests.at(-1)?.headers.get("destination")).toContain(
      "/cloud/remote.php/dav/calendars/ldap-7f3a/projekt/",
    )
  })
})

const strange = ['X-FOO;X-P="a:b":raw\\, text', "CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO:https://example.org/"]
describe("changing events", () => {
  it("changes only what is given, under the etag, and keeps the rest", async () => {
    const { storeFile, call, raw, requests } = setUp()
    storeFile(
      "s.ics",
      calendarOf(eventOf("DTSTART;TZID=America/New_York:20261120T090000", "DURATION:PT30M", ...strange)),
    )
    const changed = await call<Short>("update_event", { event_id: "personal/s.ics", start: "2026-11-21T10:00" })
    expect(changed).toMatchObject({
      start: "2026-11-21T10:00:00-05:00",
      end: "2026-11-21T10:30:00-05:00",
      title: "Talk",
    })
    expect(requests.findLast(({ method }) => method === "PUT")?.headers.get("if-match")).toMatch(/^"[^"]+"$/)
    const text = await raw("personal/s.ics")
    for (const line of strange) expect(text).toContain(line)
  })

  it("changes one occurrence, the following ones, or all", async () => {
    const { storeFile, call, starts, nextcloud, raw } = setUp()
    storeFile("s.ics", calendarOf(eventOf(...weekly)))
    const event_id = "personal/s.ics"
    const second = { event_id, recurrence_id: "2026-11-09T09:00:00+01:00" }
    expect(await call("update_event", { ...second, start: "2026-11-10T09:00", title: "Moved" })).toMatchObject({
      title: "Moved",
      recurrence_id: "2026-11-09T09:00:00+01:00",
      start: "2026-11-10T09:00:00+01:00",
    })
    expect(await starts()).toEqual(["02", "10", "16", "23"].map((day) => `2026-11-${day}T09:00:00+01:00`))
    const third = { event_id, recurrence_id: "2026-11-16T09:00:00+01:00", occurrence: "following" }
    const split = await call<Short>("update_event", { ...third, duration_minutes: 15, start: "2026-11-16T12:00" })
    expect(split.id).not.toBe(event_id)
    expect(await starts()).toEqual([
      "2026-11-02T09:00:00+01:00",
      "2026-11-10T09:00:00+01:00",
      "2026-11-16T12:00:00+01:00",
      "2026-11-23T12:00:00+01:00",
    ])
    await call("update_event", { event_id: split.id, occurrence: "all", location: "Hall" })
    expect(await raw(split.id)).toContain("LOCATION:Hall")
    expect(await raw(event_id)).not.toContain("LOCATION:Hall")
    await expect(
      callTool(toolOf(calendarTools, "nc_calendar_update_event"), { event_id, title: "x" }, nextcloud),
    ).rejects.toThrow(/no occurrence is selected/)
  })

  it("returns the current event when it was changed between reading and writing", async () => {
    const { nextcloud, standIn } = setUp()
    const { id } = await createdEvent(nextcloud)
    let isFirst = true
    const racing = connect(
      async (request) => {
        if (request.method === "PUT" && isFirst) {
          isFirst = false
          await callTool(
            toolOf(calendarTools, "nc_calendar_update_event"),
            { event_id: id, title: "Faster" },
            nextcloud,
          )
        }
        return standIn.fetch(request)
      },
      { url: "http://localhost" },
    )
    const slow = callTool(
      toolOf(calendarTools, "nc_calendar_update_event"),
      { event_id: id, title: "Slow" },
      racing.nextcloud,
    )
    const { kind, current } = await failing(slow)
    expect(kind).toBe("conflict")
    expect(current).toMatchObject({ title: "Faster", id })
  })

  it("deletes the new series again when the old one cannot be ended", async () => {
    const { storeFile, standIn, starts } = setUp()
    storeFile("s.ics", calendarOf(eventOf(...weekly)))
    const refusing = connect(
      async (request) =>
        request.method === "PUT" && request.url.endsWith("s.ics")
          ? new Response("", { status: 507 })
          : standIn.fetch(request),
      { url: "http://localhost" },
    )
    const input = {
      event_id: "personal/s.ics",
      recurrence_id: "2026-11-16T09:00:00+01:00",
      occurrence: "following",
      title: "x",
    }
    const { kind } = await failing(
      callTool(toolOf(calendarTools, "nc_calendar_update_event"), input, refusing.nextcloud),
    )
    expect(kind).toBe("full")
    expect(refusing.requests.map(({ method }) => method)).toEqual(["GET", "PUT", "PUT", "DELETE"])
    expect(await starts()).toHaveLength(4)
  })

  it("answers an invitation, and refuses to answer for any other event", async () => {
    const { world, call, nextcloud } = setUp()
    const event_id = await invitation(world)
    await call("respond_to_invitation", { event_id, answer: "tentative" })
    const { attendees } = await call<{ attendees: readonly object[] }>("get_event", { event_id })
    expect(attendees).toContainEqual(expect.objectContaining({ email: "alice@example.org", answer: "tentative" }))
    const own = await createdEvent(nextcloud)
    expect((await failing(call("respond_to_invitation", { event_id: own.id, answer: "accepted" }))).message).toContain(
      "is not invited",
    )
  })

  it("moves an event with its UID and all its content", async () => {
    const { storeFile, call, raw, nextcloud, requests, forget } = setUp()
    storeFile("s.ics", calendarOf(eventOf(...weekly, ...strange)))
    const before = await raw("personal/s.ics")
    const { id } = await createdCalendar(nextcloud)
    forget()
    const moved = await call<Short>("move_event", { event_id: "personal/s.ics", to_calendar: id })
    expect(moved).toMatchObject({ id: "projekt/s.ics", calendar: "projekt" })
    expect(requests.map(({ method }) => method)).toEqual(["PROPFIND", "MOVE"])
    expect(requests[1]?.headers.get("overwrite")).toBe("F")
    expect(await raw(moved.id)).toBe(before)
    const { message } = await failing(call("move_event", { event_id: moved.id, to_calendar: "contact_birthdays" }))
    expect(message).toContain("read-only")
  })
})
