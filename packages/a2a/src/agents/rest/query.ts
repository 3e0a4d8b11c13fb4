// Reads the query of requests over HTTP+JSON. Values that are not of their type are refused.

import { type ListTasksRequest, TaskState, taskStateFromJSON } from "@a2a-js/sdk"
import { RequestMalformedError } from "@a2a-js/sdk/errors"

interface CountLimits {
  readonly least: number
  readonly most?: number
}

/** Reads a whole number. Undefined when the parameter is absent or empty. Throws when it is outside the limits. */
export function readCount(query: URLSearchParams, name: string, { least, most }: CountLimits): number | undefined {
  const text = query.get(name)?.trim() ?? ""
  if (text === "") return undefined
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (count >= least && count <= (most ?? count)) return count
  const limits = most === undefined ? `${least} or more` : `${least} to ${most}`
  throw new RequestMalformedError(`“${name}” must be a whole number, ${limits}.`)
}

export function readFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name)?.trim() ?? ""
  if (text === "" || text === "false") return false
  if (text === "true") return true
  throw new RequestMalformedError(`“${name}” must be true or false.`)
}

export function readListTasks(query: URLSearchParams, tenant: string): ListTasksRequest {
  return {
    tenant,
    contextId: query.get("contextId") ?? "",
    status: readState(query.get("status") ?? ""),
    pageSize: readCount(query, "pageSize", { least: 1, most: 100 }),
    pageToken: query.get("pageToken") ?? "",
    historyLength: readCount(query, "historyLength", { least: 0 }),
    statusTimestampAfter: readTime(query.get("statusTimestampAfter") ?? ""),
    includeArtifacts: readFlag(query, "includeArtifacts"),
  }
}

function readState(text: string): TaskState {
  if (text === "") return TaskState.TASK_STATE_UNSPECIFIED
  const state = taskStateFromJSON(/^\d+$/.test(text) ? Number(text) : text)
  if (state !== TaskState.UNRECOGNIZED) return state
  throw new RequestMalformedError("“status” is not the state of a task. Send a state such as TASK_STATE_WORKING.")
}

function readTime(text: string): string | undefined {
  if (text === "") return undefined
  if (/^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text))) return text
  throw new RequestMalformedError("“statusTimestampAfter” must be a time such as 2026-01-31T12:00:00Z.")
}
