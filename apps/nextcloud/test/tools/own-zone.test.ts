// A time without a zone is in the user's own zone, which Nextcloud stores; results name only other zones.

import { describe, expect, it } from "vitest"
import { calendarTools } from "../../src/tools/calendar/calendar.ts"
import { taskTools } from "../../src/tools/tasks/tasks.ts"
import { callTool, toolOf } from "../fits.ts"
import { type Connected, connect } from "../nextcloud.ts"
import { createdCalendar } from "../samples/calendar.ts"
import { openStage } from "./stage.ts"

const tools = [...calendarTools, ...taskTools]

const call = <O = Record<string, string>>({ nextcloud }: Connected, name: string, input: object): Promise<O> =>
  callTool<O>(toolOf(tools, name), input, nextcloud)

describe("a time without a zone", () => {
  it("is in the user's own zone, in events, tasks and free times", async () => {
    const { alice } = openStage()
    const event = await call(alice, "nc_calendar_create_event", { title: "A", start: "2026-11-20T10:30" })
    expect(event).toMatchObject({ start: "2026-11-20T10:30:00+01:00" })
    const { id: list } = await createdCalendar(alice.nextcloud, { name: "List", holds: "tasks" })
    const task = await call(alice, "nc_tasks_create_task", { list, title: "T" })
    const due = await call(alice, "nc_tasks_update_task", { task_id: task.id, due: "2026-12-01T18:00" })
    expect(due.due).toBe("2026-12-01T18:00:00+01:00")
    const range = { from: "2030-11-18T09:00", to: "2030-11-18T10:00", duration_minutes: 30 }
    type Free = { slots: readonly { start: string }[] }
    const { slots } = await call<Free>(alice, "nc_calendar_find_availability", range)
    expect(slots[0]?.start).toBe("2030-11-18T09:00:00+01:00")
  })

  it.each([
    ["2026-11-20T10:30", "2026-11-20T09:30:00Z"],
    ["2026-11-20", "2026-11-19T23:00:00Z"],
    ["2026-11-20T10:30-05:00", "2026-11-20T15:30:00Z"],
  ])("is in the user's own zone where a task was completed then: %s", async (completed, instant) => {
    const { alice } = openStage()
    const { id: list } = await createdCalendar(alice.nextcloud, { name: "List", holds: "tasks" })
    const task = await call(alice, "nc_tasks_create_task", { list, title: "T" })
    await call(alice, "nc_tasks_complete_task", { task_id: task.id, completed })
    expect(await call(alice, "nc_tasks_get_task", { task_id: task.id })).toMatchObject({ completed: instant })
  })

  it("that is a day means a day in the user's zone, where it limits a list", async () => {
    const { alice } = openStage()
    await call(alice, "nc_calendar_create_event", { title: "Late", start: "2026-11-20T23:30Z" })
    type Listed = { events: readonly { title: string }[] }
    const day = (on: string) => call<Listed>(alice, "nc_calendar_list_events", { from: on, to: on, query: "Late" })
    expect([(await day("2026-11-20")).events.length, (await day("2026-11-21")).events.length]).toEqual([0, 1])
  })

  it("is in the event's own zone when an event is changed", async () => {
    const { alice } = openStage()
    const zone = { timezone: "America/New_York" }
    const created = await call(alice, "nc_calendar_create_event", { title: "A", start: "2026-11-20T10:30", ...zone })
    const moved = await call(alice, "nc_calendar_update_event", { event_id: created.id, start: "2026-11-21T10:30" })
    expect(moved.start).toBe("2026-11-21T10:30:00-05:00")
  })

  it("is refused when Nextcloud does not know the user's zone either", async () => {
    const { standIn } = openStage()
    const unknown = connect(
      (request) =>
        request.url.includes("/cloud/user?")
          ? Promise.resolve(Response.json({ ocs: { meta: { status: "ok", statuscode: 200 }, data: { timezone: "" } } }))
          : standIn.fetch(request),
      { url: "http://localhost" },
    )
    const attempt = call(unknown, "nc_calendar_create_event", { title: "A", start: "2026-11-20T10:30" })
    await expect(attempt).rejects.toThrow("has no time zone")
    const { id: list } = await createdCalendar(unknown.nextcloud, { name: "List", holds: "tasks" })
    const task = await call(unknown, "nc_tasks_create_task", { list, title: "T" })
    const done = call(unknown, "nc_tasks_complete_task", { task_id: task.id, completed: "2026-11-20T10:30" })
    await expect(done).rejects.toThrow("with its offset")
    const free = call(unknown, "nc_calendar_find_availability", { duration_minutes: 30 })
    await expect(free).rejects.toThrow("the time zone of the user is not known")
  })
})

