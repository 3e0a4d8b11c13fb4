// Calendar edge cases: days that do not exist, names of JavaScript's own members, arguments that would be ignored, and
// work that must stop at the first refusal.

import { describe, expect, it } from "vitest"
import { namedZone, parseTime } from "../../src/ical/calendar-time.ts"
import { newTask } from "../../src/ical/task.ts"
import { zoneOf } from "../../src/ical/zone.ts"
import { calendarTools } from "../../src/tools/calendar/calendar.ts"
import { taskTools } from "../../src/tools/tasks/tasks.ts"
import { aboutOf, callTool, toolOf } from "../fits.ts"
import { always, connect } from "../nextcloud.ts"
import { createdEvent, sharedByBob } from "../samples/calendar.ts"
import { openStage } from "./stage.ts"

const activity = "trying it"
const all = [...calendarTools, ...taskTools]

describe("a time", () => {
  it.each([
    "2026-13-20",
    "2026-00-20",
    "2026-02-30",
    "2026-01-20T10:00:99",
    "2026-01-20T10:00+25:00",
    "2026-01-20T10:00+01:99",
  ])("that does not exist is refused: %s", (text) => {
    expect(() => parseTime(text, activity)).toThrow("is not a date or time")
  })

  it.each(["constructor", "__proto__", "toString"])("has no zone named %s", (name) => {
    expect(() => namedZone(name, activity)).toThrow(expect.objectContaining({ kind: "invalid" }))
    expect(zoneOf(name, undefined)).toMatchObject({ isUnknown: true, name })
  })

  it("that the clock skips in spring is listed as its actual instant, and found by it", async () => {
    const { alice } = openStage()
    const series = { start: "2027-03-27T02:30", duration_minutes: 30, recurrence: "FREQ=DAILY;COUNT=3" }
    const { id } = await createdEvent(alice.nextcloud, { ...series, timezone: "Europe/Berlin" })
    const list = toolOf(calendarTools, "nc_calendar_list_events")
    const range = { calendar: "personal", from: "2027-03-28", to: "2027-03-28", timezone: "Europe/Berlin" }
    const { events } = await callTool<{ events: { start: string; recurrence_id: string }[] }>(
      list,
      range,
      alice.nextcloud,
    )
    expect(events).toMatchObject([{ start: "2027-03-28T03:30:00+02:00", end: "2027-03-28T04:00:00+02:00" }])
    const { recurrence_id } = events[0] ?? {}
    const changed = { event_id: id, recurrence_id, title: "Only this" }
    await callTool(toolOf(calendarTools, "nc_calendar_update_event"), changed, alice.nextcloud)
    const now = await callTool<{ events: { title: string }[] }>(list, range, alice.nextcloud)
    expect(now.events.map(({ title }) => title)).toEqual(["Only this"])
  })

  it("of an event is kept when only the date changes", async () => {
    const { alice } = openStage()
    const created = await createdEvent(alice.nextcloud, { start: "2026-11-20T10:30", duration_minutes: 90 })
    const update = toolOf(calendarTools, "nc_calendar_update_event")
    const moved = await callTool(update, { event_id: created.id, start: "2026-11-25" }, alice.nextcloud)
    expect(moved).toMatchObject({ start: "2026-11-25T10:30:00+01:00", end: "2026-11-25T12:00:00+01:00" })
    const days = await callTool(update, { event_id: created.id, start: "2026-11-26", all_day: true }, alice.nextcloud)
    expect(days).toMatchObject({ start: "2026-11-26", end: "2026-11-26" })
  })
})

describe("an argument", () => {
  it.each([
    ["nc_calendar_list_events", { to: "2026-12-01", days_ahead: 3 }],
    ["nc_calendar_bulk_operations", { operation: "delete", to_calendar: "work" }],
    ["nc_calendar_bulk_operations", { operation: "move", to_calendar: "work", changes: { title: "x" } }],
    ["nc_tasks_create_task", { list: "tasks", title: "x", timezone: "Europe/Berlin" }],
    ["nc_tasks_create_task", { list: "tasks", title: "x", alarms: [{ minutes_before: 5 }] }],
    ["nc_calendar_create_event", { title: "x", start: "2026-11-20", recurrence: "constructor" }],
    ["nc_calendar_delete_calendar", { calendar: "" }],
    ["nc_calendar_delete_calendar", { calendar: ".." }],
    ["nc_calendar_delete_calendar", { calendar: "../bob/personal" }],
    ["nc_calendar_list_events", { calendar: "" }],
  ] as const)("is refused when it would be ignored or lead elsewhere: %s %j", async (name, input) => {
    const { alice } = openStage()
    await expect(callTool(toolOf(all, name), input, alice.nextcloud)).rejects.toMatchObject({ kind: "invalid" })
    expect(alice.requests.filter(({ method }) => !["PROPFIND", "REPORT"].includes(method))).toEqual([])
  })

  it("may be an etag as servers and proxies write it", async () => {
    const { alice } = openStage()
    const created = await createdEvent(alice.nextcloud)
    const input = { event_id: created.id, title: "New", etag: `W/"${created.etag}-gzip"` }
    const changed = await callTool(toolOf(calendarTools, "nc_calendar_update_event"), input, alice.nextcloud)
    expect(changed).toMatchObject({ title: "New" })
  })
})

