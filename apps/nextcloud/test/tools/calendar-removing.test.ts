// Deleting events, calendars, and many events in one call, against the stand-in.

import { describe, expect, it } from "vitest"
import { calendarTools } from "../../src/tools/calendar/calendar.ts"
import { aboutOf, callTool, confirmAndCall, toolOf } from "../fits.ts"
import { calendarOf, eventOf } from "../ical/files.ts"
import { connect } from "../nextcloud.ts"
import { createdCalendar, createdEvent, sharedByBob } from "../samples/calendar.ts"
import { november, setUp, weekly } from "./calendar-stage.ts"
import { failing } from "./recorded-call.ts"

describe("deleting events", () => {
  it("shows title, time and who may be notified, and deletes only what was shown", async () => {
    const { nextcloud, tool, call } = setUp()
    const { id } = await createdEvent(nextcloud, {
      attendees: [{ email: "bob@example.org", name: "Bob" }],
      location: "Köln",
    })
    const loss = await aboutOf(tool("delete_event"), { event_id: id }, nextcloud)
    expect(loss.what).toBe("the event “Plänung 🗓” on 2026-11-20 at 10:30:00+01:00")
    expect(loss.details).toEqual(["Where: Köln", "1 attendee may be notified that it is cancelled: Bob"])
    await call("update_event", { event_id: id, title: "Other" })
    const late = callTool(tool("delete_event"), { event_id: id }, nextcloud, { loss })
    expect(await failing(late)).toMatchObject({ kind: "conflict", current: { title: "Other" } })
    const { output } = await confirmAndCall<{ deleted: string }>(tool("delete_event"), { event_id: id }, nextcloud)
    expect(output.deleted).toContain("Other")
    expect((await failing(call("get_event", { event_id: id }))).kind).toBe("not_found")
  })

  it("deletes one occurrence, the following ones, and finally the whole series", async () => {
    const { storeFile, tool, starts, nextcloud, requests } = setUp()
    storeFile("s.ics", calendarOf(eventOf(...weekly)))
    const event_id = "personal/s.ics"
    const remove = (more: object) => confirmAndCall(tool("delete_event"), { event_id, ...more }, nextcloud)
    const { loss } = await remove({ recurrence_id: "2026-11-09T09:00:00+01:00" })
    expect(loss.details).toContain("It repeats: only this occurrence is deleted.")
    expect(await starts()).toHaveLength(3)
    await remove({ recurrence_id: "2026-11-16T09:00:00+01:00", occurrence: "following" })
    expect(await starts()).toEqual(["2026-11-02T09:00:00+01:00"])
    await remove({ recurrence_id: "2026-11-02T09:00:00+01:00" })
    expect(requests.at(-1)?.method).toBe("DELETE")
  })

  it("deletes a whole series when `occurrence` is all", async () => {
    const { storeFile, tool, starts, nextcloud, requests } = setUp()
    storeFile("s.ics", calendarOf(eventOf(...weekly)))
    const input = { event_id: "personal/s.ics", recurrence_id: "2026-11-09T09:00:00+01:00", occurrence: "all" }
    const { loss } = await confirmAndCall(tool("delete_event"), input, nextcloud)
    expect(loss.details).toContain("It repeats: the whole series is deleted.")
    expect(requests.at(-1)?.method).toBe("DELETE")
    expect(await starts()).toEqual([])
  })
})

