// One call of each tool of Mail at a real server, with an existing account and its inbox. Nothing is sent or marked,
// because neither can be undone.

import type { Nextcloud } from "../../src/api/nextcloud.ts"
import { mailTools } from "../../src/tools/mail/mail.ts"
import { callTool, toolOf } from "../fits.ts"
import { accountOf, mailboxOf } from "../samples/mail.ts"
import type { Sample } from "../samples/sample.ts"
import { lacking } from "./world.ts"

interface Listed {
  readonly messages: readonly { readonly id: number; readonly attachments: boolean }[]
}

async function account(nextcloud: Nextcloud) {
  const sender = await accountOf(nextcloud)
  if (sender.account_id === undefined) throw lacking("this person has no account in Mail")
  return sender
}

async function mailbox(nextcloud: Nextcloud) {
  await account(nextcloud)
  return mailboxOf(nextcloud)
}

async function message(nextcloud: Nextcloud, isWanted: (one: Listed["messages"][number]) => boolean = () => true) {
  const input = { ...(await mailbox(nextcloud)), limit: 50 }
  const { messages } = await callTool<Listed>(toolOf(mailTools, "nc_mail_list_messages"), input, nextcloud)
  const message = messages.find(isWanted)
  if (message === undefined) throw lacking("there is no such message in the inbox")
  return { message_id: message.id }
}

async function attachment(nextcloud: Nextcloud) {
  const input = await message(nextcloud, ({ attachments }) => attachments)
  type Read = { readonly attachments: readonly { readonly id: string }[] }
  const { attachments } = await callTool<Read>(toolOf(mailTools, "nc_mail_get_message"), input, nextcloud)
  return { ...input, attachment_id: attachments[0]?.id }
}

const unavailable = (reason: string): Sample["arguments"] => {
  return () => {
    throw lacking(reason)
  }
}

export const mailArguments: Readonly<Record<string, Sample["arguments"]>> = {
  nc_mail_list_mailboxes: ({ alice }) => account(alice),
  nc_mail_list_messages: ({ alice }) => mailbox(alice),
  nc_mail_get_message: ({ alice }) => message(alice),
  nc_mail_get_message_source: ({ alice }) => message(alice),
  nc_mail_get_attachment: ({ alice }) => attachment(alice),
  nc_mail_set_flags: unavailable("it would change a message of this person, and needs a version of Mail after 5.12"),
  nc_mail_send_message: unavailable("what is sent cannot be removed again"),
}

/** Calls that do not return “not found”: released versions of Mail fail for an unknown account, and have no flags. */
export const answeredOtherwise: ReadonlySet<string> = new Set(["nc_mail_list_mailboxes", "nc_mail_set_flags"])
