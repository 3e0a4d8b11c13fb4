// Detects the kind of a document from its bytes, not from its name, and extracts its text.

import type { Unzipped } from "fflate"
import { unzipSync } from "fflate"
import type { DocumentPart, Extracted, Unreadable } from "./extracted.ts"
import { readOpenDocument } from "./open-document.ts"
import { readPdf } from "./pdf.ts"
import { readPresentation } from "./presentation.ts"
import { readSpreadsheet } from "./spreadsheet.ts"
import { readWord } from "./word.ts"

/** The most characters that are extracted from one document; longer text is cut. */
const mostCharacters = 2_000_000
/** The limit of bytes that an archive may unpack to. */
const mostUnpacked = 100_000_000

export async function readDocument(bytes: Uint8Array): Promise<Extracted | Unreadable> {
  try {
    const { kind, parts } = await readByKind(bytes)
    return { kind, ...cutParts(parts) }
  } catch (error) {
    return { because: error instanceof Error ? reasonOf(error) : "it is damaged" }
  }
}

type DocumentText = Pick<Extracted, "kind" | "parts">

/** An error with a reason for the user. Any other error means a damaged document. */
const unreadable = (because: string): Error => Object.assign(new Error(because), { name: "Unreadable" })

const reasonOf = ({ name, message }: Error): string => {
  if (name === "Unreadable") return message
  return name === "PasswordException" ? "it is protected with a password" : "it is damaged"
}

async function readByKind(bytes: Uint8Array): Promise<DocumentText> {
  if (startsWith(bytes, "%PDF")) return { kind: "pdf", parts: await readPdf(bytes) }
  if (startsWith(bytes, "\u00d0\u00cf\u0011\u00e0"))
    throw unreadable("it is in an old Office format (doc, xls, ppt), or protected with a password")
  if (!startsWith(bytes, "PK"))
    throw unreadable("it is neither a PDF nor a Word, Excel, PowerPoint or OpenDocument file")
  const files = unpack(bytes)
  if (files["word/document.xml"] !== undefined) return { kind: "text", parts: readWord(files) }
  if (files["xl/workbook.xml"] !== undefined) return { kind: "spreadsheet", parts: readSpreadsheet(files) }
  if (files["ppt/presentation.xml"] !== undefined) return { kind: "presentation", parts: readPresentation(files) }
  if (files["content.xml"] !== undefined) return readOpenDocument(files)
  throw unreadable("it is an archive, and not a Word, Excel, PowerPoint or OpenDocument file")
}

const startsWith = (bytes: Uint8Array, start: string): boolean =>
  Buffer.from(bytes.subarray(0, start.length)).toString("latin1") === start

const textEntries =
  /^(?:content\.xml|mimetype|(?:word|xl|ppt)\/(?:[^/]+|_rels\/[^/]+|worksheets\/[^/]+|slides\/[^/]+))$/

/**
 * Unpacks only the entries that contain text. The limit uses the sizes that the archive states, and fflate writes no
 * more than those.
 */
function unpack(bytes: Uint8Array): Unzipped {
  let total = 0
  return unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!textEntries.test(name) || !/\.(?:xml|rels)$|^mimetype$/.test(name)) return false
      total += originalSize
      if (total > mostUnpacked) throw unreadable(`it unpacks to more than ${mostUnpacked / 1_000_000} MB`)
      return true
    },
  })
}

function cutParts(parts: readonly DocumentPart[]): Pick<Extracted, "parts" | "isCut"> {
  let remaining = mostCharacters
  const shortenedParts = parts.map((part) => {
    const text = part.text.slice(0, Math.max(0, remaining))
    remaining -= part.text.length
    return { ...part, text }
  })
  return {
    parts: shortenedParts.filter(({ text }, index) => text !== "" || parts[index]?.text === ""),
    isCut: remaining < 0,
  }
}
