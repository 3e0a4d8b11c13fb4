// The tool that reads an attachment: texts and documents as text in parts, pictures and sounds as such, the rest as a
// blob. Attachments are untrusted: documents are read in a worker thread, and nothing in them is executed.

import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { fieldsOf } from "../../api/read.ts"
import type { Extracted } from "../../extract/extracted.ts"
import { offsetArgument, toTextPart } from "../../page.ts"
import { integer, object, optional, text } from "../../schema.ts"
import { defineTool, withContent } from "../../tool.ts"
import { charsetOf, mostBytes } from "../files/content.ts"
import { bytesInWords } from "../files/item.ts"
import { blocksOf } from "../files/reading.ts"
import { messagesSince, readMail } from "./api.ts"
import { attachmentsOf, readMessage, readSource } from "./messages.ts"
import { partOf } from "./mime.ts"

const getAttachment = defineTool({
  name: "nc_mail_get_attachment",
  title: "Open an attachment of a message",
  description: "Text, PDF and Office files as text in parts; pictures as pictures; others as blobs.",
  scopes: ["mail.read"],
  effect: "read",
  input: object({ message_id: integer(), attachment_id: text("As listed in the message"), ...offsetArgument }),
  output: object({
    name: text(),
    type: text(),
    size: integer(),
    content: optional(text()),
    total_characters: optional(integer()),
    next_offset: optional(integer()),
    note: optional(text()),
  }),
  requests: 2,
  requestsNote: "One more for text that is not UTF-8.",
  source: "documented",
  notRecorded:
    "An attachment that is not UTF-8 is taken from the source of the message: JSON cannot hold it, and Mail returns nothing.",
  async run({ message_id, attachment_id, offset }, nextcloud, { signal }) {
    const activity = `reading the attachment ${attachment_id} of the message ${message_id}`
    const foundAttachment = await findAttachment(nextcloud, { message_id, attachment_id, activity })
    const bytes = await readBytes(nextcloud, { message_id, attachment_id, activity }, foundAttachment.type)
    const facts = { name: foundAttachment.name, type: foundAttachment.type, size: bytes.byteLength }
    const extracted = await extract(bytes, signal)
    if (extracted !== undefined) return { ...facts, ...toTextPart(fullTextOf(extracted), offset), ...noteOf(extracted) }
    const charset = charsetOf(bytes, { type: foundAttachment.type, isStart: true })
    if (charset !== undefined) return { ...facts, ...toTextPart(new TextDecoder(charset).decode(bytes), offset) }
    if (bytes.byteLength > mostBytes) {
      const because = `attachments that are neither text nor documents can be read only up to ${bytesInWords(mostBytes)}`
      throw nextcloudError("too_large", { activity, because, advice: "Tell the user to open it in Mail." })
    }
    const uri = `${nextcloud.url}/ocs/v2.php/apps/mail/message/${message_id}/attachment/${encodeURIComponent(attachment_id)}`
    return withContent(facts, blocksOf({ ...facts, bytes }, uri))
  },
})

interface AttachmentRequest {
  readonly message_id: number
  readonly attachment_id: string
  readonly activity: string
}

async function findAttachment(nextcloud: Nextcloud, { message_id, attachment_id, activity }: AttachmentRequest) {
  const all = attachmentsOf(await readMessage(nextcloud, message_id, activity))
  const attachment = all.find(({ id }) => id === attachment_id)
  if (attachment !== undefined) return attachment
  const advice =
    all.length === 0
      ? "The message has none."
      : `The message has: ${all.map(({ id, name }) => `${id} (${name})`).join(", ")}.`
  throw nextcloudError("not_found", { activity, because: "there is no such attachment", advice })
}

async function readBytes(nextcloud: Nextcloud, request: AttachmentRequest, type: string): Promise<Uint8Array> {
  const { message_id, attachment_id, activity } = request
  if (type.startsWith("text/")) {
    const path = `message/${message_id}/attachment/${encodeURIComponent(attachment_id)}`
    const answer = await readMail(nextcloud, { path, activity, requiredVersion: messagesSince })
    if (answer !== undefined) return Buffer.from(fieldsOf(answer, activity).text("content"), "utf8")
  }
  const part = partOf(await readSource(nextcloud, message_id, activity), attachment_id)
  if (part !== undefined) return part
  const because = "it was not found in the source of the message"
  throw nextcloudError("unsupported", { activity, because, advice: "Tell the user to open it in Mail." })
}

/** The text of a document. Undefined when the bytes are not a document or cannot be read. */
async function extract(bytes: Uint8Array, signal: AbortSignal): Promise<Extracted | undefined> {
  const start = Buffer.from(bytes.subarray(0, 4)).toString("latin1")
  if (start !== "%PDF" && !start.startsWith("PK")) return undefined
  const { extractText } = await import("../../extract/extract.ts")
  const extracted = await extractText(bytes, { signal })
  return "because" in extracted ? undefined : extracted
}

const fullTextOf = ({ parts }: Extracted): string =>
  parts.map(({ name, text: content }) => (name === undefined ? content : `## ${name}\n${content}`)).join("\n\n")

function noteOf({ parts, isCut }: Extracted): { readonly note?: string } {
  if (isCut) return { note: "The document is longer than the limit, and its end is missing." }
  if (parts.every((part) => part.text === ""))
    return { note: "The document contains no text. Its pages may be scanned pictures." }
  return {}
}

export const attachmentTools = [getAttachment]
