// Limits of messages: their texts, their metadata, and their total length.
// https://docs.slack.dev/reference/methods/chat.postMessage and https://docs.slack.dev/messaging/message-metadata

import { checkBlocks } from "./blocks.ts"
import { type Fields, isFields } from "./check.ts"

/** An error code of Slack's, with its messages. */
export interface Refusal {
  readonly error: string
  readonly messages?: readonly string[]
}

/** Slack truncates longer texts. The stand-in refuses them, so that tests notice. */
export const mostText = 40_000
/** An edited text may not have more bytes than this, counted after &, < and > are escaped. */
export const mostEditedBytes = 4000
/** All texts of the blocks together. Slack does not document it: https://github.com/slackapi/bolt-js/issues/2509 */
export const mostInBlocks = 13_200
export const mostMarkdown = 12_000
/** Metadata of a message as JSON. */
export const mostMetadata = 16_000

export function checkMessage(args: Fields, act: "post" | "edit"): Refusal | undefined {
  const { text, markdown_text: markdown, blocks, attachments, metadata } = args
  if (text !== undefined && typeof text !== "string") return { error: "invalid_arguments" }
  if (markdown !== undefined && (text !== undefined || blocks !== undefined)) return { error: "markdown_text_conflict" }
  if (isTooLong(text ?? "", act)) return { error: "msg_too_long" }
  if (typeof markdown === "string" && markdown.length > mostMarkdown) return { error: "msg_too_long" }
  const refused = refuseBlocks(blocks) ?? refuseMetadata(metadata)
  if (refused !== undefined) return refused
  if (Array.isArray(attachments) && attachments.length > 100) return { error: "too_many_attachments" }
  const isEmpty = !text && !markdown && !hasSome(blocks) && !hasSome(attachments)
  return isEmpty ? { error: "no_text" } : undefined
}

function isTooLong(text: string, act: "post" | "edit"): boolean {
  if (act === "post") return text.length > mostText
  return Buffer.byteLength(text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")) > mostEditedBytes
}

export function refuseBlocks(blocks: unknown): Refusal | undefined {
  if (blocks === undefined) return undefined
  if (!Array.isArray(blocks)) return { error: "invalid_blocks_format" }
  const faults = checkBlocks(blocks, "message", "/blocks")
  if (faults.length > 0) return { error: "invalid_blocks", messages: faults }
  return textsIn(blocks) > mostInBlocks ? { error: "msg_blocks_too_long" } : undefined
}

export function refuseMetadata(metadata: unknown): Refusal | undefined {
  if (metadata === undefined) return undefined
  if (!isFields(metadata)) return { error: "invalid_metadata_format" }
  const { event_type: type, event_payload: payload } = metadata
  if (typeof type !== "string" || type === "" || type.length > 255 || !isFields(payload)) {
    return { error: "invalid_metadata_schema" }
  }
  return JSON.stringify(metadata).length > mostMetadata ? { error: "metadata_too_large" } : undefined
}

const hasSome = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** The number of characters in all members named `text` of the blocks. */
function textsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + textsIn(one), 0)
  if (!isFields(value)) return 0
  return Object.entries(value).reduce(
    (sum, [name, one]) => sum + (name === "text" && typeof one === "string" ? one.length : textsIn(one)),
    0,
  )
}