describe("tasks", () => {
  it("are found by each status, and keep the given time of completion", async () => {
    const { alice } = openStage()
    const call = <O>(name: string, input: object): Promise<O> => callTool<O>(toolOf(all, name), input, alice.nextcloud)
    const { id: list } = await call<{ id: string }>("nc_calendar_create_calendar", { name: "Todo", holds: "tasks" })
    for (const status of ["open", "in_progress", "cancelled"])
      await call("nc_tasks_create_task", { list, title: status, status })
    const titles = async (status: string) =>
      (await call<{ tasks: { title: string }[] }>("nc_tasks_list_tasks", { list, status })).tasks.map(
        ({ title }) => title,
      )
    expect(await titles("in_progress")).toEqual(["in_progress"])
    expect(await titles("cancelled")).toEqual(["cancelled"])
    expect((await titles("open")).sort()).toEqual(["in_progress", "open"])
    const { id } = await call<{ id: string }>("nc_tasks_create_task", { list, title: "x" })
    await call("nc_tasks_complete_task", { task_id: id, completed: "2026-11-14T18:00:00+01:00" })
    expect(await call("nc_tasks_get_task", { task_id: id })).toMatchObject({ completed: "2026-11-14T17:00:00Z" })
  })
})

describe("a reminder of a task", () => {
  const making = { now: Date.UTC(2026, 10, 15), activity }

  it("is relative to the due time, or to the start of a task without one", () => {
    const text = newTask(
      "t1",
      { title: "T", start: "2026-11-29", due: "2026-11-30", alarms: [{ minutes_before: 15 }] },
      making,
    )
    expect(text).toContain("TRIGGER;RELATED=END:-PT15M")
    expect(newTask("t1", { title: "T", start: "2026-11-29", alarms: [{ minutes_before: 15 }] }, making)).toContain(
      "TRIGGER:-PT15M",
    )
  })

  it("is replaced, and read back as it was given", async () => {
    const { alice } = openStage()
    const call = <O>(name: string, input: object): Promise<O> => callTool<O>(toolOf(all, name), input, alice.nextcloud)
    const list = await call<{ id: string }>("nc_calendar_create_calendar", { name: "Todo", holds: "tasks" })
    const task = { list: list.id, title: "T", due: "2026-11-30", alarms: [{ minutes_before: 15 }] }
    const { id } = await call<{ id: string }>("nc_tasks_create_task", task)
    await call("nc_tasks_update_task", { task_id: id, alarms: [{ minutes_before: 30 }] })
    const whole = await call<{ alarms: unknown[] }>("nc_tasks_get_task", { task_id: id })
    expect(whole.alarms).toEqual([{ minutes_before: 30, kind: "display" }])
  })
})

describe("a shared calendar", () => {
  it("names the people who lose it before it is deleted", async () => {
    const stage = openStage()
    const { standIn, alice, bob } = stage
    const calendar = await sharedByBob({ standIn, alice: alice.nextcloud, bob: bob.nextcloud })
    const remove = toolOf(calendarTools, "nc_calendar_delete_calendar")
    const loss = await aboutOf(remove, { calendar: calendar.replace(/_shared_by_bob$/, "") }, bob.nextcloud)
    expect(loss.details?.join(" ")).toContain("It is shared with Alice Example: they lose it too.")
    const theirs = await aboutOf(remove, { calendar }, alice.nextcloud)
    expect(theirs.details?.join(" ")).not.toContain("lose it too")
  })
})

describe("a bulk operation", () => {
  it("stops at the first refusal of the credentials, so that it does not lock the account", async () => {
    const stage = openStage()
    for (const day of [20, 21, 22, 23])
      await createdEvent(stage.alice.nextcloud, { start: `2026-11-${day}T09:00`, title: "Same" })
    let refusals = 0
    const { nextcloud } = connect(
      async (request) => {
        if (request.method !== "DELETE" || refusals++ === 0) return stage.standIn.fetch(request)
        return new Response("", { status: 401 })
      },
      { url: "http://localhost" },
    )
    const bulk = toolOf(calendarTools, "nc_calendar_bulk_operations")
    const input = { operation: "delete", query: "Same", from: "2026-11-01", to: "2026-11-30" }
    const loss = await aboutOf(bulk, input, nextcloud)
    const output = await callTool<{ done: number; failed: { event: string; why: string }[] }>(bulk, input, nextcloud, {
      loss,
    })
    expect(refusals).toBe(2)
    expect(output.done).toBe(1)
    expect(output.failed.map(({ event }) => event)).toEqual([expect.stringContaining("Same"), "2 others"])
  })

  it("fails when nothing could be done", async () => {
    const { nextcloud } = connect(always(() => new Response("", { status: 401 })))
    const bulk = toolOf(calendarTools, "nc_calendar_bulk_operations")
    const attempt = callTool(bulk, { operation: "delete", calendar: "personal" }, nextcloud)
    await expect(attempt).rejects.toMatchObject({ kind: "unauthorized" })
  })
})
