// One call of each tool of Mail. A message must have arrived before, which only the stand-in can simulate.

import { receiveMail } from "@holdpoint/nextcloud-stand-in"
import type { Nextcloud } from "../../src/api/nextcloud.ts"
import { mailTools } from "../../src/tools/mail/mail.ts"
import { callTool, toolOf } from "../fits.ts"
import type { Samples, SampleWorld } from "./sample.ts"

type Ids = readonly { readonly id: number; readonly role?: string }[]

export async function accountOf(nextcloud: Nextcloud): Promise<{ readonly account_id: number | undefined }> {
  const { accounts } = await callTool<{ accounts: Ids }>(toolOf(mailTools, "nc_mail_list_accounts"), {}, nextcloud)
  return { account_id: accounts[0]?.id }
}

export async function mailboxOf(nextcloud: Nextcloud, wanted = "inbox") {
  const tool = toolOf(mailTools, "nc_mail_list_mailboxes")
  const { mailboxes } = await callTool<{ mailboxes: Ids }>(tool, await accountOf(nextcloud), nextcloud)
  return { mailbox_id: mailboxes.find(({ role }) => role === wanted)?.id }
}

function messageOf({ standIn }: SampleWorld) {
  const attachments = [{ name: "plan.txt", mime: "text/plain", bytes: new TextEncoder().encode("Grüße") }]
  const mail = { from: "bob@example.org", subject: "The plan", body: "Hello", attachments }
  return { message_id: receiveMail(standIn.world, "alice", mail).id }
}

const missing = { message_id: 999_999 }

export const mailSamples: Samples = {
  nc_mail_list_accounts: { arguments: () => ({}) },
  nc_mail_list_mailboxes: { arguments: ({ alice }) => accountOf(alice), missing: { account_id: 999_999 } },
  nc_mail_list_messages: {
    async arguments(world) {
      messageOf(world)
      return mailboxOf(world.alice)
    },
    foreign: ({ bob }) => mailboxOf(bob),
  },
  nc_mail_get_message: { arguments: messageOf, missing },
  nc_mail_get_message_source: { arguments: messageOf, missing },
  nc_mail_get_attachment: {
    arguments: (world) => ({ ...messageOf(world), attachment_id: "2" }),
    missing: { ...missing, attachment_id: "2" },
  },
  nc_mail_send_message: {
    arguments: () => ({ to: ["bob@example.org"], subject: "The plan", body: "Hello" }),
    missing: { account_id: 999_999, to: ["bob@example.org"], subject: "The plan", body: "Hello" },
  },
  nc_mail_set_flags: {
    arguments: (world) => ({ ...messageOf(world), read: true }),
    missing: { ...missing, read: true },
  },
}
