// The app "User status": the user's own status and a custom message were recorded; predefined messages and other
// people's statuses follow its documented API.

import type { Area, Call, Reply } from "./area.ts"
import { ocs, ocsFailure } from "./replies.ts"
import { createArea, fieldsOf, inOcs } from "./routes.ts"
import type { World } from "./world.ts"

interface Status {
  readonly userId: string
  readonly message: string | null
  readonly messageId: string | null
  readonly messageIsPredefined: boolean
  readonly icon: string | null
  readonly clearAt: number | null
  readonly status: string
  readonly statusIsUserDefined: boolean
}

const types = new Set(["online", "away", "dnd", "busy", "invisible", "offline"])

const predefined = [
  { id: "meeting", icon: "📅", message: "In a meeting", clearAt: { type: "period", time: 3600 } },
  { id: "commuting", icon: "🚌", message: "Commuting", clearAt: { type: "period", time: 1800 } },
  { id: "be-right-back", icon: "⏳", message: "Be right back", clearAt: { type: "period", time: 900 } },
  { id: "remote-work", icon: "🏡", message: "Working remotely", clearAt: { type: "end-of", time: "day" } },
  { id: "sick-leave", icon: "🤒", message: "Out sick", clearAt: { type: "end-of", time: "day" } },
  { id: "vacationing", icon: "🌴", message: "Vacationing", clearAt: null },
]

const statusesOf = (world: World): Map<string, Status> => world.state("user-status", () => new Map())

/** The user's status; undefined when it was never set. */
export const statusOf = (world: World, user: string): Status | undefined => statusesOf(world).get(user)

const offline = (userId: string): Status => ({
  userId,
  message: null,
  messageId: null,
  messageIsPredefined: false,
  icon: null,
  clearAt: null,
  status: "offline",
  statusIsUserDefined: false,
})

/** Adds the text and the icon of a predefined message, of which only the id is stored. */
function withPredefined(status: Status): Status {
  const match = predefined.find(({ id }) => id === status.messageId)
  return match === undefined ? status : { ...status, message: match.message, icon: match.icon }
}

function change(call: Call, changed: Partial<Status>): Reply {
  const id = call.user?.id ?? ""
  const newStatus = { ...(statusOf(call.world, id) ?? offline(id)), ...changed }
  statusesOf(call.world).set(id, newStatus)
  return ocs(call, newStatus)
}

function show(call: Call): Reply {
  const status = statusOf(call.world, call.user?.id ?? "")
  return status === undefined
    ? ocsFailure(call, 404, "No status for the current user")
    : ocs(call, withPredefined(status))
}

function setType(call: Call): Reply {
  const status = fieldsOf(call).get("statusType") ?? ""
  if (!types.has(status)) return ocsFailure(call, 400, `Status-type "${status}" is not supported`)
  return change(call, { status, statusIsUserDefined: true })
}

function setMessage(call: Call): Reply {
  const fields = fieldsOf(call)
  const textField = (name: string): string | null => fields.get(name) || null
  const clearAt = Number(fields.get("clearAt") ?? 0) || null
  const message = { message: textField("message"), icon: textField("statusIcon"), clearAt }
  const tooLong = [...(message.message ?? "")].length > mostCharacters
  if (tooLong) return ocsFailure(call, 400, `Message is longer than supported length of ${mostCharacters} characters`)
  if (isPast(call, clearAt)) return ocsFailure(call, 400, "ClearAt is in the past")
  return change(call, { ...message, messageId: null, messageIsPredefined: false })
}

const mostCharacters = 80

const isPast = ({ world }: Call, clearAt: number | null): boolean => clearAt !== null && clearAt * 1000 < world.now()

function setPredefined(call: Call): Reply {
  const fields = fieldsOf(call)
  const match = predefined.find(({ id }) => id === fields.get("messageId"))
  if (match === undefined) return ocsFailure(call, 400, `Message-Id "${fields.get("messageId")}" is not supported`)
  const clearAt = Number(fields.get("clearAt") ?? 0) || null
  if (isPast(call, clearAt)) return ocsFailure(call, 400, "ClearAt is in the past")
  return change(call, { message: null, messageId: match.id, messageIsPredefined: true, icon: null, clearAt })
}

function clear(call: Call): Reply {
  change(call, { message: null, messageId: null, messageIsPredefined: false, icon: null, clearAt: null })
  return ocs(call, [])
}

/** The status that other people see: invisible looks offline. */
function toPublic(storedStatus: Status) {
  const { userId, message, icon, clearAt, status } = withPredefined(storedStatus)
  return { userId, message, icon, clearAt, status: status === "invisible" ? "offline" : status }
}

function showOther(call: Call, id: string): Reply {
  const status = statusOf(call.world, id)
  return status === undefined
    ? ocsFailure(call, 404, "No status for the requested userId")
    : ocs(call, toPublic(status))
}

function showAll(call: Call): Reply {
  const all = [...statusesOf(call.world).values()]
  const offset = Number(call.query.get("offset") ?? 0)
  return ocs(call, all.slice(offset, offset + Number(call.query.get("limit") ?? all.length)).map(toPublic))
}

const base = "/apps/user_status/api/v1"

export const userStatusArea: Area = createArea([
  ["GET", inOcs(`${base}/user_status`), show],
  ["PUT", inOcs(`${base}/user_status/status`), setType],
  ["PUT", inOcs(`${base}/user_status/message/custom`), setMessage],
  ["PUT", inOcs(`${base}/user_status/message/predefined`), setPredefined],
  ["DELETE", inOcs(`${base}/user_status/message`), clear],
  ["GET", inOcs(`${base}/predefined_statuses`), (call) => ocs(call, predefined)],
  ["GET", inOcs(`${base}/statuses`), showAll],
  ["GET", inOcs(`${base}/statuses/(?<id>[^/]+)`), (call, { id = "" }) => showOther(call, id)],
])
