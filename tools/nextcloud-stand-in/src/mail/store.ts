// The state of the app "Mail": an account with mailboxes and messages for each user with an address. Messages to users
// of this server are delivered; no message leaves the server.

import { Buffer } from "node:buffer"
import type { World } from "../world.ts"

export interface MailAccount {
  readonly id: number
  readonly user: string
  readonly email: string
  readonly aliases: readonly { readonly id: number; readonly email: string; readonly name: string | null }[]
}

export interface Mailbox {
  readonly id: number
  readonly accountId: number
  readonly name: string
  readonly role: string
}

export interface Address {
  readonly label: string
  readonly email: string
}

export interface Attachment {
  readonly name: string
  readonly mime: string
  readonly bytes: Uint8Array
}

export interface StoredMail {
  readonly id: number
  readonly mailboxId: number
  readonly messageId: string
  readonly inReplyTo: string | null
  readonly from: Address
  readonly to: readonly Address[]
  readonly cc: readonly Address[]
  readonly bcc: readonly Address[]
  readonly subject: string
  readonly body: string
  readonly isHtml: boolean
  /** The time of sending, in seconds. */
  readonly sentAt: number
  readonly attachments: readonly Attachment[]
  readonly flags: { seen: boolean; flagged: boolean; answered: boolean }
}

export interface MailStore {
  readonly accounts: MailAccount[]
  readonly mailboxes: Mailbox[]
  readonly messages: StoredMail[]
}

/** The store, with an account for each user with an address. Created on first use. */
export function mailStore(world: World): MailStore {
  return world.state("mail", () => {
    const store: MailStore = { accounts: [], mailboxes: [], messages: [] }
    for (const { id: user, email } of world.users.values()) if (email !== "") openAccount(world, store, { user, email })
    return store
  })
}

function openAccount(world: World, store: MailStore, { user, email }: Pick<MailAccount, "user" | "email">): void {
  const id = world.nextId()
  const alias = { id: world.nextId(), email: email.replace("@", "+team@"), name: null }
  store.accounts.push({ id, user, email, aliases: [alias] })
  const mailboxes = [
    { name: "INBOX", role: "inbox" },
    { name: "Sent", role: "sent" },
  ]
  for (const mailbox of mailboxes) store.mailboxes.push({ id: world.nextId(), accountId: id, ...mailbox })
}

export interface NewMail {
  readonly from: string
  readonly subject: string
  readonly body?: string
  readonly isHtml?: boolean
  readonly sentAt?: number
  readonly messageId?: string
  readonly inReplyTo?: string | null
  readonly cc?: readonly Address[]
  readonly attachments?: readonly Attachment[]
}

/** Delivers a message to the inbox of a user. Throws when the user has no mail account. */
export function receiveMail(world: World, user: string, mail: NewMail): StoredMail {
  const { accounts } = mailStore(world)
  const account = accounts.find((one) => one.user === user)
  if (account === undefined) throw new Error(`${user} has no mail account.`)
  return putMail(world, { account, role: "inbox", to: [toAddress(account.email)] }, mail)
}

export interface MailTarget {
  readonly account: MailAccount
  readonly role: string
  readonly to: readonly Address[]
  readonly bcc?: readonly Address[]
}

export function putMail(world: World, { account, role, to, bcc = [] }: MailTarget, mail: NewMail): StoredMail {
  const store = mailStore(world)
  const mailbox = store.mailboxes.find((one) => one.accountId === account.id && one.role === role)
  if (mailbox === undefined) throw new Error(`${account.email} has no mailbox ${role}.`)
  const id = world.nextId()
  const { from, subject, body = "", isHtml = false, cc = [], attachments = [] } = mail
  const storedMail: StoredMail = {
    ...{
      id,
      mailboxId: mailbox.id,
      messageId: mail.messageId ?? `<${id}@example.org>`,
      from: toAddress(from),
      to,
      cc,
      bcc,
    },
    ...{ subject, body, isHtml, attachments, inReplyTo: mail.inReplyTo ?? null },
    sentAt: mail.sentAt ?? Math.floor(world.now() / 1000),
    flags: { seen: role === "sent", flagged: false, answered: false },
  }
  store.messages.push(storedMail)
  return storedMail
}

export const toAddress = (email: string): Address => ({ label: email, email })

/** The message's source: one part for the text, and one part in base64 for each attachment. */
export function toSource(mail: StoredMail): string {
  const line = (name: string, all: readonly Address[]): readonly string[] =>
    all.length === 0 ? [] : [`${name}: ${all.map(({ email }) => email).join(", ")}`]
  const type = `text/${mail.isHtml ? "html" : "plain"}; charset=utf-8`
  const headerLines = [
    ...line("From", [mail.from]),
    ...line("To", mail.to),
    ...line("Cc", mail.cc),
    `Subject: ${mail.subject}`,
    `Message-ID: ${mail.messageId}`,
    `Date: ${new Date(mail.sentAt * 1000).toUTCString()}`,
    "MIME-Version: 1.0",
  ]
  if (mail.attachments.length === 0) return [...headerLines, `Content-Type: ${type}`, "", mail.body].join("\r\n")
  const parts = [`Content-Type: ${type}\r\n\r\n${mail.body}`, ...mail.attachments.map(toPart)]
  const partLines = parts.map((part) => `--part\r\n${part}\r\n`).join("")
  return [...headerLines, 'Content-Type: multipart/mixed; boundary="part"', "", `${partLines}--part--`, ""].join("\r\n")
}

function toPart({ name, mime, bytes }: Attachment): string {
  const base64 = Buffer.from(bytes)
    .toString("base64")
    .replace(/.{76}(?=.)/g, "$&\r\n")
  const headerLines = [`Content-Type: ${mime}; name="${name}"`, "Content-Transfer-Encoding: base64"]
  return [...headerLines, `Content-Disposition: attachment; filename="${name}"`, "", base64].join("\r\n")
}
