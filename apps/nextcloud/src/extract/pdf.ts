// Reads the pages of a PDF. Scanned pages are pictures and have no text.

import type { DocumentPart } from "./extracted.ts"
import { tidyText } from "./walk-xml.ts"

export async function readPdf(bytes: Uint8Array): Promise<readonly DocumentPart[]> {
  const { extractText, getDocumentProxy } = await import("unpdf")
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: false })
  return text.map((page, index) => ({ name: `Page ${index + 1}`, text: tidyText(page) }))
}
