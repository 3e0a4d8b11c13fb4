// Tools that list the user's mail accounts and their mailboxes.

import { objectsOf } from "../../api/read.ts"
import { pageFields, paging, toPage } from "../../page.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { listsSince, readAccounts, readMail } from "./api.ts"

const listAccounts = defineTool({
  name: "nc_mail_list_accounts",
  title: "List mail accounts",
  description: "The user's mail accounts, with the other addresses that they can send from.",
  scopes: ["mail.read"],
  effect: "read",
  input: object({}),
  output: object({
    accounts: list(object({ id: integer(), email: text(), aliases: list(text()), delegated: flag() })),
  }),
  source: "documented",
  async run(_, nextcloud) {
    const entries = await readAccounts(nextcloud, "listing the mail accounts")
    const accounts = entries.map((fields) => ({
      id: fields.number("id"),
      email: fields.text("email"),
      aliases: fields.objects("aliases").map((alias) => alias.text("email")),
      delegated: fields.maybeFlag("isDelegated") ?? false,
    }))
    return { accounts }
  },
})

const listMailboxes = defineTool({
  name: "nc_mail_list_mailboxes",
  title: "List mailboxes",
  description:
    "The mailboxes (folders) of a mail account, with their role (inbox, sent, drafts, trash …) and unread count.",
  scopes: ["mail.read"],
  effect: "read",
  input: object({ account_id: integer(), ...paging }),
  output: object({
    mailboxes: list(object({ id: integer(), name: text(), role: optional(text()), unread: integer() })),
    ...pageFields,
  }),
  source: "documented",
  async run({ account_id, ...page }, nextcloud) {
    const activity = `listing the mailboxes of the account ${account_id}`
    const request = { path: "ocs/mailboxes", query: { accountId: account_id }, activity, requiredVersion: listsSince }
    const { items, facts } = toPage(objectsOf(await readMail(nextcloud, request), activity), page)
    const mailboxes = items.map((fields) => {
      const { specialRole } = fields.raw
      return {
        id: fields.number("databaseId"),
        name: fields.text("name"),
        // Mail sends 0 for a mailbox without a role.
        ...(typeof specialRole === "string" && specialRole !== "" ? { role: specialRole } : {}),
        unread: fields.maybeNumber("unread") ?? 0,
      }
    })
    return { mailboxes, ...facts }
  },
})

export const accountTools = [listAccounts, listMailboxes]
