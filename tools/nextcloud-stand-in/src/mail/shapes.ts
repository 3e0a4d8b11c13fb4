// The responses of the app "Mail": the fields of its openapi.json, and in lists the fields of its entities.

import { Buffer } from "node:buffer"
import type { Call, Reply } from "../area.ts"
import { ocs } from "../replies.ts"
import { escapeXml } from "../xml.ts"
import type { Attachment, MailAccount, Mailbox, StoredMail } from "./store.ts"

export const showAccount = ({ id, email, aliases }: MailAccount) => ({ id, email, isDelegated: false, aliases })

export const showMailbox = ({ id, accountId, name, role }: Mailbox, unread: number) => ({
  databaseId: id,
  id: Buffer.from(name).toString("base64"),
  ...{ name, accountId, displayName: name },
  ...{ attributes: [], delimiter: ".", specialUse: [role], specialRole: role, mailboxes: [] },
  ...{ syncInBackground: true, unread, myAcls: null, shared: false },
})

const flagsOf = ({ flags, attachments }: StoredMail) => ({
  ...flags,
  ...{ deleted: false, draft: false, forwarded: false, important: false, mdnsent: false },
  hasAttachments: attachments.length > 0,
})

export const showEnvelope = (mail: StoredMail) => ({
  databaseId: mail.id,
  uid: mail.id,
  subject: mail.subject,
  dateInt: mail.sentAt,
  flags: { ...flagsOf(mail), $junk: false, $notjunk: false },
  tags: [],
  ...{ from: [mail.from], to: mail.to, cc: mail.cc, bcc: mail.bcc },
  ...{ mailboxId: mail.mailboxId, messageId: mail.messageId, inReplyTo: mail.inReplyTo, references: null },
  previewText: mail.body
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .slice(0, 250),
  ...{ threadRootId: mail.messageId, imipMessage: false, summary: null, encrypted: false, mentionsMe: false },
  ...{ avatar: null, fetchAvatarFromClient: false },
})

/** A message as the app returns it. Plain text becomes HTML in which web addresses are links. */
export function showMessage(call: Call, mail: StoredMail): Reply {
  const linked = escapeXml(mail.body).replace(/https?:\/\/[^\s<]+/g, (link) => `<a href="${link}">${link}</a>`)
  const details = { checks: [], warning: false }
  return ocs(call, {
    ...{
      uid: mail.id,
      messageId: mail.messageId,
      from: [mail.from],
      to: mail.to,
      replyTo: [],
      cc: mail.cc,
      bcc: mail.bcc,
    },
    ...{ subject: mail.subject, dateInt: mail.sentAt, flags: flagsOf(mail), hasHtmlBody: mail.isHtml },
    body: mail.isHtml ? mail.body : linked,
    ...{ dispositionNotificationTo: "", hasDkimSignature: false, phishingDetails: details, scheduling: [] },
    ...{ unsubscribeUrl: null, isOneClickUnsubscribe: false, unsubscribeMailTo: null, inlineAttachments: [] },
    attachments: mail.attachments.map((attachment, index) =>
      showListed(call, mail, { attachment, id: String(index + 2) }),
    ),
    ...{ signature: null, id: mail.id, isSenderTrusted: false },
    smime: { isSigned: false, signatureIsValid: null, isEncrypted: false },
    rawUrl: `${call.url}/ocs/v2.php/apps/mail/message/${mail.id}/raw`,
  })
}

function showListed(
  call: Call,
  mail: StoredMail,
  { attachment, id }: { readonly attachment: Attachment; readonly id: string },
) {
  const fields = {
    id,
    messageId: mail.id,
    filename: attachment.name,
    mime: attachment.mime,
    size: attachment.bytes.byteLength,
    cid: null,
  }
  const downloadUrl = `${call.url}/ocs/v2.php/apps/mail/message/${mail.id}/attachment/${id}`
  return { ...fields, disposition: "attachment", downloadUrl }
}

/** An attachment as the app returns it. Throws when its content is not UTF-8. */
export const showAttachment = ({ name, mime, bytes }: Attachment) => ({
  ...{ name, mime, size: bytes.byteLength },
  content: new TextDecoder("utf-8", { fatal: true }).decode(bytes),
})
