// The outlet that notifies people of questions by e-mail. A mail links to the page of the question; no question can be
// answered by mail. A sent mail cannot be withdrawn: when its question ends, a second mail is sent only if configured.

import { randomBytes } from "node:crypto"
import type { Elicitation, PrincipalId, Runtime, Storage } from "@holdpoint/hub"
import { type Addresses, HoldpointError, paths, systemRuntime } from "@holdpoint/hub"
import { tenantOf } from "@holdpoint/hub/internal"
import type { LastingOutlet, Prompt } from "@holdpoint/hub/outlets"
import type { Tokens } from "@holdpoint/hub/sealing"
import type { SendMailOptions } from "nodemailer"
import { createDeadAddresses, type DeadAddresses } from "./dead-addresses.ts"
import { type Mail, type MailLinks, toEndMail, toMail } from "./map.ts"
import { returnAddressKind, type SentMail, sentMailKind } from "./records.ts"
import { createSend, type Send, type SmtpServer } from "./send.ts"
import { toUnsubscribeLink } from "./unsubscribe.ts"

/** The options of `email`. */
export interface EmailOptions {
  readonly smtp: SmtpServer
  /** The sender: `holdpoint@example.com`, or `Holdpoint <holdpoint@example.com>`. */
  readonly from: string
  /**
   * The address for bounces. Each mail gets its own return address, `bounces+…@example.com` for `bounces@example.com`,
   * by which `readBounce` identifies the recipient. Without this option, mail servers send bounces to the sender.
   */
  readonly bounces?: string | undefined
  /** Whether a second mail says that a mailed question has ended. Default: false. */
  readonly sayWhenOver?: boolean | undefined
}

export interface EmailOutletOptions extends EmailOptions {
  readonly storage: Pick<Storage, "records">
  readonly addresses: Addresses
  readonly tokens: Tokens
  /** The person's time zone, for the deadline. UTC by default. */
  readonly zoneOf?: (person: PrincipalId) => Promise<string | undefined>
  readonly runtime?: Pick<Runtime, "now">
}

interface Parts extends EmailOutletOptions {
  readonly send: Send
  readonly sender: Sender
  readonly deadAddresses: DeadAddresses
  readonly now: () => number
}

/** Creates the outlet. Its name and the kind of its addresses are `email`. Throws when the settings cannot be used. */
export function createEmailOutlet(options: EmailOutletOptions): LastingOutlet {
  const { storage, runtime = systemRuntime } = options
  const sentMails = storage.records(sentMailKind)
  const deadAddresses = createDeadAddresses(storage, runtime)
  const parts: Parts = {
    ...{ ...options, now: runtime.now, deadAddresses, send: createSend(options.smtp) },
    sender: toSender(options.from, "email.from"),
  }
  if (options.bounces !== undefined) toSender(options.bounces, "email.bounces")
  const firstMail = async ({ reminderOf }: Prompt): Promise<SentMail | undefined> =>
    reminderOf === undefined ? undefined : sentMails.get(reminderOf)
  return {
    name: "email",
    addressKind: "email",
    async post(question, prompt) {
      const { address } = prompt
      const tenant = tenantOf(question.audience)
      if (!isAddress(address)) return { state: "unable", why: "the e-mail address is not usable" }
      const sentMail = await sentMails.get(prompt.id)
      if (sentMail !== undefined) return { state: "shown", receipt: { messageId: sentMail.messageId } }
      if ((await deadAddresses.find(tenant, address)) !== undefined)
        return { state: "unable", why: "e-mails to this address were returned" }
      const messageId = messageIdOf(prompt.id, parts.sender)
      const originalMail = await firstMail(prompt)
      const outcome = await sendMail(parts, question, prompt, {
        messageId,
        ...(originalMail === undefined ? {} : { references: originalMail.messageId }),
        ...(await contentOf(parts, question, prompt)),
      })
      if (outcome.state === "dead") await deadAddresses.note(tenant, address, outcome.status)
      if (outcome.state !== "accepted") return { state: "unable", why: outcome.why }
      await sentMails.insert({ id: prompt.id, tenant, version: 1, messageId, sentAt: parts.now() })
      return { state: "shown", receipt: { messageId } }
    },
    async find({ id }) {
      const sentMail = await sentMails.get(id)
      return sentMail === undefined ? undefined : { messageId: sentMail.messageId }
    },
    async withdraw(settled, prompt) {
      // A reminder gets no end mail: the end mail of the first mail is in the same thread.
      if ((await firstMail(prompt)) !== undefined) return
      const sentMail = await sentMails.get(prompt.id)
      if (options.sayWhenOver !== true || sentMail === undefined || sentMail.endedAt !== undefined) return
      await sendEndMail(parts, settled, prompt, sentMail)
      await sentMails.replace({ ...sentMail, version: sentMail.version + 1, endedAt: parts.now() })
    },
  }
}

