// Tasks, against the stand-in.

import { describe, expect, it } from "vitest"
import { readDocument } from "../../src/ical/document.ts"
import { statusOf } from "../../src/ical/task.ts"
import { taskTools } from "../../src/tools/tasks/tasks.ts"
import { callTool, confirmAndCall, toolOf } from "../fits.ts"
import { calendarOf } from "../ical/files.ts"
import { sharedByBob } from "../samples/calendar.ts"
import { createdList, createdTask, tasksSamples, type WrittenTask } from "../samples/tasks.ts"
import { checkEvery } from "./every.ts"
import { failing } from "./recorded-call.ts"
import { openStage } from "./stage.ts"

checkEvery(taskTools, tasksSamples)

it.each(Object.entries(tasksSamples).filter(([, { foreign }]) => foreign !== undefined))(
  "%s reports a missing permission",
  async (name, { foreign }) => {
    const call = callTool(toolOf(taskTools, name), foreign ?? {}, openStage().alice.nextcloud)
    await expect(call).rejects.toMatchObject({ kind: "forbidden" })
  },
)

interface Listed {
  readonly tasks: readonly { id: string; title: string; status: string; due?: string; open_subtasks?: number }[]
  readonly total: number
  readonly next_cursor?: string
}

function setUp(options = {}) {
  const stage = openStage(options)
  const { nextcloud, requests, forget } = stage.alice
  const call = <O = Record<string, never>>(name: string, input: object) =>
    callTool<O>(toolOf(taskTools, `nc_tasks_${name}`), input, nextcloud)
  return { ...stage, nextcloud, requests, forget, call }
}

describe("listing tasks", () => {
  async function filled() {
    const stage = setUp()
    const { nextcloud } = stage
    const [home, work] = [await createdList(nextcloud, "Home"), await createdList(nextcloud, "Work")]
    const taxes = await createdTask(nextcloud, {
      list: home,
      title: "Taxes",
      due: "2020-01-31",
      priority: 1,
      categories: ["Money"],
    })
    await createdTask(nextcloud, { list: home, title: "Receipts", due: "", parent: taxes.uid })
    await createdTask(nextcloud, { list: home, title: "Old", due: "2019-01-01", status: "done" })
    await createdTask(nextcloud, {
      list: work,
      title: "Report",
      due: "2030-05-01T18:00",
      timezone: "Europe/Berlin",
      priority: 9,
      description: "for ZÜRICH",
    })
    const titles = async (input: object) =>
      (await stage.call<Listed>("list_tasks", input)).tasks.map(({ title }) => title)
    return { ...stage, home, work, taxes, titles }
  }

  it("returns the open tasks of all lists by due date, with the number of open subtasks", async () => {
    const { call } = await filled()
    const { tasks, total } = await call<Listed>("list_tasks", {})
    expect(tasks.map(({ title }) => title)).toEqual(["Taxes", "Report", "Receipts"])
    expect(total).toBe(3)
    expect(tasks[0]).toMatchObject({ due: "2020-01-31", open_subtasks: 1 })
    expect(tasks[1]).toMatchObject({ due: "2030-05-01T18:00:00+02:00" })
  })

  it("filters before it pages", async () => {
    const { titles, taxes, home, call } = await filled()
    expect(await titles({ status: "done" })).toEqual(["Old"])
    expect(await titles({ status: "all", list: home, limit: 200 })).toHaveLength(3)
    expect(await titles({ overdue: true })).toEqual(["Taxes"])
    expect(await titles({ priority: "low" })).toEqual(["Report"])
    expect(await titles({ category: "money" })).toEqual(["Taxes"])
    expect(await titles({ query: "zürich" })).toEqual(["Report"])
    expect(await titles({ parent: taxes.uid })).toEqual(["Receipts"])
    expect(await titles({ due_from: "2030-05-01", due_to: "2030-05-01", timezone: "Europe/Berlin" })).toEqual([
      "Report",
    ])
    expect(await titles({ due_to: "2020-01-31" })).toEqual(["Taxes"])
    const first = await call<Listed>("list_tasks", { limit: 2 })
    expect(first).toMatchObject({ total: 3, next_cursor: "at-2" })
    expect(await titles({ limit: 2, cursor: "at-2" })).toEqual(["Receipts"])
  })

  it("finds a list by its name, and names the existing lists when it finds none", async () => {
    const { titles, call } = await filled()
    expect(await titles({ list: "WORK" })).toEqual(["Report"])
    const { kind, message } = await failing(call("list_tasks", { list: "Garden" }))
    expect(kind).toBe("not_found")
    expect(message).toContain("work (“Work”)")
  })
})

