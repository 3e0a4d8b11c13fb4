// One call of each tool for tasks.

import type { Nextcloud } from "../../src/api/nextcloud.ts"
import { taskTools } from "../../src/tools/tasks/tasks.ts"
import { callTool, toolOf } from "../fits.ts"
import { createdCalendar } from "./calendar.ts"
import type { Sample, Samples, SampleWorld } from "./sample.ts"

export interface WrittenTask {
  readonly id: string
  readonly uid: string
  readonly etag: string
  readonly status: string
  readonly due?: string
}

export const createdList = async (nextcloud: Nextcloud, name = "Aufgaben"): Promise<string> =>
  (await createdCalendar(nextcloud, { name, holds: "tasks" })).id

export async function createdTask(nextcloud: Nextcloud, fields: object = {}): Promise<WrittenTask> {
  const list = "list" in fields ? {} : { list: await createdList(nextcloud) }
  const input = { title: "Einkaufen ✓", due: "2026-11-30", ...list, ...fields }
  return callTool(toolOf(taskTools, "nc_tasks_create_task"), input, nextcloud)
}

const missing = { task_id: "personal/not-there.ics" }

const withTask = (more: object = {}): Sample["arguments"] => {
  return async ({ alice }) => ({ task_id: (await createdTask(alice)).id, ...more })
}

const stale = (more: object = {}) => {
  return async ({ alice }: SampleWorld) => ({ task_id: (await createdTask(alice)).id, etag: "stale", ...more })
}

export const tasksSamples: Samples = {
  nc_tasks_list_lists: { arguments: () => ({}) },
  nc_tasks_list_tasks: {
    arguments: async ({ alice }) => {
      const { id } = await createdTask(alice)
      return { list: id.split("/")[0], status: "all" }
    },
    missing: { list: "not-there" },
  },
  nc_tasks_get_task: { arguments: withTask(), missing },
  nc_tasks_create_task: {
    arguments: async ({ alice }) => ({
      list: await createdList(alice),
      title: "Büro",
      priority: 1,
      categories: ["Haus"],
    }),
    missing: { list: "not-there", title: "x" },
    foreign: { list: "contact_birthdays", title: "x" },
  },
  nc_tasks_update_task: {
    arguments: withTask({ due: "2026-12-01T18:00", timezone: "Europe/Berlin", status: "in_progress" }),
    missing: { ...missing, title: "x" },
    conflict: stale({ title: "x" }),
  },
  nc_tasks_complete_task: { arguments: withTask(), missing, conflict: stale() },
  nc_tasks_move_task: {
    arguments: async ({ alice }) => ({
      task_id: (await createdTask(alice)).id,
      to_list: await createdList(alice, "Andere"),
    }),
    missing: { task_id: "not-there/x.ics", to_list: "not-there" },
    foreign: { task_id: "personal/x.ics", to_list: "contact_birthdays" },
  },
  nc_tasks_delete_task: { arguments: withTask(), missing, conflict: stale() },
}
