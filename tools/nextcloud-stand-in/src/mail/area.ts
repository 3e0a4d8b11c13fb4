// The app "Mail", from its openapi.json and its controllers (Mail 5.12, and a proposed change for flags). Not recorded.

import type { Area, Call, Reply } from "../area.ts"
import { jsonType, noStore, ocs, ocsFailure } from "../replies.ts"
import { createArea, type Groups, inOcs, jsonOf } from "../routes.ts"
import { matches } from "./filter.ts"
import { showAccount, showAttachment, showEnvelope, showMailbox, showMessage } from "./shapes.ts"
import {
  type Address,
  type MailAccount,
  mailStore,
  type NewMail,
  putMail,
  receiveMail,
  type StoredMail,
  toAddress,
  toSource,
} from "./store.ts"

const notFoundMessage = "Message, Account or Mailbox not found"

/** A refusal of Mail, which puts its message into the data and not into the envelope. */
const refuse = (call: Call, status: number, data: unknown): Reply => ocsFailure(call, status, "", { data })

const ownAccounts = (call: Call): readonly MailAccount[] =>
  mailStore(call.world).accounts.filter(({ user }) => user === call.user?.id)

const accountOf = (call: Call, id: number): MailAccount | undefined =>
  ownAccounts(call).find((account) => account.id === id)

function listMailboxes(call: Call): Reply {
  const account = accountOf(call, Number(call.query.get("accountId")))
  if (account === undefined) return refuse(call, 404, [])
  const { mailboxes, messages } = mailStore(call.world)
  const accountMailboxes = mailboxes.filter(({ accountId }) => accountId === account.id)
  const countUnread = (id: number) => messages.filter(({ mailboxId, flags }) => mailboxId === id && !flags.seen).length
  return ocs(
    call,
    accountMailboxes.map((mailbox) => showMailbox(mailbox, countUnread(mailbox.id))),
  )
}

/**
 * Lists messages older than the cursor, in seconds. The limit is 1 by default, because max(1, null) is 1 in PHP, and
 * 100 at most.
 */
function listMessages(call: Call, { id }: Groups): Reply {
  const { mailboxes, messages } = mailStore(call.world)
  const mailbox = mailboxes.find((one) => one.id === Number(id) && accountOf(call, one.accountId) !== undefined)
  if (mailbox === undefined) return refuse(call, 403, [])
  const cursor = Number(call.query.get("cursor") ?? Number.POSITIVE_INFINITY)
  const filter = call.query.get("filter") ?? ""
  const selectedMessages = messages
    .filter((mail) => mail.mailboxId === mailbox.id && mail.sentAt < cursor && matches(mail, filter))
    .toSorted((a, b) => b.sentAt - a.sentAt || b.id - a.id)
  const limit = Math.min(100, Math.max(1, Number(call.query.get("limit") ?? 1)))
  return ocs(call, selectedMessages.slice(0, limit).map(showEnvelope))
}

function mailOf(call: Call, id: string | undefined): StoredMail | undefined {
  const { messages, mailboxes } = mailStore(call.world)
  const mail = messages.find((one) => one.id === Number(id))
  const mailbox = mailboxes.find((one) => one.id === mail?.mailboxId)
  return accountOf(call, mailbox?.accountId ?? 0) === undefined ? undefined : mail
}

const withMail =
  (missing: string, answer: (call: Call, mail: StoredMail, groups: Groups) => Reply) =>
  (call: Call, groups: Groups): Reply => {
    const mail = mailOf(call, groups.id)
    return mail === undefined ? refuse(call, 404, missing) : answer(call, mail, groups)
  }

/** Returns an attachment. JSON is UTF-8 only, so other content gets the status 200 with an empty body. */
function attachment(call: Call, mail: StoredMail, { part }: Groups): Reply {
  const storedAttachment = mail.attachments[Number(part) - 2]
  if (storedAttachment === undefined) return refuse(call, 404, "Could not find attachment")
  try {
    return ocs(call, showAttachment(storedAttachment))
  } catch {
    return { status: 200, headers: { ...noStore, ...jsonType } }
  }
}