describe("calendars", () => {
  it("are listed with the kinds of entries they hold and their owner", async () => {
    const { world, call } = setUp()
    const id = await sharedByBob(world)
    const { calendars } = await call<{ calendars: readonly { id: string }[] }>("list_calendars", {})
    expect(calendars.find((one) => one.id === "personal")).toMatchObject({
      name: "Personal",
      read_only: false,
      events: true,
      tasks: false,
    })
    expect(calendars.find((one) => one.id === id)).toMatchObject({ read_only: true, owner: "bob" })
    expect(calendars.map((one) => one.id)).not.toContain("inbox")
  })

  it("are created under a free address, with their names escaped", async () => {
    const { nextcloud, call, requests } = setUp()
    expect((await createdCalendar(nextcloud, { name: "<b>Ärbeit & Co</b>" })).id).toBe("b-a-rbeit-co-b")
    expect(requests[0]?.body).toContain("&#60;b&#62;")
    const again = await createdCalendar(nextcloud, { name: "<b>Ärbeit & Co</b>" })
    expect(again.id).toMatch(/^b-a-rbeit-co-b-[0-9a-f]{6}$/)
    await call("update_calendar", { calendar: again.id, name: "Neu 🗓", color: "#00ff00" })
    const { calendars } = await call<{ calendars: readonly { id: string }[] }>("list_calendars", {})
    expect(calendars.find((one) => one.id === again.id)).toMatchObject({ name: "Neu 🗓", color: "#00ff00" })
  })

  it("are deleted after their size was shown, and not if it has changed since", async () => {
    const { nextcloud, tool } = setUp()
    const { id } = await createdCalendar(nextcloud)
    await createdEvent(nextcloud, { calendar: id })
    const loss = await aboutOf(tool("delete_calendar"), { calendar: id }, nextcloud)
    expect(loss).toMatchObject({ what: "the calendar “Projekt”" })
    expect(loss.details?.[0]).toContain("1 event and 0 tasks")
    await createdEvent(nextcloud, { calendar: id })
    expect((await failing(callTool(tool("delete_calendar"), { calendar: id }, nextcloud, { loss }))).kind).toBe(
      "conflict",
    )
    const { output } = await confirmAndCall(tool("delete_calendar"), { calendar: id }, nextcloud)
    expect(output).toEqual({ deleted: "Projekt" })
  })
})

describe("many events in one call", () => {
  it("are shown, changed, moved and deleted only as they were found", async () => {
    const { nextcloud, tool, listed, requests, forget } = setUp()
    for (const day of [10, 11, 12])
      await createdEvent(nextcloud, { start: `2026-11-${day}T09:00`, title: `Old ${day}`, categories: ["X"] })
    await createdEvent(nextcloud, { title: "Kept" })
    const filter = { ...november, calendar: "personal", category: "x" }
    const bulk = tool("bulk_operations")
    const update = { operation: "update", ...filter, changes: { location: "Hall", categories: ["X"], alarms: [] } }
    const { loss, output } = await confirmAndCall(bulk, update, nextcloud)
    expect(loss.what).toBe("3 events: change them")
    expect(loss.details?.slice(0, 4)).toEqual([
      "New location: “Hall”",
      "New categories: X",
      "New alarms: none",
      "“Old 10” on 2026-11-10T09:00:00+01:00",
    ])
    expect(output).toEqual({ done: 3, failed: [] })
    expect((await listed({ query: "hall" })).total).toBe(3)

    const { id } = await createdCalendar(nextcloud)
    const move = { operation: "move", ...filter, to_calendar: id }
    const stale = await aboutOf(bulk, move, nextcloud)
    await createdEvent(nextcloud, { start: "2026-11-13T09:00", categories: ["X"] })
    expect((await failing(callTool(bulk, move, nextcloud, { loss: stale }))).kind).toBe("conflict")
    forget()
    await confirmAndCall(bulk, move, nextcloud)
    const moves = ["MOVE", "MOVE", "MOVE", "MOVE"]
    expect(requests.map(({ method }) => method)).toEqual(["REPORT", "REPORT", "PROPFIND", ...moves])
    expect((await listed({ calendar: id })).total).toBe(4)
    await confirmAndCall(bulk, { operation: "delete", ...filter, calendar: id }, nextcloud)
    expect((await listed()).events.map(({ title }) => title)).toEqual(["Kept"])
  })

  it("are not moved without a destination, nor updated without changes", async () => {
    const { call } = setUp()
    await expect(call("bulk_operations", { operation: "move" })).rejects.toThrow(/to_calendar/)
    await expect(call("bulk_operations", { operation: "update" })).rejects.toThrow(/nothing to change/)
  })

  it("are reported one by one when some fail", async () => {
    const { nextcloud, standIn } = setUp()
    for (const day of [10, 11]) await createdEvent(nextcloud, { start: `2026-11-${day}T09:00`, title: `Day ${day}` })
    let writes = 0
    const failingOnce = connect(
      async (request) =>
        request.method === "DELETE" && writes++ === 0 ? new Response("", { status: 412 }) : standIn.fetch(request),
      { url: "http://localhost" },
    )
    const input = { operation: "delete", ...november, calendar: "personal" }
    const { output } = await confirmAndCall<{ done: number; failed: readonly { event: string }[] }>(
      toolOf(calendarTools, "nc_calendar_bulk_operations"),
      input,
      failingOnce.nextcloud,
    )
    expect(output.done).toBe(1)
    expect(output.failed[0]?.event).toContain("Day 10")
  })
})
