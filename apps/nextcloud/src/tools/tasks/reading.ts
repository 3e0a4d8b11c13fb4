// Tools that read tasks: task lists, tasks of one list or all, and one full task.

import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Zone } from "../../ical/zone.ts"
import { mapLimited } from "../../map-limited.ts"
import { offsetArgument, pageFields, paging, toPage } from "../../page.ts"
import { flag, integer, list, object, oneOf, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { createYielder } from "../../yielder.ts"
import type { StoredObject } from "../calendar/api.ts"
import { queryCalendar, readInCalendar, readObject } from "../calendar/api.ts"
import { readCalendars } from "../calendar/calendar-list.ts"
import type { Skipped } from "../calendar/find-events.ts"
import { containsWords, normalizeText, notListed, toNotListed, toSkipped } from "../calendar/find-events.ts"
import { isWithoutOffset, withoutOwnZone, zoneFor } from "../calendar/user-zone.ts"
import type { ParsedTask, Tasks } from "./task.ts"
import { loadTasks, readTask, shortTask, taskId, toFullTask, toShort, wholeTask } from "./task.ts"

const activity = "listing the tasks"

const listLists = defineTool({
  name: "nc_tasks_list_lists",
  title: "List task lists",
  description: "The user's task lists, own and shared.",
  scopes: ["todo.read"],
  effect: "read",
  input: object({}),
  output: object({
    lists: list(
      object({ id: text(), name: text(), color: optional(text()), read_only: flag(), owner: optional(text()) }),
    ),
    total: integer(),
  }),
  async run(_, nextcloud) {
    const all = (await readCalendars(nextcloud)).filter(({ tasks }) => tasks)
    const lists = all.map(({ id, name, color, read_only, owner }) => ({
      id,
      name,
      read_only,
      ...(color === undefined ? {} : { color }),
      ...(owner === undefined ? {} : { owner }),
    }))
    return { lists, total: lists.length }
  },
})

interface Filter {
  readonly status?: "open" | "in_progress" | "done" | "cancelled" | "all" | undefined
  readonly due_from?: string | undefined
  readonly due_to?: string | undefined
  readonly overdue?: boolean | undefined
  readonly priority?: "high" | "medium" | "low" | undefined
  readonly category?: string | undefined
  readonly query?: string | undefined
  readonly parent?: string | undefined
}

const listTasks = defineTool({
  name: "nc_tasks_list_tasks",
  title: "List and search tasks",
  description: "Tasks of one list or all (default: open ones), by due date.",
  scopes: ["todo.read"],
  effect: "read",
  input: object({
    list: optional(text("Its id; default: all")),
    status: optional(oneOf(["open", "in_progress", "done", "cancelled", "all"])),
    due_from: optional(text("Day or time")),
    due_to: optional(text("Day (inclusive) or time")),
    overdue: optional(flag()),
    timezone: optional(text("IANA name; default: the user's")),
    priority: optional(oneOf(["high", "medium", "low"])),
    category: optional(text()),
    query: optional(text("In title or description")),
    parent: optional(text("uid: only its subtasks")),
    ...paging,
  }),
  output: object({ tasks: list(shortTask), ...notListed, ...pageFields }),
  requestsNote: "Without `list`: one more, and one for each list. At most once a minute, one more for the user's zone.",
  async run({ list, timezone, limit, cursor, ...filter }, nextcloud) {
    const tasks = await loadTasks()
    const zoneName = timezone ?? (await zoneFor(nextcloud, [filter.due_from, filter.due_to], isWithoutOffset))
    const home = zoneName === undefined ? tasks.utc : tasks.namedZone(zoneName, activity)
    const { all, skipped } = await readAll(nextcloud, tasks, list)
    const fits = matcher(tasks, filter, home)
    const matches = all.filter(fits).map((match) => ({ ...match, due: dueOf(tasks, match, home) }))
    const openChildCounts = openChildren(tasks, all)
    const { items, facts } = toPage(matches.sort(toDueOrder(tasks)), { limit, cursor })
    const shortTasks = items.map((match) => {
      const taskOutput = toShort(nextcloud, tasks, match.storedObject, match)
      const subtasks = openChildCounts.get(taskOutput.uid)
      return subtasks === undefined ? taskOutput : { ...taskOutput, open_subtasks: subtasks }
    })
    return { tasks: await withoutOwnZone(nextcloud, shortTasks), ...toNotListed(skipped), ...facts }
  },
})

interface StoredTask extends ParsedTask {
  readonly storedObject: StoredObject
}

async function readAll(nextcloud: Nextcloud, tasks: Tasks, list: string | undefined) {
  const readList = (id: string) => queryCalendar(nextcloud, id, { kind: "VTODO" }, activity)
  const readLists = async () => (await readCalendars(nextcloud)).filter((calendar) => calendar.tasks)
  const storedObjects =
    list === undefined
      ? (await mapLimited(await readLists(), ({ id }) => readList(id))).flat()
      : await readInCalendar(nextcloud, list, activity, readList)
  const all: StoredTask[] = []
  const skipped: Skipped[] = []
  const yieldIfDue = createYielder()
  for (const file of storedObjects) {
    await yieldIfDue()
    try {
      all.push({ storedObject: file, ...readTask(tasks, file, activity) })
    } catch (error) {
      skipped.push(toSkipped(file, error))
    }
  }
  return { all, skipped }
}

/** The number of open subtasks by the uid of their parent. */
function openChildren(tasks: Tasks, all: readonly StoredTask[]): ReadonlyMap<string, number> {
  const childCounts = new Map<string, number>()
  for (const { task } of all) {
    const parent = tasks.parentOf(task)
    if (parent !== undefined && isOpen(tasks, task)) childCounts.set(parent, (childCounts.get(parent) ?? 0) + 1)
  }
  return childCounts
}

const isOpen = (tasks: Tasks, task: ParsedTask["task"]): boolean =>
  ["open", "in_progress"].includes(tasks.statusOf(task))

const dueOf = (tasks: Tasks, { task, document }: ParsedTask, home: Zone): number =>
  tasks.dueInstant(task, document, home) ?? Number.POSITIVE_INFINITY

const ranks: Readonly<Record<"high" | "medium" | "low", readonly [number, number]>> = {
  high: [1, 4],
  medium: [5, 5],
  low: [6, 9],
}

function matcher(tasks: Tasks, filter: Filter, home: Zone): (storedTask: StoredTask) => boolean {
  const { status = "open", overdue, priority, category, parent, query = "" } = filter
  const fromInstant = filter.due_from === undefined ? undefined : instantIn(tasks, filter.due_from, home)
  const toInstant = filter.due_to === undefined ? undefined : instantIn(tasks, filter.due_to, home, 86_400_000 - 1)
  const words = normalizeText(query).split(/\s+/).filter(Boolean)
  const now = Date.now()
  return (storedTask) => {
    const { task, document } = storedTask
    const data = tasks.toTask(task, document)
    const dueInstant = dueOf(tasks, storedTask, home)
    if (!(status === "open" ? isOpen(tasks, task) : status === "all" || status === data.status)) return false
    if (overdue !== undefined && overdue !== (dueInstant < now && isOpen(tasks, task))) return false
    if (fromInstant !== undefined && !(dueInstant >= fromInstant && Number.isFinite(dueInstant))) return false
    if (toInstant !== undefined && dueInstant > toInstant) return false
    if (priority !== undefined && !isInRange(data.priority, ranks[priority])) return false
    if (category !== undefined && !data.categories?.some((name) => normalizeText(name) === normalizeText(category)))
      return false
    if (parent !== undefined && data.parent !== parent) return false
    return words.length === 0 || containsWords(tasks, task, words)
  }
}

const isInRange = (priority: number | undefined, [minimum, maximum]: readonly [number, number]): boolean =>
  priority !== undefined && priority >= minimum && priority <= maximum

/** The instant of a range's start or end. `extraMs` is added to a date, so that the end includes that whole day. */
function instantIn(tasks: Tasks, text: string, home: Zone, extraMs = 0): number {
  const { wall, instant, isDate } = tasks.parseTime(text, activity)
  return instant ?? tasks.toInstant(wall + (isDate ? extraMs : 0), home)
}

/** Returns a comparison that sorts by due time, then by priority, then by title. */
function toDueOrder(tasks: Tasks) {
  const rank = ({ task }: ParsedTask): number => Number(tasks.textIn(task, "priority") ?? 0) || 10
  const title = ({ task }: ParsedTask): string => tasks.textIn(task, "summary") ?? ""
  return (a: StoredTask & { due: number }, b: StoredTask & { due: number }): number => {
    if (a.due !== b.due) return a.due < b.due ? -1 : 1
    return rank(a) - rank(b) || title(a).localeCompare(title(b))
  }
}

const getTask = defineTool({
  name: "nc_tasks_get_task",
  title: "Read a task",
  description: "One task with its description, reminders and etag.",
  scopes: ["todo.read"],
  effect: "read",
  input: object({ task_id: taskId, ...offsetArgument }),
  output: wholeTask,
  requestsNote: "At most once a minute, one more for the user's zone.",
  async run({ task_id, offset }, nextcloud) {
    const [storedObject, tasks] = await Promise.all([readObject(nextcloud, task_id, "reading the task"), loadTasks()])
    const fullTask = toFullTask(nextcloud, tasks, storedObject, { activity: "reading the task", offset })
    const [task = fullTask] = await withoutOwnZone(nextcloud, [fullTask])
    return task
  },
})

export const readingTools = [listLists, listTasks, getTask]
