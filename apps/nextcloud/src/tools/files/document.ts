// The tool that reads the text of documents: PDF, Word, Excel, PowerPoint, OpenDocument.

import { filesPath } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { DocumentPart } from "../../extract/extract.ts"
import { integer, object, oneOf, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { readBytes } from "./content.ts"
import { folderLink, nameOf, normalizePath, path } from "./item.ts"
import { noFile } from "./reading.ts"

/** Larger documents are not fetched. */
const mostBytes = 15_000_000
/** The length of one part of the text, in characters. */
const partLength = 40_000

const readDocumentText = defineTool({
  name: "nc_files_read_document_text",
  title: "Read the text of a document",
  description:
    "Text of a PDF, Word, Excel, PowerPoint or OpenDocument file, in parts, with a heading for each page, sheet or slide.",
  scopes: ["files.read"],
  effect: "read",
  input: object({
    path,
    offset: optional(integer("In characters: next_offset of the previous part", { least: 0 })),
  }),
  output: object({
    path: text(),
    etag: text(),
    size: integer(),
    kind: oneOf(["pdf", "text", "spreadsheet", "presentation"]),
    parts: integer("Pages, sheets or slides"),
    content: text(),
    next_offset: optional(integer()),
    note: optional(text("What is missing")),
    url: text(),
  }),
  async run({ path: at, offset = 0 }, nextcloud, { signal }) {
    const doing = `reading the text of ${normalizePath(at)}`
    const instead = `Tell the user to open it in the web interface: ${folderLink(nextcloud, at)}`
    const address = filesPath(await nextcloud.userId(), at)
    const file = await readBytes(nextcloud, { at: address, name: nameOf(at), doing, instead, signal }, mostBytes)
    if (file.etag === undefined) throw noFile(file.size, doing)
    const { extractText } = await import("../../extract/extract.ts")
    const extracted = await extractText(file.bytes, { signal })
    if ("because" in extracted) {
      const advice = `Read a plain text with nc_files_read_file. ${instead}`
      throw nextcloudError("unsupported", { doing, because: extracted.because, advice })
    }
    const whole = extracted.parts.map(headed).join("\n\n")
    if (offset > whole.length) {
      const advice = "Omit `offset` to start from the beginning."
      throw nextcloudError("invalid", { doing, because: `its text ends before character ${offset}`, advice })
    }
    const content = whole.slice(offset, offset + partLength)
    const next = offset + content.length
    const note = extracted.isCut ? cutNote : extracted.parts.every((part) => part.text === "") ? emptyNote : undefined
    return {
      ...{
        path: normalizePath(at),
        etag: file.etag,
        size: file.size,
        kind: extracted.kind,
        parts: extracted.parts.length,
        content,
      },
      ...(next < whole.length ? { next_offset: next } : {}),
      ...(note === undefined ? {} : { note }),
      url: folderLink(nextcloud, at),
    }
  },
})

const headed = ({ name, text }: DocumentPart): string => (name === undefined ? text : `## ${name}\n${text}`)

const emptyNote = "The document contains no text. Its pages may be scanned pictures."
const cutNote = "The document is longer than the limit, and its end is missing."

export const documentTools = [readDocumentText]
