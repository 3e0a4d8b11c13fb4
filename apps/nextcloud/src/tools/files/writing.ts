// Tools that write files: create, replace a version with a known etag, append, and upload in parts.

import { filesPath } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { retryOnConflict } from "../../conflict-retry.ts"
import { toBareEtag } from "../../etag.ts"
import { flag, integer, object, optional, text } from "../../schema.ts"
import type { RunContext, Tool } from "../../tool.ts"
import { defineTool } from "../../tool.ts"
import { encoding, toBytes } from "./bytes.ts"
import { charsetOf } from "./content.ts"
import { normalizePath, path } from "./item.ts"
import { toNotAFileError } from "./reading.ts"
import type { Target, UploadedFile } from "./upload.ts"
import { abandon, finish, mostAtOnce, sizeOfParts, startUpload, uploadFile, uploadPart } from "./upload.ts"

const writtenFile = {
  path: text(),
  id: integer(),
  etag: text(),
  size: integer(),
  created: flag(),
  url: text(),
}

const etagToReplace = optional(text("As read, to replace the file. Without it, only a new file"))

const writeFile = defineTool({
  name: "nc_files_write_file",
  title: "Write a file",
  description:
    "Creates a file, or replaces the version with this etag. Changes within the same second may go unnoticed.",
  scopes: ["files.write"],
  effect: "change",
  input: object({
    path,
    content: text("Up to 700 kB; for more, nc_files_upload_chunk"),
    encoding,
    etag: etagToReplace,
  }),
  output: object(writtenFile),
  requestsNote: "Above 10 MB, the file is sent in parts of 10 MB: one request for each, and three more.",
  async run({ path: filePath, content, encoding: contentEncoding, etag }, nextcloud, runContext) {
    const target = { path: filePath, etag, activity: `writing the file ${normalizePath(filePath)}` }
    const bytes = toBytes(content, contentEncoding, target.activity)
    if (bytes.byteLength <= mostAtOnce) return uploadFile(nextcloud, target, bytes)
    return uploadInParts(nextcloud, target, bytes, runContext)
  },
})

async function uploadInParts(
  nextcloud: Nextcloud,
  target: Target,
  bytes: Uint8Array,
  runContext: RunContext,
): Promise<UploadedFile> {
  const upload = await startUpload(nextcloud, target)
  const count = Math.ceil(bytes.byteLength / mostAtOnce)
  try {
    for (let number = 1; number <= count; number++) {
      const part = bytes.subarray((number - 1) * mostAtOnce, number * mostAtOnce)
      await uploadPart(nextcloud, target, { upload, number, bytes: part })
      await runContext.progress(`Part ${number} of ${count}`, number / (count + 1))
    }
    return await finish(nextcloud, target, upload, bytes.byteLength)
  } catch (error) {
    await abandon(nextcloud, upload).catch(() => {})
    throw error
  }
}

const appendFile = defineTool({
  name: "nc_files_append_file",
  title: "Add to a file",
  description: "Adds text at the end of a text file, on a new line.",
  scopes: ["files.write"],
  effect: "add",
  input: object({ path, content: text(undefined, { least: 1 }) }),
  output: object(writtenFile),
  requests: 2,
  requestsNote: "Two more each time that someone else wrote in between, up to five times.",
  async run({ path: filePath, content }, nextcloud) {
    return retryOnConflict(() => append(nextcloud, filePath, content))
  },
})

async function append(nextcloud: Nextcloud, filePath: string, content: string): Promise<UploadedFile> {
  const activity = `adding to the file ${normalizePath(filePath)}`
  const headers = { accept: "*/*", "accept-encoding": "identity" }
  const answer = await nextcloud.send({ path: filesPath(await nextcloud.userId(), filePath), headers, activity })
  const etag = answer.headers.get("etag")
  if (etag === null) throw toNotAFileError(answer.bytes.byteLength, activity)
  const charset = charsetOf(answer.bytes, { type: "", isStart: true })
  if (charset !== "utf-8") {
    const advice = "Only UTF-8 text can be added to. Write the whole file with nc_files_write_file."
    throw nextcloudError("unsupported", { activity, because: "it is not UTF-8 text", advice })
  }
  const lacksFinalNewline = answer.bytes.length > 0 && answer.bytes.at(-1) !== 0x0a
  const addedBytes = new TextEncoder().encode(lacksFinalNewline ? `\n${content}` : content)
  return uploadFile(
    nextcloud,
    { path: filePath, etag: toBareEtag(etag), activity },
    Buffer.concat([answer.bytes, addedBytes]),
  )
}

const uploadChunk = defineTool({
  name: "nc_files_upload_chunk",
  title: "Upload a large file in parts",
  description: "Part 1 returns an upload_id for the next parts; `last` assembles them. Parts are kept for a day.",
  scopes: ["files.write"],
  effect: "change",
  input: object({
    path,
    content: text("Up to 700 kB: a message holds 1 MiB"),
    encoding,
    part: integer("From 1", { least: 1, most: 10_000 }),
    upload_id: optional(text("From part 1", { pattern: "^[A-Za-z0-9-]{8,80}$" })),
    last: optional(flag("This is the last part")),
    etag: etagToReplace,
  }),
  output: object({
    upload_id: text(),
    done: flag(),
    next_part: optional(integer()),
    id: optional(integer("Of the file")),
    etag: optional(text()),
    url: optional(text()),
  }),
  requests: 2,
  requestsNote: "Two for the first part, one for those after it, three more for the last.",
  notRecorded: "Parts below 5 MB on a server with S3 storage, for which the documentation requires at least 5 MB.",
  async run(
    { path: filePath, content, encoding: contentEncoding, part, upload_id, last: isLast = false, etag },
    nextcloud,
  ) {
    const target = { path: filePath, etag, activity: `uploading part ${part} of ${normalizePath(filePath)}` }
    if (upload_id === undefined && part !== 1) {
      const advice = "Begin with part 1, and give its upload_id with every other part."
      throw nextcloudError("invalid", { activity: target.activity, because: "upload_id is missing", advice })
    }
    const bytes = toBytes(content, contentEncoding, target.activity)
    const upload = upload_id ?? (await startUpload(nextcloud, target))
    await uploadPart(nextcloud, target, { upload, number: part, bytes })
    if (!isLast) return { upload_id: upload, done: false, next_part: part + 1 }
    const size = await sizeOfParts(nextcloud, target, upload, part)
    const { id, etag: newEtag, url } = await finish(nextcloud, target, upload, size)
    return { upload_id: upload, done: true, id, etag: newEtag, url }
  },
})

export const writingTools: readonly Tool[] = [writeFile, appendFile, uploadChunk]
