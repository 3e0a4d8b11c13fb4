// Tools for the user status: online, away, in a meeting.

import type { Capabilities } from "../../api/capabilities.ts"
import { nextcloudError } from "../../api/error.ts"
import type { NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import { ocs } from "../../api/ocs.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import { offsetIn, paging, toCursor } from "../../page.ts"
import { list, object, oneOf, optional, text } from "../../schema.ts"
import { fromSeconds } from "../../time.ts"
import { defineTool, withOfferTest } from "../../tool.ts"

const isOffered = (capabilities: Capabilities): boolean => capabilities.of("user_status")?.maybeFlag("enabled") ?? false

const statuses = (nextcloud: Nextcloud, request: NcRequest) =>
  ocs(nextcloud, { ...request, path: `/apps/user_status/api/v1${request.path}` })

const status = object({
  user_id: text(),
  status: text(),
  message: optional(text()),
  icon: optional(text()),
  clear_at: optional(text()),
})

function toStatus(fields: Fields) {
  const message = fields.maybeText("message") ?? fields.maybeText("messageId")
  const icon = fields.maybeText("icon")
  const clearAt = fields.maybeNumber("clearAt")
  return {
    user_id: fields.text("userId"),
    status: fields.text("status"),
    ...(message === undefined ? {} : { message }),
    ...(icon === undefined ? {} : { icon }),
    ...(clearAt === undefined ? {} : { clear_at: fromSeconds(clearAt) }),
  }
}

const getStatus = defineTool({
  name: "nc_status_get_status",
  title: "See a user's status",
  description: "The user's status, or another person's; offline if none is set.",
  scopes: ["status.read"],
  effect: "read",
  input: object({ user_id: optional(text("Another user's")) }),
  output: status,
  notRecorded: "another person's status; the user's own status when one is set",
  run: ({ user_id }, nextcloud) => readStatus(nextcloud, user_id),
})

async function readStatus(nextcloud: Nextcloud, user?: string) {
  const activity = user === undefined ? "reading the status" : `reading the status of ${user}`
  const path = user === undefined ? "/user_status" : `/statuses/${encodeURIComponent(user)}`
  const response = await statuses(nextcloud, { path, activity, accept: [404] })
  if (response.status === 404) return { user_id: user ?? (await nextcloud.userId()), status: "offline" }
  return toStatus(fieldsOf(response.data, activity))
}

const listStatuses = defineTool({
  name: "nc_status_list_statuses",
  title: "List statuses",
  description: "The statuses that the user may see, including their own. Continue with next_cursor.",
  scopes: ["status.read"],
  effect: "read",
  input: object(paging),
  output: object({ statuses: list(status), next_cursor: optional(text()) }),
  source: "documented",
  notRecorded: "all of it; the total is not reported",
  async run({ limit = 50, cursor }, nextcloud) {
    const activity = "listing the statuses"
    const offset = offsetIn(cursor)
    const { data } = await statuses(nextcloud, { path: "/statuses", query: { limit, offset }, activity })
    const listedStatuses = objectsOf(data, activity).map(toStatus)
    return {
      statuses: listedStatuses,
      ...(listedStatuses.length < limit ? {} : { next_cursor: toCursor(offset + limit) }),
    }
  },
})

const setStatus = defineTool({
  name: "nc_status_set_status",
  title: "Set the user's status",
  description: "Sets the status, a message with emoji, or a predefined one. Others see it.",
  scopes: ["status.write"],
  effect: "set",
  reach: "shown",
  input: object({
    status: optional(oneOf(["online", "away", "dnd", "busy", "invisible", "offline"])),
    message: optional(text("Empty removes it", { most: 80 })),
    icon: optional(text("One emoji, with message")),
    predefined: optional(text("meeting, commuting, remote-work, sick-leave, vacationing")),
    clear_at: optional(text("ISO 8601: when the message expires")),
  }),
  output: status,
  requestsNote:
    "2 for a status and a message; one more to read the result when a message is removed or a predefined one is set.",
  notRecorded: "predefined messages; an expiry time",
  async run(request, nextcloud) {
    const activity = "setting the status"
    const changes = toChanges(request, activity)
    if (changes.length === 0) throw nextcloudError("invalid", { activity, because: "there is nothing to set" })
    let lastResponse: unknown
    for (const change of changes) lastResponse = (await statuses(nextcloud, change)).data
    // Clearing a message returns nothing, and setting a predefined message returns only its id. In these cases the
    // status is read again.
    const isInResponse = changes.at(-1)?.method !== "DELETE" && request.predefined === undefined
    return isInResponse ? toStatus(fieldsOf(lastResponse, activity)) : readStatus(nextcloud)
  },
})

interface NewStatus {
  readonly status?: string | undefined
  readonly message?: string | undefined
  readonly icon?: string | undefined
  readonly predefined?: string | undefined
  readonly clear_at?: string | undefined
}

function toChanges(
  { status: type, message, icon, predefined, clear_at }: NewStatus,
  activity: string,
): readonly NcRequest[] {
  if (predefined !== undefined && (message !== undefined || icon !== undefined))
    throw nextcloudError("invalid", { activity, because: "a predefined status has its own message and icon" })
  // With an icon but no message, older servers clear the message and newer ones empty it.
  if (icon !== undefined && !message) throw nextcloudError("invalid", { activity, because: "an icon needs a message" })
  if (clear_at !== undefined && predefined === undefined && !message)
    throw nextcloudError("invalid", {
      activity,
      because: "`clear_at` needs a message: a status without one does not expire",
    })
  const clearAt = clear_at === undefined ? null : toSeconds(clear_at, activity)
  const writeRequest = { method: "PUT", activity, repeatable: true }
  const ownStatusPath = "/user_status"
  const changes: NcRequest[] = []
  if (type !== undefined) changes.push({ ...writeRequest, path: `${ownStatusPath}/status`, json: { statusType: type } })
  if (predefined !== undefined)
    changes.push({
      ...writeRequest,
      path: `${ownStatusPath}/message/predefined`,
      json: { messageId: predefined, clearAt },
    })
  else if (message === "")
    changes.push({ method: "DELETE", path: `${ownStatusPath}/message`, activity, repeatable: true })
  else if (message !== undefined)
    changes.push({
      ...writeRequest,
      path: `${ownStatusPath}/message/custom`,
      json: { statusIcon: icon ?? null, message, clearAt },
    })
  return changes
}

function toSeconds(time: string, activity: string): number {
  const ms = Date.parse(time)
  if (Number.isNaN(ms))
    throw nextcloudError("invalid", { activity, because: "clear_at is not a time such as 2026-12-01T18:00:00Z" })
  return Math.floor(ms / 1000)
}

export const statusTools = withOfferTest(isOffered, [getStatus, listStatuses, setStatus])
