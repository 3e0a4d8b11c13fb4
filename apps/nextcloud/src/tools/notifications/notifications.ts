// Tools for notifications, as the bell of the web interface shows them.

import { toAbsolute } from "../../api/absolute-address.ts"
import type { Capabilities } from "../../api/capabilities.ts"
import { nextcloudError } from "../../api/error.ts"
import type { NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import { ocs } from "../../api/ocs.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import { pageFields, paging, toExcerpt, toPage } from "../../page.ts"
import { integer, list, object, optional, text } from "../../schema.ts"
import { defineTool, withOfferTest } from "../../tool.ts"

const isOffered = (capabilities: Capabilities): boolean => capabilities.has("notifications")

const notifications = (nextcloud: Nextcloud, { path, ...request }: NcRequest) =>
  ocs(nextcloud, { ...request, path: `/apps/notifications/api/v2/notifications${path}` })

const notification = object({
  id: integer(),
  app: text(),
  subject: text(),
  message: optional(text()),
  time: text(),
  actions: list(text()),
  url: optional(text()),
})

function toNotification(nextcloud: Nextcloud, fields: Fields) {
  const message = fields.maybeText("message")
  const url = fields.maybeText("link")
  return {
    id: fields.number("notification_id"),
    app: fields.text("app"),
    subject: fields.text("subject"),
    ...(message === undefined ? {} : { message }),
    time: fields.text("datetime"),
    actions: fields.objects("actions").map((action) => action.text("label")),
    ...(url === undefined ? {} : { url: toAbsolute(nextcloud, url) }),
  }
}

async function readAll(nextcloud: Nextcloud): Promise<readonly Fields[]> {
  const activity = "listing the notifications"
  // The body is empty when no app of the server sends notifications.
  return objectsOf((await notifications(nextcloud, { path: "", activity })).data ?? [], activity)
}

/** The server returns at most this many, and does not report whether there are more. */
const mostListed = 25

async function readOne(nextcloud: Nextcloud, id: number): Promise<Fields> {
  const activity = `reading the notification ${id}`
  return fieldsOf((await notifications(nextcloud, { path: `/${id}`, activity })).data, activity)
}

const listNotifications = defineTool({
  name: "nc_notifications_list_notifications",
  title: "List notifications",
  description: "The user's notifications, newest first. The server returns at most 25.",
  scopes: ["notifications.read"],
  effect: "read",
  input: object({ app: optional(text("Only those of this app, by id")), ...paging }),
  output: object({ notifications: list(notification), ...pageFields }),
  source: "documented",
  notRecorded: "a list that is not empty",
  async run({ app, ...page }, nextcloud) {
    const matches = (await readAll(nextcloud)).filter((fields) => app === undefined || fields.text("app") === app)
    const { items, facts } = toPage(matches, page)
    return { notifications: items.map((fields) => toNotification(nextcloud, fields)), ...facts }
  },
})

const dismissNotification = defineTool({
  name: "nc_notifications_dismiss_notification",
  title: "Dismiss a notification",
  description: "Dismisses one notification. What it is about is not changed.",
  scopes: ["notifications.write"],
  effect: "remove",
  input: object({ notification_id: integer() }),
  output: object({ dismissed: integer() }),
  requests: 2,
  source: "documented",
  notRecorded: "dismissing",
  confirm: {
    policy: "never",
    verb: "Dismiss",
    async readLoss({ notification_id }, nextcloud) {
      const notification = await readOne(nextcloud, notification_id)
      return { what: `the notification “${toExcerpt(notification.text("subject"), 120)}”` }
    },
  },
  async run({ notification_id }, nextcloud) {
    const activity = `dismissing the notification ${notification_id}`
    // The server also confirms the deletion of a missing notification, so the notification is read first.
    await readOne(nextcloud, notification_id)
    await notifications(nextcloud, { method: "DELETE", path: `/${notification_id}`, activity })
    return { dismissed: notification_id }
  },
})

const dismissAll = defineTool({
  name: "nc_notifications_dismiss_all",
  title: "Dismiss all notifications",
  description: "Dismisses all notifications. What they are about is not changed.",
  scopes: ["notifications.write"],
  effect: "remove",
  input: object({}),
  output: object({ dismissed: integer("How many, at least") }),
  requests: 2,
  source: "documented",
  notRecorded: "dismissing",
  confirm: {
    verb: "Dismiss",
    async readLoss(_, nextcloud) {
      const all = await readAll(nextcloud)
      const subjects = all.slice(0, 5).map((fields) => `“${toExcerpt(fields.text("subject"), 80)}”`)
      const hasMore = all.length >= mostListed
      const moreText = all.length > 5 ? [`and ${all.length - 5} ${hasMore ? "or more" : "more"}`] : []
      return {
        what: `all ${all.length} ${hasMore ? "or more " : ""}notifications`,
        details: [...subjects, ...moreText],
        guard: guardOf(all),
      }
    },
  },
  async run(_, nextcloud, { loss }) {
    const activity = "dismissing all notifications"
    const all = await readAll(nextcloud)
    if (loss?.guard !== undefined && loss.guard !== guardOf(all)) {
      const currentList = { notifications: all.map((fields) => toNotification(nextcloud, fields)) }
      throw nextcloudError("conflict", { activity, current: currentList })
    }
    if (all.length > 0) await notifications(nextcloud, { method: "DELETE", path: "", activity })
    return { dismissed: all.length }
  },
})

const guardOf = (all: readonly Fields[]): string => all.map((fields) => fields.number("notification_id")).join()

export const notificationTools = withOfferTest(isOffered, [listNotifications, dismissNotification, dismissAll])
