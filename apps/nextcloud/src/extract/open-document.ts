// Reads OpenDocument files: texts, spreadsheets and presentations of LibreOffice and others, all in one XML file.

import type { Unzipped } from "fflate"
import type { DocumentKind, DocumentPart } from "./extract.ts"
import { tidy, walkXml } from "./walk.ts"

const breaks: Readonly<Record<string, string>> = { tab: "\t", "line-break": "\n" }

export function readOpenDocument(files: Unzipped): {
  readonly kind: DocumentKind
  readonly parts: readonly DocumentPart[]
} {
  const kind = kindOf(new TextDecoder().decode(files.mimetype))
  const parts: { name?: string; text: string }[] = [{ text: "" }]
  const part = (): { text: string } => parts.at(-1) ?? { text: "" }
  // Readers' comments are not part of the document's text.
  const within = { paragraphs: 0, cells: 0, comments: 0 }
  walkXml(files["content.xml"], {
    open(name, attributes) {
      if (isPart(kind, name)) parts.push({ name: attributes.name ?? "", text: "" })
      if (name === "annotation") within.comments += 1
      if (name === "p" || name === "h") within.paragraphs += 1
      if (name === "table-cell") within.cells += 1
      if (within.comments > 0) return
      part().text += name === "s" ? " ".repeat(Math.min(Number(attributes.c ?? 1) || 1, 100)) : (breaks[name] ?? "")
    },
    text(chunk) {
      if (within.paragraphs > 0 && within.comments === 0) part().text += chunk
    },
    close(name) {
      if (name === "annotation") within.comments -= 1
      if (name === "table-cell") within.cells -= 1
      if (name === "p" || name === "h") within.paragraphs -= 1
      if (within.comments > 0) return
      if (name === "p" || name === "h") part().text += within.cells > 0 ? " " : "\n"
      if (name === "table-cell") part().text = `${part().text.replace(/ +$/, "")}\t`
      if (name === "table-row") part().text = `${part().text.trimEnd()}\n`
    },
  })
  const tidied = parts.map(({ name, text }) => ({ ...(name === undefined ? {} : { name }), text: tidy(text) }))
  return { kind, parts: tidied.filter(({ name, text }) => text !== "" || name !== undefined) }
}

const kindOf = (mimetype: string): DocumentKind =>
  mimetype.includes("spreadsheet") ? "spreadsheet" : mimetype.includes("presentation") ? "presentation" : "text"

const isPart = (kind: DocumentKind, name: string): boolean =>
  (kind === "spreadsheet" && name === "table") || (kind === "presentation" && name === "page")
