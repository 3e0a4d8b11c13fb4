// Streams the XML of a document without building a tree: sheets can have millions of cells.

import sax from "sax"

export interface Walker {
  /** Names are local names, because every office program chooses its own prefixes. */
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

/** Walks through XML. Throws when it is not well-formed. Entities that a document defines itself are not expanded. */
export function walkXml(bytes: Uint8Array | undefined, { open, text, close }: Walker): void {
  if (bytes === undefined) return
  const parser = sax.parser(true)
  parser.onerror = (error) => {
    throw error
  }
  parser.onopentag = ({ name, attributes }) => {
    const localAttributes = Object.entries(attributes).map(([key, value]) => [localOf(key), String(value)] as const)
    open?.(localOf(name), Object.fromEntries(localAttributes))
  }
  parser.ontext = (chunk) => text?.(chunk)
  parser.oncdata = (chunk) => text?.(chunk)
  parser.onclosetag = (name) => close?.(localOf(name))
  parser.write(new TextDecoder().decode(bytes)).close()
}

const localOf = (name: string): string => name.slice(name.indexOf(":") + 1)

/** Trims the end of each line, and leaves at most one empty line between two lines. */
export const tidyText = (text: string): string =>
  text
    .replace(/(?<![ \t])[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
