// A time without a zone is one of the user's own, which Nextcloud knows; it is asked for only where it is needed.

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

const asked = ({ seen }: Connected): boolean => seen.some(({ path }) => path.startsWith("/ocs/v2.php/cloud/user"))

describe("a time without a zone", () => {
  it("is one of the user's own, in events, tasks and free times", async () => {
    const { alice } = openStage()
    const event = await call(alice, "nc_calendar_create_event", { title: "A", start: "2026-11-20T10:30" })
    expect(event).toMatchObject({ start: "2026-11-20T10:30:00+01:00", timezone: "Europe/Berlin" })
    const { id: list } = await createdCalendar(alice.nextcloud, { name: "List", holds: "tasks" })
    const task = await call(alice, "nc_tasks_create_task", { list, title: "T" })
    const due = await call(alice, "nc_tasks_update_task", { task_id: task.id, due: "2026-12-01T18:00" })
    expect(due.due).toBe("2026-12-01T18:00:00+01:00")
    const range = { from: "2030-11-18T09:00", to: "2030-11-18T10:00", duration_minutes: 30 }
    type Free = { slots: readonly { start: string }[] }
    const { slots } = await call<Free>(alice, "nc_calendar_find_availability", range)
    expect(slots[0]?.start).toBe("2030-11-18T09:00:00+01:00")
  })

  it("names days of the user, where a list begins and ends with them", async () => {
    const { alice } = openStage()
    await call(alice, "nc_calendar_create_event", { title: "Late", start: "2026-11-20T23:30Z" })
    type Listed = { events: readonly { title: string }[] }
    const day = (on: string) => call<Listed>(alice, "nc_calendar_list_events", { from: on, to: on, query: "Late" })
    expect([(await day("2026-11-20")).events.length, (await day("2026-11-21")).events.length]).toEqual([0, 1])
  })

  it("is not asked about where a zone is given, or one is kept", async () => {
    const { alice } = openStage()
    const zone = { timezone: "America/New_York" }
    const made = await call(alice, "nc_calendar_create_event", { title: "A", start: "2026-11-20T10:30", ...zone })
    const moved = await call(alice, "nc_calendar_update_event", { event_id: made.id, start: "2026-11-21T10:30" })
    expect(moved.start).toBe("2026-11-21T10:30:00-05:00")
    await call(alice, "nc_calendar_create_event", { title: "B", start: "2026-11-20" })
    await call(alice, "nc_calendar_create_event", { title: "C", start: "2026-11-20T10:30Z" })
    await call(alice, "nc_calendar_list_events", {})
    expect(asked(alice)).toBe(false)
  })

  it("is told to be unclear where Nextcloud does not know the zone either", async () => {
    const { standIn } = openStage()
    const unknown = connect(
      (request) =>
        request.url.includes("/cloud/user?")
          ? Promise.resolve(Response.json({ ocs: { meta: { status: "ok", statuscode: 200 }, data: { timezone: "" } } }))
          : standIn.fetch(request),
      { url: "http://localhost" },
    )
    const made = call(unknown, "nc_calendar_create_event", { title: "A", start: "2026-11-20T10:30" })
    await expect(made).rejects.toThrow("it is not said in which time zone")
    const free = call(unknown, "nc_calendar_find_availability", { duration_minutes: 30 })
    await expect(free).rejects.toThrow("the time zone of the user is not known")
  })
})