function setFlags(call: Call, mail: StoredMail): Reply {
  const { flags = {} } = (jsonOf(call) ?? {}) as { readonly flags?: Readonly<Record<string, unknown>> }
  for (const name of ["seen", "flagged", "answered"] as const)
    if (typeof flags[name] === "boolean") mail.flags[name] = flags[name]
  return ocs(call, "")
}

interface OutgoingMail {
  readonly accountId?: number
  readonly fromEmail?: string
  readonly subject?: string
  readonly body?: string
  readonly isHtml?: boolean
  readonly to?: readonly Partial<Address>[]
  readonly cc?: readonly Partial<Address>[]
  readonly bcc?: readonly Partial<Address>[]
  readonly references?: string | null
}

function send(call: Call): Reply {
  const mail = (jsonOf(call) ?? {}) as OutgoingMail
  const account = accountOf(call, mail.accountId ?? 0)
  if (account === undefined) return refuse(call, 404, "Account not found.")
  const sender = mail.fromEmail ?? ""
  if (sender !== account.email && !account.aliases.some(({ email }) => email === sender))
    return refuse(call, 404, `Could not find alias ${sender}. Please check the logs.`)
  const { to = [], cc = [], bcc = [] } = mail
  if (to.length === 0) return refuse(call, 400, "Recipients cannot be empty.")
  const invalidAddress = [...to, ...cc, ...bcc].find(({ email = "" }) => !/^[^\s@<>,]+@[^\s@<>,]+$/.test(email))
  if (invalidAddress !== undefined) return refuse(call, 400, `Email address ${invalidAddress.email} not valid.`)
  deliver(call, account, { mail, from: sender })
  return ocs(call, "")
}

/** Copies a message to "Sent", and delivers it to the inbox of every recipient on this server. */
function deliver(
  call: Call,
  account: MailAccount,
  { mail, from }: { readonly mail: OutgoingMail; readonly from: string },
): void {
  const { world } = call
  const toAddresses = (all: OutgoingMail["to"] = []): readonly Address[] =>
    all.map(({ email = "" }) => toAddress(email))
  const { subject = "", body = "", isHtml = false, references = null } = mail
  const cc = toAddresses(mail.cc)
  const newMail: NewMail = { from, subject, body, isHtml, cc, inReplyTo: references }
  const envelope = { account, role: "sent", to: toAddresses(mail.to), bcc: toAddresses(mail.bcc) }
  const { messageId } = putMail(world, envelope, newMail)
  for (const { email } of [...envelope.to, ...cc, ...envelope.bcc]) {
    const recipient = mailStore(world).accounts.find((one) => one.email === email)
    if (recipient !== undefined) receiveMail(world, recipient.user, { ...newMail, messageId })
  }
}

const routes: Area = createArea([
  ["GET", inOcs("/apps/mail/account/list"), (call) => ocs(call, ownAccounts(call).map(showAccount))],
  ["GET", inOcs("/apps/mail/ocs/mailboxes"), listMailboxes],
  ["GET", inOcs("/apps/mail/ocs/mailboxes/(?<id>\\d+)/messages"), listMessages],
  ["POST", inOcs("/apps/mail/message/send"), send],
  ["GET", inOcs("/apps/mail/message/(?<id>\\d+)"), withMail("Account not found.", showMessage)],
  [
    "GET",
    inOcs("/apps/mail/message/(?<id>\\d+)/raw"),
    withMail(notFoundMessage, (call, mail) => ocs(call, toSource(mail))),
  ],
  ["GET", inOcs("/apps/mail/message/(?<id>\\d+)/attachment/(?<part>[^/]+)"), withMail(notFoundMessage, attachment)],
  ["POST", inOcs("/apps/mail/message/(?<id>\\d+)/flags"), withMail(notFoundMessage, setFlags)],
])

export const mailArea: Area = (call) => (call.world.isInstalled("mail") ? routes(call) : undefined)
