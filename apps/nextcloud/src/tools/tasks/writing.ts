// Tools that create, change, complete, move and delete tasks.

import { randomUUID } from "node:crypto"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { toBareEtag } from "../../etag.ts"
import type { TaskChanges } from "../../ical/task.ts"
import { flag, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import type { StoredObject } from "../calendar/api.ts"
import { calendarOf, readObject, removeObject, toObjectId, writeInCalendar, writeObject } from "../calendar/api.ts"
import { toMaskedError } from "../calendar/event.ts"
import { zoneFor } from "../calendar/user-zone.ts"
import { findTarget, moveTo } from "../calendar/writing.ts"
import type { ParsedTask, Tasks } from "./task.ts"
import { etag, loadTasks, readTask, taskFields, taskId, taskLink, toFullTask } from "./task.ts"

/** The output after a task was written. */
const writtenFields = {
  id: text(),
  uid: text(),
  etag: text(),
  title: text(),
  status: text(),
  due: optional(text()),
  url: text(),
}

function toWritten(nextcloud: Nextcloud, tasks: Tasks, storedObject: StoredObject, activity: string) {
  const { id, uid, etag, title, status, due, url } = toFullTask(nextcloud, tasks, storedObject, { activity })
  return { id, uid, etag, title, status, url, ...(due === undefined ? {} : { due }) }
}

const createTask = defineTool({
  name: "nc_tasks_create_task",
  title: "Create a task",
  description: "Creates a task, or a subtask of another one.",
  scopes: ["todo.write"],
  effect: "add",
  input: object({ list: text("Its id"), title: text(undefined, { least: 1 }), ...taskFields }),
  output: object(writtenFields),
  requestsNote: "One more for a time without a zone.",
  async run({ list, ...changes }, nextcloud) {
    const activity = `creating the task “${changes.title}”`
    const tasks = await loadTasks()
    const uid = randomUUID()
    const body = tasks.newTask(uid, await withUsualZone(nextcloud, changes), { now: Date.now(), activity })
    const storedObject = await writeInCalendar(nextcloud, list, activity, (id) =>
      writeObject(nextcloud, { id: toObjectId(id, `${uid}.ics`), text: body }, activity),
    )
    return toWritten(nextcloud, tasks, storedObject, activity)
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
  description: "Changes only the given fields; an empty value removes a field. Also reopens a task (status).",
  scopes: ["todo.write"],
  effect: "change",
  input: object({ task_id: taskId, etag, title: optional(text()), ...taskFields }),
  output: object(writtenFields),
  requests: 2,
  requestsNote: "One more for a time without a zone.",
  async run({ task_id, etag, ...changes }, nextcloud) {
    const activity = "changing the task"
    if (Object.values(changes).every((value) => value === undefined))
      throw nextcloudError("invalid", { activity, because: "there is nothing to change" })
    const { storedObject, tasks } = await readToChange(nextcloud, { id: task_id, etag }, activity)
    const { document, task } = toChange(tasks, storedObject, activity)
    tasks.changeTask(document, task, await withUsualZone(nextcloud, changes), { now: Date.now(), activity })
    const changed = await replace(nextcloud, tasks, { ...storedObject, text: document.toString() }, activity)
    return toWritten(nextcloud, tasks, changed, activity)
  },
})

const completeTask = defineTool({
  name: "nc_tasks_complete_task",
  title: "Mark a task as done",
  description: "Marks a task as done. A recurring one moves to its next date.",
  scopes: ["todo.write"],
  effect: "change",
  input: object({ task_id: taskId, completed: optional(text("Default: now")), etag }),
  output: object({ ...writtenFields, moved_on: flag() }),
  requests: 2,
  requestsNote: "One more for a time without a zone.",
  async run({ task_id, completed, etag }, nextcloud) {
    const activity = "completing the task"
    const { storedObject, tasks } = await readToChange(nextcloud, { id: task_id, etag }, activity)
    const { document, task } = toChange(tasks, storedObject, activity)
    const now = Date.now()
    const completion = completed === undefined ? now : await toInstant(nextcloud, tasks, completed, activity)
    const moved_on = tasks.completeTask(document, task, now, completion)
    const changed = await replace(nextcloud, tasks, { ...storedObject, text: document.toString() }, activity)
    return { ...toWritten(nextcloud, tasks, changed, activity), moved_on }
  },
})

/** The instant of a time. Without an offset, or as a day, it is in the user's zone. */
async function toInstant(nextcloud: Nextcloud, tasks: Tasks, text: string, activity: string): Promise<number> {
  const { wall, instant } = tasks.parseTime(text, activity)
  if (instant !== undefined) return instant
  const zoneName = await nextcloud.timeZone()
  if (zoneName !== undefined) return tasks.toInstant(wall, tasks.namedZone(zoneName, activity))
  const because = "the time zone of the user is not known"
  throw nextcloudError("invalid", {
    activity,
    because,
    advice: "Write the time with its offset, such as 2026-11-20T10:30+01:00.",
  })
}

async function readToChange(
  nextcloud: Nextcloud,
  { id, etag }: { readonly id: string; readonly etag?: string | undefined },
  activity: string,
): Promise<{ storedObject: StoredObject; tasks: Tasks }> {
  const [storedObject, tasks] = await Promise.all([readObject(nextcloud, id, activity), loadTasks()])
  if (etag !== undefined && toBareEtag(etag) !== storedObject.etag)
    throw nextcloudError("conflict", { activity, current: toFullTask(nextcloud, tasks, storedObject, { activity }) })
  return { storedObject, tasks }
}

function toChange(tasks: Tasks, storedObject: StoredObject, activity: string): ParsedTask {
  const parsedTask = readTask(tasks, storedObject, activity)
  if (tasks.isMasked(parsedTask.document)) throw toMaskedError(activity)
  return parsedTask
}

/** Overwrites a task only if it is unchanged; otherwise throws a conflict with the current task. */
async function replace(
  nextcloud: Nextcloud,
  tasks: Tasks,
  newObject: StoredObject,
  activity: string,
): Promise<StoredObject> {
  try {
    return await writeInCalendar(nextcloud, calendarOf(newObject.id), activity, () =>
      writeObject(nextcloud, newObject, activity),
    )
  } catch (error) {
    if (!isNextcloudError(error) || error.kind !== "conflict") throw error
    const currentTask = toFullTask(nextcloud, tasks, await readObject(nextcloud, newObject.id, activity), { activity })
    throw nextcloudError("conflict", { activity, status: error.status, current: currentTask })
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
    const activity = "moving the task"
    const target = await findTarget(nextcloud, to_list, "tasks", activity)
    const source = { id: task_id, etag: etag === undefined ? undefined : toBareEtag(etag) }
    const id = await moveTo(nextcloud, source, target, activity)
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
      const { storedObject, tasks } = await readToChange(nextcloud, { id: task_id, etag }, deleting)
      const { title, due, status, recurrence } = toFullTask(nextcloud, tasks, storedObject, { activity: deleting })
      const details = [
        `It is ${status.replace("_", " ")}.`,
        ...(due === undefined ? [] : [`Due: ${due}`]),
        ...(recurrence === undefined ? [] : ["It repeats: all its occurrences are deleted."]),
      ]
      return { what: `the task “${title}”`, details, guard: storedObject.etag }
    },
  },
  async run({ task_id, etag }, nextcloud, { loss }) {
    const expectedEtag = loss?.guard ?? etag
    const { storedObject, tasks } = await readToChange(nextcloud, { id: task_id, etag: expectedEtag }, deleting)
    const { title } = toFullTask(nextcloud, tasks, storedObject, { activity: deleting })
    await writeInCalendar(nextcloud, calendarOf(task_id), deleting, () =>
      removeObject(nextcloud, storedObject, deleting),
    )
    return { deleted: title }
  },
})

export const writingTools = [createTask, updateTask, completeTask, moveTask, deleteTask]
