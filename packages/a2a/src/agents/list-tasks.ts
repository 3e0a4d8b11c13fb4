// Lists the tasks of a caller with one agent. The task with the latest change of state comes first.

import { type ListTasksRequest, type ListTasksResponse, TaskState } from "@a2a-js/sdk"
import { RequestMalformedError } from "@a2a-js/sdk/errors"
import { listAll } from "@holdpoint/agents/internal"
import { readNow } from "./follow.ts"
import { type A2aParts, type A2aVisit, type KnownTask, ownerOf } from "./parts.ts"
import { readTask } from "./read-task.ts"
import { stateOf } from "./state.ts"

const defaultPage = 50
const largestPage = 100

export async function listTasks(
  parts: A2aParts,
  { person, agent }: A2aVisit,
  request: ListTasksRequest,
): Promise<ListTasksResponse> {
  const { pageSize = defaultPage, historyLength, includeArtifacts = false } = request
  if (pageSize < 1 || pageSize > largestPage)
    throw new RequestMalformedError(`pageSize must be from 1 to ${largestPage}.`)
  const filter = readFilter(request)
  const taskOwner = { tenant: person.tenant, owner: ownerOf(person, agent) }
  const records = await listAll((page) => parts.tasks.list({ ...taskOwner, ...page }))
  const knownTasks = await Promise.all(
    records.map(async (task) => {
      const run = await parts.conversations.get(task.id)
      return run === undefined ? [] : [{ task, run }]
    }),
  )
  const wantedTasks: KnownTask[] = []
  for (const one of knownTasks.flat()) if (await isWanted(parts, one, filter)) wantedTasks.push(one)
  wantedTasks.sort((one, other) => other.task.id.localeCompare(one.task.id))
  wantedTasks.sort((one, other) => atOf(other) - atOf(one))
  const from = request.pageToken === "" ? 0 : indexAfter(wantedTasks, request.pageToken)
  const page = wantedTasks.slice(from, from + pageSize)
  const last = page.at(-1)
  const tasks = await Promise.all(
    page.map(async (one) => {
      const { task } = await readTask(parts, one, { historyLength })
      return includeArtifacts ? task : { ...task, artifacts: [] }
    }),
  )
  const nextPageToken = last === undefined || from + page.length >= wantedTasks.length ? "" : tokenOf(last)
  return { tasks, nextPageToken, pageSize, totalSize: wantedTasks.length }
}

const atOf = ({ run }: KnownTask): number => run.statusAt

interface Filter {
  readonly context: string
  readonly state: TaskState
  readonly after: number | undefined
}

function readFilter({ contextId, status, statusTimestampAfter }: ListTasksRequest): Filter {
  const after = statusTimestampAfter === undefined ? undefined : Date.parse(statusTimestampAfter)
  if (Number.isNaN(after))
    throw new RequestMalformedError("statusTimestampAfter must be a time, such as 2026-01-31T09:30:00Z.")
  return { context: contextId, state: status, after }
}

async function isWanted(parts: A2aParts, knownTask: KnownTask, { context, state, after }: Filter): Promise<boolean> {
  if (context !== "" && knownTask.task.context !== context) return false
  if (after !== undefined && atOf(knownTask) < after) return false
  if (state === TaskState.TASK_STATE_UNSPECIFIED) return true
  const now = await readNow(parts, knownTask.run)
  return now !== undefined && stateOf(now) === state
}

const tokenOf = (knownTask: KnownTask): string =>
  Buffer.from(`${atOf(knownTask)} ${knownTask.task.id}`).toString("base64url")

/** The index of the first task after the task in the token, even if that task has moved in the list since. */
function indexAfter(tasks: readonly KnownTask[], token: string): number {
  const cursor = readToken(token)
  if (cursor === undefined)
    throw new RequestMalformedError("This pageToken is not valid. Use the nextPageToken of a list of tasks.")
  const [at, id] = cursor
  const index = tasks.findIndex((one) => atOf(one) < at || (atOf(one) === at && one.task.id.localeCompare(id) < 0))
  return index < 0 ? tasks.length : index
}

function readToken(token: string): readonly [number, string] | undefined {
  const [, at, id] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(token, "base64url").toString()) ?? []
  return at === undefined || id === undefined ? undefined : [Number(at), id]
}
