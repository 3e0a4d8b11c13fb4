// The tool that reads a file: text in parts, pictures and sounds as such, everything else as a blob.

import type { ContentBlock } from "@modelcontextprotocol/server"
import { filesPath } from "../../api/dav.ts"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Of } from "../../schema.ts"
import { flag, integer, object, optional, text } from "../../schema.ts"
import { defineTool, withContent } from "../../tool.ts"
import type { Content } from "./content.ts"
import { isPicture, readContent } from "./content.ts"
import { findFacts, folderLink, nameOf, normalizePath, path } from "./item.ts"

export const offset = optional(integer("In bytes: next_offset of the previous part", { least: 0 }))

export const contentFields = {
  type: text(),
  size: integer(),
  charset: optional(text()),
  content: optional(text("If it is text")),
  next_offset: optional(integer()),
}

const fileOutput = object({
  path: text(),
  etag: text(),
  ...contentFields,
  preview: optional(flag("A smaller version: the picture is too large")),
  url: text(),
})

const readFile = defineTool({
  name: "nc_files_read_file",
  title: "Read a file",
  description:
    "Content of a file, with its etag: text in parts, pictures and sounds as such, others as a blob (see nc_files_read_document_text).",
  scopes: ["files.read"],
  effect: "read",
  input: object({ path, offset }),
  output: fileOutput,
  requestsNote:
    "One more for a file above 40 kB that is not text, unless its name shows that it is a picture or sound; " +
    "two more for a preview of a picture above 4 MB.",
  notRecorded: "Previews.",
  async run({ path: filePath, offset: startOffset }, nextcloud, { signal }) {
    const address = `${nextcloud.url}${filesPath(await nextcloud.userId(), filePath)}`
    try {
      const content = await readAt(nextcloud, filePath, startOffset, signal)
      return withContent(toFileOutput(nextcloud, filePath, content), blocksOf(content, address))
    } catch (error) {
      const preview = isTooLarge(error) && isPicture(filePath) ? await previewOf(nextcloud, filePath) : undefined
      if (preview === undefined) throw error
      return withContent({ ...toFileOutput(nextcloud, filePath, preview), preview: true }, blocksOf(preview, address))
    }
  },
})

const isTooLarge = (error: unknown): boolean => isNextcloudError(error) && error.kind === "too_large"

/** The preview that Nextcloud shows in its web interface. Undefined when it has none. */
async function previewOf(nextcloud: Nextcloud, filePath: string): Promise<Content | undefined> {
  const activity = `reading a preview of ${normalizePath(filePath)}`
  const file = await findFacts(nextcloud, filePath, activity)
  const query = { file: normalizePath(filePath), x: 1_600, y: 1_600, a: 1 }
  const answer = await nextcloud.send({ path: "/index.php/core/preview", query, activity, accept: [400, 403, 404] })
  const type = answer.headers.get("content-type")?.split(";")[0] ?? ""
  if (file === undefined || answer.status !== 200 || !pictures.has(type)) return undefined
  return { type, size: file.size, etag: file.etag, bytes: answer.bytes }
}

export async function readAt(
  nextcloud: Nextcloud,
  filePath: string,
  offset?: number,
  signal?: AbortSignal,
): Promise<Content> {
  const activity = `reading the file ${normalizePath(filePath)}`
  const alternative = `Tell the user to open it in the web interface: ${folderLink(nextcloud, filePath)}`
  const address = filesPath(await nextcloud.userId(), filePath)
  const signalOption = signal === undefined ? {} : { signal }
  const content = await readContent(nextcloud, {
    address,
    name: nameOf(filePath),
    offset,
    activity,
    alternative,
    ...signalOption,
  })
  if (content.etag === undefined) throw toNotAFileError(content.size, activity)
  return content
}

/**
 * The error for a response without an etag, which only files have: a folder answers with an empty body; anything else
 * is not from Nextcloud.
 */
export function toNotAFileError(size: number, activity: string): Error {
  if (size > 0) return nextcloudError("malformed", { activity, detail: "a web page instead of the file" })
  const advice = "Use nc_files_list_directory to see what is in it."
  return nextcloudError("invalid", { activity, because: "it is a folder", advice })
}

/** The output for a file, without its bytes. */
export function toFileOutput(
  nextcloud: Nextcloud,
  filePath: string,
  { type, size, etag = "", text: part }: Content,
): FileOutput {
  return { path: normalizePath(filePath), etag, type, size, ...part, url: folderLink(nextcloud, filePath) }
}

type FileOutput = Of<typeof fileOutput>

/** The picture types that models can see. */
const pictures = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"])

export function blocksOf({ bytes, type }: Content, uri: string): readonly ContentBlock[] {
  if (bytes === undefined) return []
  const data = Buffer.from(bytes).toString("base64")
  if (pictures.has(type)) return [{ type: "image", data, mimeType: type }]
  if (type.startsWith("audio/")) return [{ type: "audio", data, mimeType: type }]
  return [{ type: "resource", resource: { uri, mimeType: type, blob: data } }]
}

export const readingTools = [readFile]