describe("writing tasks", () => {
  it("writes days as days and times with their zone", async () => {
    const { nextcloud, call, requests } = setUp()
    const { id } = await createdTask(nextcloud)
    expect(requests.at(-1)).toMatchObject({ method: "PUT" })
    expect(requests.at(-1)?.headers.get("if-none-match")).toBe("*")
    expect(requests.at(-1)?.body).toContain("DUE;VALUE=DATE:20261130")
    await call("update_task", { task_id: id, due: "2026-12-01T18:00", timezone: "America/New_York" })
    expect(requests.at(-1)?.body).toContain("DUE;TZID=America/New_York:20261201T180000")
    expect(requests.at(-1)?.headers.get("if-match")).toMatch(/^".+"$/)
    expect(await call("get_task", { task_id: id })).toMatchObject({ due: "2026-12-01T18:00:00-05:00" })
  })

  it("completes a task, and moves a repeating one to its next occurrence", async () => {
    const { nextcloud, call } = setUp()
    const { id } = await createdTask(nextcloud)
    expect(await call("complete_task", { task_id: id })).toMatchObject({ status: "done", moved_on: false })
    const again = await createdTask(nextcloud, { recurrence: "FREQ=DAILY;COUNT=2" })
    const moved = await call<WrittenTask>("complete_task", { task_id: again.id })
    expect(moved).toMatchObject({ status: "open", moved_on: true, due: "2026-12-01" })
    expect(await call("complete_task", { task_id: again.id })).toMatchObject({ status: "done", moved_on: false })
  })

  it("returns the current task when it has changed since it was read", async () => {
    const { nextcloud, call } = setUp()
    const { id, etag } = await createdTask(nextcloud)
    await call("update_task", { task_id: id, title: "Newer" })
    const { kind, current } = await failing(call("update_task", { task_id: id, etag, title: "Older" }))
    expect(kind).toBe("conflict")
    expect(current).toMatchObject({ title: "Newer", id })
  })

  it("says that a shared list is read-only", async () => {
    const { standIn, alice, bob, call } = setUp()
    const list = await sharedByBob({ standIn, alice: alice.nextcloud, bob: bob.nextcloud })
    const { kind, message } = await failing(call("create_task", { list, title: "x" }))
    expect(kind).toBe("forbidden")
    expect(message).toContain("read-only")
  })

  it("derives a task's status from its percentage, as the Tasks app does", async () => {
    const { call, nextcloud } = setUp()
    const { id } = await createdTask(nextcloud, { list: await createdList(nextcloud), percent: 20 })
    const now = async (changes: object) => {
      if (Object.keys(changes).length > 0) await call("update_task", { task_id: id, ...changes })
      const { status, percent, completed } = await call<Record<string, unknown>>("get_task", { task_id: id })
      return [status, percent, completed !== undefined]
    }
    expect(await now({})).toEqual(["in_progress", 20, false])
    expect(await now({ percent: 100 })).toEqual(["done", 100, true])
    expect(await now({ percent: 60 })).toEqual(["in_progress", 60, false])
    expect(await now({ percent: 0 })).toEqual(["open", undefined, false])
    expect(await now({ status: "cancelled" })).toEqual(["cancelled", undefined, false])
    expect(await now({ percent: 30 })).toEqual(["cancelled", 30, false])
    expect(await now({ percent: 40, status: "open" })).toEqual(["open", 40, false])
  })

  it("reads a task with a time of completion as done, whatever its status says", () => {
    const lines = ["UID:t", "DTSTAMP:20261101T000000Z", "STATUS:NEEDS-ACTION", "COMPLETED:20261110T120000Z"]
    const { root } = readDocument(calendarOf("BEGIN:VTODO", ...lines, "END:VTODO"))
    const [task] = root.getAllSubcomponents("vtodo")
    expect(task === undefined ? undefined : statusOf(task)).toBe("done")
  })

  it("moves a task with all its content, and deletes what was shown", async () => {
    const { nextcloud, call } = setUp()
    const { id, uid } = await createdTask(nextcloud, { description: "with care" })
    const to_list = await createdList(nextcloud, "Other")
    const moved = await call<{ id: string }>("move_task", { task_id: id, to_list })
    expect(await call("get_task", { task_id: moved.id })).toMatchObject({
      uid,
      description: "with care",
      list: to_list,
    })
    const tool = toolOf(taskTools, "nc_tasks_delete_task")
    const { loss, output } = await confirmAndCall(tool, { task_id: moved.id }, nextcloud)
    expect(loss).toMatchObject({ what: "the task “Einkaufen ✓”", details: ["It is open.", "Due: 2026-11-30"] })
    expect(output).toEqual({ deleted: "Einkaufen ✓" })
    expect((await failing(call("get_task", { task_id: moved.id }))).kind).toBe("not_found")
  })

  it("refuses an event as a task, and points to the tools of Calendar", async () => {
    const { call, standIn } = setUp()
    const { calendarsOf } = await import("@holdpoint/nextcloud-stand-in")
    const text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:e\r\nDTSTAMP:20261101T000000Z\r\nDTSTART:20261101T000000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    calendarsOf(standIn.world).put("alice", "personal", "e.ics", text)
    expect((await failing(call("get_task", { task_id: "personal/e.ics" }))).message).toContain("tools of Calendar")
  })
})
