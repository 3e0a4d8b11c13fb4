// The app "Notifications". An empty list and a missing notification were recorded; the rest follows its documented API.

import { createHash } from "node:crypto"
import type { Area, Call, Reply } from "./area.ts"
import { ocs, ocsFailure } from "./replies.ts"
import { createArea, inOcs } from "./routes.ts"
import { statusOf } from "./user-status.ts"
import type { World } from "./world.ts"

export interface Notification {
  readonly notification_id: number
  readonly app: string
  readonly user: string
  readonly datetime: string
  readonly object_type: string
  readonly object_id: string
  readonly subject: string
  readonly message: string
  readonly link: string
  readonly subjectRich: string
  readonly subjectRichParameters: readonly unknown[]
  readonly messageRich: string
  readonly messageRichParameters: readonly unknown[]
  readonly icon: string
  readonly shouldNotify: boolean
  readonly actions: readonly unknown[]
}

const allOf = (world: World): Set<Notification> => world.state("notifications", () => new Set())

export interface NewNotification {
  readonly app: string
  readonly subject: string
  readonly message?: string
  readonly link?: string
  readonly object?: readonly [type: string, id: string]
}

/** Sends a notification to a user. */
export function notify(
  world: World,
  user: string,
  { app, subject, message = "", link = "", object }: NewNotification,
): void {
  const [type = "news", id = "1"] = object ?? []
  const fields = { object_type: type, object_id: id, subject, message, link }
  const datetime = new Date(world.now()).toISOString().replace(/\.\d+Z$/, "+00:00")
  const notification = { notification_id: world.nextId(), app, user, datetime, ...fields }
  const rich = { subjectRich: "", subjectRichParameters: [], messageRich: "", messageRichParameters: [] }
  allOf(world).add({ ...notification, ...rich, icon: `/apps/${app}/img/app-dark.svg`, shouldNotify: true, actions: [] })
}

const ownNotifications = ({ world, user }: Call): readonly Notification[] =>
  [...allOf(world)].filter((one) => one.user === user?.id).sort((a, b) => b.notification_id - a.notification_id)

const toNotFound = (call: Call): Reply => ocsFailure(call, 404, "", { data: null })

/** A list has at most this many notifications, the newest ones. */
const mostListed = 25

function list(call: Call): Reply {
  const notifications = ownNotifications(call).slice(0, mostListed)
  const etag = `"${createHash("md5").update(JSON.stringify(notifications)).digest("hex")}"`
  const status = statusOf(call.world, call.user?.id ?? "")?.status ?? "online"
  return ocs(call, notifications, { etag, "x-nextcloud-user-status": status })
}

function show(call: Call, id: number): Reply {
  const notification = ownNotifications(call).find((one) => one.notification_id === id)
  return notification === undefined ? toNotFound(call) : ocs(call, notification)
}

/** Dismissing a missing notification succeeds too. */
function dismiss(call: Call, id: number): Reply {
  if (id === 0) return toNotFound(call)
  const notification = ownNotifications(call).find((one) => one.notification_id === id)
  if (notification !== undefined) allOf(call.world).delete(notification)
  return ocs(call, [])
}

function dismissAll(call: Call): Reply {
  for (const notification of ownNotifications(call)) allOf(call.world).delete(notification)
  return ocs(call, [])
}

const base = "/apps/notifications/api/v[12]/notifications"

export const notificationsArea: Area = createArea([
  ["GET", inOcs(base), list],
  ["DELETE", inOcs(base), dismissAll],
  ["GET", inOcs(`${base}/(?<id>\\d+)`), (call, { id }) => show(call, Number(id))],
  ["DELETE", inOcs(`${base}/(?<id>\\d+)`), (call, { id }) => dismiss(call, Number(id))],
])
