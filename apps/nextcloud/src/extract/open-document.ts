// Reads OpenDocument files: texts, spreadsheets and presentations of LibreOffice and others, all in one XML file.

import type { Unzipped } from "fflate"
import type { DocumentKind, DocumentPart } from "./extracted.ts"
import { tidyText, walkXml } from "./walk-xml.ts"

const breakTexts: Readonly<Record<string, string>> = { tab: "\t", "line-break": "\n" }

export function readOpenDocument(files: Unzipped): {
  readonly kind: DocumentKind
  readonly parts: readonly DocumentPart[]
} {
  const kind = kindOf(new TextDecoder().decode(files.mimetype))
  const parts: { name?: string; text: string }[] = [{ text: "" }]
  const part = (): { text: string } => parts.at(-1) ?? { text: "" }
  // How many elements of each kind are open. The text of comments (annotations) is left out.
  const openCounts = { paragraphs: 0, cells: 0, comments: 0 }
  walkXml(files["content.xml"], {
    open(name, attributes) {
      if (isPart(kind, name)) parts.push({ name: attributes.name ?? "", text: "" })
      if (name === "annotation") openCounts.comments += 1
      if (name === "p" || name === "h") openCounts.paragraphs += 1
      if (name === "table-cell") openCounts.cells += 1
      if (openCounts.comments > 0) return
      part().text += name === "s" ? " ".repeat(Math.min(Number(attributes.c ?? 1) || 1, 100)) : (breakTexts[name] ?? "")
    },
    text(chunk) {
      if (openCounts.paragraphs > 0 && openCounts.comments === 0) part().text += chunk
    },
    close(name) {
      if (name === "annotation") openCounts.comments -= 1
      if (name === "table-cell") openCounts.cells -= 1
      if (name === "p" || name === "h") openCounts.paragraphs -= 1
      if (openCounts.comments > 0) return
      if (name === "p" || name === "h") part().text += openCounts.cells > 0 ? " " : "\n"
      if (name === "table-cell") part().text = `${part().text.replace(/ +$/, "")}\t`
      if (name === "table-row") part().text = `${part().text.trimEnd()}\n`
    },
  })
  const tidyParts = parts.map(({ name, text }) => ({ ...(name === undefined ? {} : { name }), text: tidyText(text) }))
  return { kind, parts: tidyParts.filter(({ name, text }) => text !== "" || name !== undefined) }
}

const kindOf = (mimetype: string): DocumentKind =>
  mimetype.includes("spreadsheet") ? "spreadsheet" : mimetype.includes("presentation") ? "presentation" : "text"

const isPart = (kind: DocumentKind, name: string): boolean =>
  (kind === "spreadsheet" && name === "table") || (kind === "presentation" && name === "page")
