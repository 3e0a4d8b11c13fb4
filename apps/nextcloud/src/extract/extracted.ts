// The text of a document, by its pages, sheets or slides.

export interface Extracted {
  readonly kind: DocumentKind
  /** Pages, sheets or slides with their names; a single part without a name where the document has none. */
  readonly parts: readonly DocumentPart[]
  /** Whether the text was cut at the limit. */
  readonly isCut: boolean
}

export type DocumentKind = "pdf" | "text" | "spreadsheet" | "presentation"

export interface DocumentPart {
  readonly name?: string
  readonly text: string
}

/** Why no text could be extracted, in words that follow “it failed: ”. */
export interface Unreadable {
  readonly because: string
}
