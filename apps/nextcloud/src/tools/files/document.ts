// The tool that reads the text of documents: PDF, Word, Excel, PowerPoint, OpenDocument.

import { filesPath } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { DocumentPart } from "../../extract/extracted.ts"
import { integer, object, oneOf, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { readBytes } from "./content.ts"
import { folderLink, nameOf, normalizePath, path } from "./item.ts"
import { toNotAFileError } from "./reading.ts"

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
  async run({ path: filePath, offset = 0 }, nextcloud, { signal }) {
    const activity = `reading the text of ${normalizePath(filePath)}`
    const alternative = `Tell the user to open it in the web interface: ${folderLink(nextcloud, filePath)}`
    const address = filesPath(await nextcloud.userId(), filePath)
    const file = await readBytes(
      nextcloud,
      { address, name: nameOf(filePath), activity, alternative, signal },
      mostBytes,
    )
    if (file.etag === undefined) throw toNotAFileError(file.size, activity)
    const { extractText } = await import("../../extract/extract.ts")
    const extracted = await extractText(file.bytes, { signal })
    if ("because" in extracted) {
      const advice = `Read a plain text file with nc_files_read_file. ${alternative}`
      throw nextcloudError("unsupported", { activity, because: extracted.because, advice })
    }
    const fullText = extracted.parts.map(withHeading).join("\n\n")
    if (offset > fullText.length) {
      const advice = "Omit `offset` to start from the beginning."
      throw nextcloudError("invalid", { activity, because: `its text ends before character ${offset}`, advice })
    }
    const content = fullText.slice(offset, offset + partLength)
    const nextOffset = offset + content.length
    const note = extracted.isCut ? cutNote : extracted.parts.every((part) => part.text === "") ? emptyNote : undefined
    return {
      ...{
        path: normalizePath(filePath),
        etag: file.etag,
        size: file.size,
        kind: extracted.kind,
        parts: extracted.parts.length,
        content,
      },
      ...(nextOffset < fullText.length ? { next_offset: nextOffset } : {}),
      ...(note === undefined ? {} : { note }),
      url: folderLink(nextcloud, filePath),
    }
  },
})

const withHeading = ({ name, text }: DocumentPart): string => (name === undefined ? text : `## ${name}\n${text}`)

const emptyNote = "The document contains no text. Its pages may be scanned pictures."
const cutNote = "The document is longer than the limit, and its end is missing."

export const documentTools = [readDocumentText]
