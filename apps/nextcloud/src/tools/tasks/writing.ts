// Tools that create, change, complete, move and delete tasks.

import { randomUUID } from "node:crypto"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { bare } from "../../etag.ts"
import type { TaskChanges } from "../../ical/task.ts"
import { flag, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import type { Stored } from "../calendar/api.ts"
import { calendarOf, inCalendar, readObject, removeObject, toObjectId, writeObject } from "../calendar/api.ts"
import { masked } from "../calendar/event.ts"
import { zoneFor } from "../calendar/own-zone.ts"
import { findTarget, moveTo } from "../calendar/writing.ts"
import type { ParsedTask, Tasks } from "./task.ts"
import { etag, loadTasks, readTask, taskFields, taskId, taskLink, toFullTask } from "./task.ts"

/** The output after a task was written. */
const written = {
  id: text(),
  uid: text(),
  etag: text(),
  title: text(),
  status: text(),
  due: optional(text()),
  url: text(),
}

function toWritten(nextcloud: Nextcloud, tasks: Tasks, stored: Stored, doing: string) {
  const { id, uid, etag, title, status, due, url } = toFullTask(nextcloud, tasks, stored, { doing })
  return { id, uid, etag, title, status, url, ...(due === undefined ? {} : { due }) }
}

const createTask = defineTool({
  name: "nc_tasks_create_task",
  title: "Create a task",
  description: "Creates a task, or a subtask of another one.",
  scopes: ["todo.write"],
  effect: "add",
  input: object({ list: text("Its id"), title: text(undefined, { least: 1 }), ...taskFields }),
  output: object(written),
  requestsNote: "One more for a time without a zone.",
  async run({ list, ...changes }, nextcloud) {
    const doing = `creating the task “${changes.title}”`
    const tasks = await loadTasks()
    const uid = randomUUID()
    const body = tasks.newTask(uid, await withUsualZone(nextcloud, changes), { now: Date.now(), doing })
    const stored = await inCalendar(nextcloud, list, doing, (id) =>
      writeObject(nextcloud, { id: toObjectId(id, `${uid}.ics`), text: body }, doing),
    )
    return toWritten(nextcloud, tasks, stored, doing)
  },
})

/** Sets the user's zone as the default for times without a zone. */
async function withUsualZone(nextcloud: Nextcloud, changes: TaskChanges): Promise<TaskChanges> {
  const { start, due, timezone } = changes
  const usualZone = timezone === undefined ? await zoneFor(nextcloud, [start, due]) : undefined
  return { ...changes, usualZone }
}

const updateTask = defineTool({
  name: "nc_tasks_update_task",
  title: "Change a task",
  description: "Changes only the given fields; empty removes one. Also reopens a task (status).",
  scopes: ["todo.write"],
  effect: "change",
  input: object({ task_id: taskId, etag, title: optional(text()), ...taskFields }),
  output: object(written),
  requests: 2,
  requestsNote: "One more for a time without a zone.",
  async run({ task_id, etag, ...changes }, nextcloud) {
    const doing = "changing the task"
    if (Object.values(changes).every((value) => value === undefined))
      throw nextcloudError("invalid", { doing, because: "there is nothing to change" })
    const { stored, tasks } = await readToChange(nextcloud, { id: task_id, etag }, doing)
    const { document, task } = toChange(tasks, stored, doing)
    tasks.changeTask(document, task, await withUsualZone(nextcloud, changes), { now: Date.now(), doing })
    const changed = await replace(nextcloud, tasks, { ...stored, text: document.toString() }, doing)
    return toWritten(nextcloud, tasks, changed, doing)
  },
})

const completeTask = defineTool({
  name: "nc_tasks_complete_task",
  title: "Mark a task as done",
  description: "Marks a task as done. A recurring one moves to its next date.",
  scopes: ["todo.write"],
  effect: "change",
  input: object({ task_id: taskId, completed: optional(text("Default: now")), etag }),
  output: object({ ...written, moved_on: flag() }),
  requests: 2,
  async run({ task_id, completed, etag }, nextcloud) {
    const doing = "completing the task"
    const { stored, tasks } = await readToChange(nextcloud, { id: task_id, etag }, doing)
    const { document, task } = toChange(tasks, stored, doing)
    const now = Date.now()
    const then = completed === undefined ? undefined : tasks.parseTime(completed, doing)
    const moved_on = tasks.completeTask(document, task, now, then?.instant ?? then?.wall)
    const changed = await replace(nextcloud, tasks, { ...stored, text: document.toString() }, doing)
    return { ...toWritten(nextcloud, tasks, changed, doing), moved_on }
  },
})

async function readToChange(
  nextcloud: Nextcloud,
  { id, etag }: { readonly id: string; readonly etag?: string | undefined },
  doing: string,
): Promise<{ stored: Stored; tasks: Tasks }> {
  const [stored, tasks] = await Promise.all([readObject(nextcloud, id, doing), loadTasks()])
  if (etag !== undefined && bare(etag) !== stored.etag)
    throw nextcloudError("conflict", { doing, current: toFullTask(nextcloud, tasks, stored, { doing }) })
  return { stored, tasks }
}

function toChange(tasks: Tasks, stored: Stored, doing: string): ParsedTask {
  const read = readTask(tasks, stored, doing)
  if (tasks.isMasked(read.document)) throw masked(doing)
  return read
}

/** Overwrites a task only if it is unchanged; otherwise throws a conflict with the current task. */
async function replace(nextcloud: Nextcloud, tasks: Tasks, next: Stored, doing: string): Promise<Stored> {
  try {
    return await inCalendar(nextcloud, calendarOf(next.id), doing, () => writeObject(nextcloud, next, doing))
  } catch (error) {
    if (!isNextcloudError(error) || error.kind !== "conflict") throw error
    const current = toFullTask(nextcloud, tasks, await readObject(nextcloud, next.id, doing), { doing })
    throw nextcloudError("conflict", { doing, status: error.status, current })
  }
}

const moveTask = defineTool({
  name: "nc_tasks_move_task",
  title: "Move a task to another list",
  description: "Moves one task; its subtasks stay where they are. It gets a new id and keeps its uid.",
  scopes: ["todo.write"],
  effect: "change",
  input: object({ task_id: taskId, to_list: text("Its id"), etag }),
  output: object({ id: text(), list: text(), url: text() }),
  requests: 2,
  notRecorded: "If-Match when moving.",
  async run({ task_id, to_list, etag }, nextcloud) {
    const doing = "moving the task"
    const target = await findTarget(nextcloud, to_list, "tasks", doing)
    const from = { id: task_id, etag: etag === undefined ? undefined : bare(etag) }
    const id = await moveTo(nextcloud, from, target, doing)
    return { id, list: calendarOf(id), url: taskLink(nextcloud, id) }
  },
})

const deleting = "deleting the task"

const deleteTask = defineTool({
  name: "nc_tasks_delete_task",
  title: "Delete a task",
  description: "Deletes a task; its subtasks stay. It goes to the trash of the Calendar app.",
  scopes: ["todo.write"],
  effect: "remove",
  input: object({ task_id: taskId, etag }),
  output: object({ deleted: text("Its title") }),
  requests: 2,
  confirm: {
    policy: "once",
    verb: "Delete",
    async readLoss({ task_id, etag }, nextcloud) {
      const { stored, tasks } = await readToChange(nextcloud, { id: task_id, etag }, deleting)
      const { title, due, status, recurrence } = toFullTask(nextcloud, tasks, stored, { doing: deleting })
      const details = [
        `It is ${status.replace("_", " ")}.`,
        ...(due === undefined ? [] : [`Due: ${due}`]),
        ...(recurrence === undefined ? [] : ["It repeats: all of it is deleted."]),
      ]
      return { what: `the task “${title}”`, details, guard: stored.etag }
    },
  },
  async run({ task_id, etag }, nextcloud, { loss }) {
    const expectedEtag = loss?.guard ?? etag
    const { stored, tasks } = await readToChange(nextcloud, { id: task_id, etag: expectedEtag }, deleting)
    const { title } = toFullTask(nextcloud, tasks, stored, { doing: deleting })
    await inCalendar(nextcloud, calendarOf(task_id), deleting, () => removeObject(nextcloud, stored, deleting))
    return { deleted: title }
  },
})

export const writingTools = [createTask, updateTask, completeTask, moveTask, deleteTask]
