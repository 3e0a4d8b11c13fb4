// The tool that sends a message. Sending cannot be undone: the person first sees every recipient, the sender, the
// subject and the text, and the message is posted only once, whatever the response.

import type { NextcloudError } from "../../api/error.ts"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { integer, list, object, optional, text } from "../../schema.ts"
import type { Loss } from "../../tool.ts"
import { defineTool } from "../../tool.ts"
import { mail, messagesSince, readAccounts } from "./api.ts"
import { assertShowable, type OutgoingMail, previewLines } from "./outgoing.ts"

const sendMessage = defineTool({
  name: "nc_mail_send_message",
  title: "Send a message",
  description:
    "Sends a plain-text e-mail in the user's name, after they have seen and approved it. To reply to a message, give its reference.",
  scopes: ["mail.send"],
  effect: "add",
  reach: {
    kinds: ["email"],
    find: ({ to, cc = [], bcc = [], subject }) =>
      [...to, ...cc, ...bcc].map((address) => ({ kind: "email", to: address, object: subject })),
  },
  input: object({
    account_id: optional(integer("If there are several")),
    from: optional(text("An alias of it")),
    to: list(text("One address")),
    cc: optional(list(text())),
    bcc: optional(list(text())),
    subject: text(undefined, { most: 300 }),
    body: text(undefined, { most: 100_000 }),
    reference: optional(text("Of the message to reply to")),
  }),
  output: object({ from: text(), to: list(text()), subject: text(), note: optional(text()) }),
  requestsNote: "One more if the user has chosen not to be asked.",
  source: "documented",
  confirm: {
    verb: "Send",
    keptText: "was not sent",
    async readLoss(input, nextcloud): Promise<Loss> {
      assertShowable(input, activity)
      const sender = await senderOf(input, nextcloud)
      const mailText = `the message “${input.subject}” from ${sender.email}`
      return { what: mailText, details: previewLines(input), guard: `${sender.id} ${sender.email}` }
    },
  },
  async run(input, nextcloud, { loss }) {
    assertShowable(input, activity)
    const sender = fromGuard(loss?.guard) ?? (await senderOf(input, nextcloud))
    const note = await post(nextcloud, input, sender)
    return { from: sender.email, to: input.to, subject: input.subject, ...(note === "" ? {} : { note }) }
  },
})

const activity = "sending a message"

interface Sender {
  readonly id: number
  readonly email: string
}

/** The sender that was shown to the person. Undefined when the person was not asked. */
function fromGuard(guard = ""): Sender | undefined {
  const [, id, email] = /^(\d+) (.+)$/.exec(guard) ?? []
  return id === undefined || email === undefined ? undefined : { id: Number(id), email }
}

/** The account that sends, and its address or the selected alias. Throws when the choice is not clear. */
async function senderOf({ account_id, from }: OutgoingMail, nextcloud: Nextcloud): Promise<Sender> {
  const accounts = await readAccounts(nextcloud, activity)
  const all = accounts.flatMap((fields) => {
    const id = fields.number("id")
    const aliases = fields.objects("aliases").map((alias) => ({ id, email: alias.text("email"), isMainAddress: false }))
    return [{ id, email: fields.text("email"), isMainAddress: true }, ...aliases]
  })
  const isRequested = ({ id, email, isMainAddress }: (typeof all)[number]): boolean =>
    (account_id ?? id) === id && (from === undefined ? isMainAddress : email.toLowerCase() === from.toLowerCase())
  const [account, secondAccount] = all.filter(isRequested)
  if (account !== undefined && secondAccount === undefined) return { id: account.id, email: account.email }
  const accountList = all.map(({ id, email }) => `${email} (account_id ${id})`).join(", ")
  const advice = accountList === "" ? "Tell the user to add one in Mail." : `The accounts are: ${accountList}.`
  if (account === undefined)
    throw nextcloudError("not_found", { activity, because: "there is no such mail account", advice })
  throw nextcloudError("invalid", { activity, because: "there are several mail accounts", advice })
}

/** Posts the message. Returns Mail's remark: "" when it was sent and stored in the mailbox for sent messages. */
async function post(nextcloud: Nextcloud, input: OutgoingMail, sender: Sender): Promise<string> {
  const toList = (addresses: readonly string[] = []) => addresses.map((email) => ({ email }))
  const json = {
    ...{ accountId: sender.id, fromEmail: sender.email, subject: input.subject, body: input.body, isHtml: false },
    ...{ to: toList(input.to), cc: toList(input.cc), bcc: toList(input.bcc) },
    ...(input.reference === undefined ? {} : { references: input.reference }),
  }
  const request = {
    method: "POST",
    path: "message/send",
    json,
    activity,
    requiredVersion: messagesSince,
    repeatable: false,
  }
  try {
    const report = await mail(nextcloud, request)
    if (typeof report === "string") return report
    throw nextcloudError("malformed", { activity, detail: "no report of what happened to the message" })
  } catch (error) {
    throw isNextcloudError(error) && mayBeInOutbox(error) ? toUnclearError(error) : error
  }
}

const inOutbox =
  "Do not send it again: it may be in the outbox of Mail, which sends it later automatically. Tell the user to check there."

/** Whether the outcome is unknown: Mail validates a message, puts it into its outbox, and may fail after that. */
const mayBeInOutbox = ({ kind, detail }: NextcloudError): boolean =>
  kind === "failed" || kind === "malformed" || /^(Processing|Configuration) error/.test(detail)

function toUnclearError({ kind, status, detail }: NextcloudError): Error {
  if (kind === "malformed") return nextcloudError(kind, { activity, status, detail, advice: inOutbox })
  const because = "Mail accepted the message, but could not send it now"
  return nextcloudError("failed", { activity, status, detail, because, advice: inOutbox })
}

export const sendTools = [sendMessage]