describe("the zone of a time", () => {
  const foreign = { timezone: "America/New_York" }
  const range = { from: "2030-11-18", to: "2030-11-22" }

  async function withEvents(connected: Connected) {
    const own = await call(connected, "nc_calendar_create_event", {
      ...{ title: "Own", start: "2030-11-20T10:30", timezone: "Europe/Berlin" },
    })
    const far = await call(connected, "nc_calendar_create_event", {
      ...{ title: "Far", start: "2030-11-20T10:30", ...foreign },
    })
    type Listed = { events: readonly { title: string; start: string; timezone?: string }[] }
    const { events } = await call<Listed>(connected, "nc_calendar_list_events", { calendar: "personal", ...range })
    const listed = Object.fromEntries(events.map(({ title, ...one }) => [title, one]))
    return { own, far, listed }
  }

  it("is named only if it is not the user's own, in lists, in one event and after writing", async () => {
    const { alice } = openStage()
    const { own, far, listed } = await withEvents(alice)
    for (const event of [own, listed.Own, await call(alice, "nc_calendar_get_event", { event_id: own.id })]) {
      expect(event).not.toHaveProperty("timezone")
      expect(event).toMatchObject({ start: "2030-11-20T10:30:00+01:00" })
    }
    for (const event of [far, listed.Far, await call(alice, "nc_calendar_get_event", { event_id: far.id })])
      expect(event).toMatchObject({ start: "2030-11-20T10:30:00-05:00", ...foreign })
  })

  it("is named for tasks in the same way", async () => {
    const { alice } = openStage()
    const { id: list } = await createdCalendar(alice.nextcloud, { name: "List", holds: "tasks" })
    const due = "2030-12-01T18:00"
    const own = await call(alice, "nc_tasks_create_task", { list, title: "Own", due, timezone: "Europe/Berlin" })
    const far = await call(alice, "nc_tasks_create_task", { list, title: "Far", due, ...foreign })
    type Listed = { tasks: readonly { title: string; timezone?: string }[] }
    const { tasks } = await call<Listed>(alice, "nc_tasks_list_tasks", { list })
    expect(Object.fromEntries(tasks.map(({ title, timezone }) => [title, timezone]))).toEqual({
      ...{ Own: undefined, Far: "America/New_York" },
    })
    expect(await call(alice, "nc_tasks_get_task", { task_id: own.id })).not.toHaveProperty("timezone")
    expect(await call(alice, "nc_tasks_get_task", { task_id: far.id })).toMatchObject(foreign)
  })

  it("is looked up once for many calls", async () => {
    const { alice } = openStage()
    await withEvents(alice)
    expect(alice.requests.filter(({ path }) => path.startsWith("/ocs/v2.php/cloud/user"))).toHaveLength(1)
  })

  it("is always named when Nextcloud does not know the user's", async () => {
    const { standIn } = openStage()
    const unknown = connect(
      (request) =>
        request.url.includes("/cloud/user?")
          ? Promise.resolve(new Response("<html>", { status: 500 }))
          : standIn.fetch(request),
      { url: "http://localhost" },
    )
    const { own, listed } = await withEvents(unknown)
    expect(own).toMatchObject({ timezone: "Europe/Berlin" })
    expect(listed.Own).toMatchObject({ timezone: "Europe/Berlin" })
  })
})
