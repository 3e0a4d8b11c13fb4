// One call of each tool of unified search, notifications, user status, and users and groups.

import { notify } from "@holdpoint/nextcloud-stand-in"
import { notificationTools } from "../../src/tools/notifications/notifications.ts"
import { toolOf } from "../fits.ts"
import type { Samples, SampleWorld } from "./sample.ts"

async function notificationOf({ standIn, alice }: SampleWorld) {
  notify(standIn.world, "alice", { app: "deck", subject: "A card is due" })
  const tool = toolOf(notificationTools, "nc_notifications_list_notifications")
  const result = (await tool.run({}, alice, {} as never)) as { notifications: readonly { id: number }[] }
  return { notification_id: result.notifications[0]?.id }
}

export const searchSamples: Samples = {
  nc_search_list_providers: { arguments: () => ({}) },
  nc_search_search_everything: {
    arguments: () => ({ query: "e", providers: ["files"] }),
    missing: { query: "e", providers: ["nothing"] },
  },
}

export const notificationSamples: Samples = {
  nc_notifications_list_notifications: { arguments: () => ({}) },
  nc_notifications_dismiss_notification: { arguments: notificationOf, missing: { notification_id: 999999 } },
  nc_notifications_dismiss_all: {
    async arguments(world) {
      await notificationOf(world)
      return {}
    },
  },
}

export const statusSamples: Samples = {
  nc_status_get_status: { arguments: () => ({}) },
  nc_status_list_statuses: { arguments: () => ({}) },
  nc_status_set_status: { arguments: () => ({ status: "away" }) },
}

export const userSamples: Samples = {
  nc_users_get_me: { arguments: () => ({}) },
  nc_users_search_users: { arguments: async ({ bob }) => ({ query: await bob.userId() }) },
  nc_users_list_groups: { arguments: () => ({}) },
  nc_users_get_capabilities: { arguments: () => ({}), missing: { app: "nothing" } },
}