async function contentOf(parts: Parts, question: Elicitation, { person, reminderOf }: Prompt): Promise<Content> {
  const { addresses, tokens } = parts
  const subscription = person === undefined ? undefined : { person, kind: question.context.trigger }
  const unsubscribe = subscription === undefined ? undefined : toUnsubscribeLink(addresses, tokens, subscription)
  const zone = person === undefined ? undefined : await parts.zoneOf?.(person)
  const links = { ...linksOf(parts, question), ...(unsubscribe === undefined ? {} : { unsubscribe }) }
  const details = { links, isReminder: reminderOf !== undefined, ...(zone === undefined ? {} : { zone }) }
  return { mail: toMail(question, details), headers: unsubscribe === undefined ? {} : unsubscribeHeaders(unsubscribe) }
}

interface Content {
  readonly mail: Mail
  readonly headers: Headers
}
type Headers = Readonly<Record<string, { readonly prepared: true; readonly value: string }>>

const linksOf = ({ addresses }: Parts, { id }: Elicitation): MailLinks => ({
  question: addresses.to(paths.question, id),
  account: addresses.to(paths.account),
})

/** Creates the headers for unsubscribing. RFC 8058 allows one-click unsubscribing only for https links. */
function unsubscribeHeaders(link: string): Headers {
  const header = (value: string) => ({ prepared: true, value }) as const
  const oneClick = { "List-Unsubscribe-Post": header("List-Unsubscribe=One-Click") }
  return { "List-Unsubscribe": header(`<${link}>`), ...(link.startsWith("https:") ? oneClick : {}) }
}

interface Outgoing extends Content {
  readonly messageId: string
  /** The message id of the first mail of the thread. */
  readonly references?: string
}

async function sendMail(parts: Parts, question: Elicitation, prompt: Prompt, outgoing: Outgoing) {
  const { sender, now, send } = parts
  const { mail, headers, messageId, references } = outgoing
  const message: SendMailOptions = {
    ...{ ...mail, messageId, from: sender, to: { name: "", address: prompt.address }, date: new Date(now()) },
    ...(references === undefined ? {} : { references, inReplyTo: references }),
    // RFC 3834: prevents automatic replies.
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All", ...headers },
    envelope: { from: await returnAddressOf(parts, question, prompt), to: [prompt.address] },
  }
  return send(message, prompt.signal)
}

async function sendEndMail(parts: Parts, settled: Elicitation, prompt: Prompt, { messageId }: SentMail): Promise<void> {
  const mail = toEndMail(settled, { links: linksOf(parts, settled) })
  const endMail = {
    mail,
    headers: {},
    messageId: messageIdOf(`${prompt.id}.over`, parts.sender),
    references: messageId,
  }
  // A refused end mail is not retried: the first mail was accepted, and the end mail needs no answer.
  await sendMail(parts, settled, prompt, endMail)
}

/**
 * Creates the return address of a mail, and stores it before the mail is sent: a mail may bounce even if the response
 * of the mail server was lost. Returns the sender's address if no address for bounces is configured.
 */
async function returnAddressOf({ bounces, sender, storage, now }: Parts, question: Elicitation, { address }: Prompt) {
  if (bounces === undefined) return sender.address
  const id = randomBytes(12).toString("hex")
  const tenant = tenantOf(question.audience)
  await storage.records(returnAddressKind).insert({ id, tenant, version: 1, address, sentAt: now() })
  const [local, domain] = bounces.split("@")
  return `${local}+${id}@${domain}`
}

/** The message id is the same in every attempt, so that mail programs show a mail only once if it is sent twice. */
const messageIdOf = (id: string, { address }: Sender): string => `<${id}@${address.split("@")[1]}>`

interface Sender {
  readonly name: string
  readonly address: string
}

function toSender(text: string, setting: string): Sender {
  const [, name = "", inAngles] = /^\s*(?:"?([^"<>\r\n]*?)"?\s*)<([^<>]+)>\s*$/.exec(text) ?? []
  const address = (inAngles ?? text).trim()
  if (isAddress(address)) return { name, address }
  throw new HoldpointError(
    "invalid_config",
    `${setting} must be an e-mail address, such as holdpoint@example.com or Holdpoint <holdpoint@example.com>.`,
  )
}

/** Whether the text is a single address: no list, no name, no line break and no quotation. */
const isAddress = (text: string): boolean =>
  /^[^\s@<>,;:"()[\]\\\p{Cc}]{1,64}@[^\s@<>,;:"()[\]\\\p{Cc}]{1,255}$/u.test(text)
