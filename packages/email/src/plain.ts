// Makes an asker's text safe for mails. No character may end a header, change the direction of the text, or become a
// link: mail programs turn any text that looks like an address into a link.

import { joiner, toUnlinked } from "@holdpoint/hub/internal"

const unsafe =
  /[\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[^\P{Cc}\n]/gu

/** Makes a text of several lines safe. Addresses look the same, but mail programs do not turn them into links. */
export function toPlainText(text: string): string {
  return toUnlinked(text.replace(/\r\n?/g, "\n").replaceAll("\t", " ").replace(unsafe, "\ufffd"))
}

/** Makes a text safe on one line, for headers. Mail programs create no links in headers. */
export function toLine(text: string, most: number): string {
  return shorten(text.replace(/\s+/g, " ").trim().replace(unsafe, "\ufffd"), most)
}

/** Shortens a text at a space, if there is one near the end. Never splits a character. */
export function shorten(text: string, most: number): string {
  const characters = [...text]
  if (characters.length <= most) return text
  const cut = characters.slice(0, most - 1).join("")
  const space = cut.lastIndexOf(" ")
  return `${(space > cut.length * 0.7 ? cut.slice(0, space) : cut).trimEnd()}…`
}

/** Breaks a text at spaces into lines of at most `width` characters. Does not break longer words. */
export function wrap(text: string, width = 72): string {
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, width))
    .join("\n")
}

function wrapLine(line: string, width: number): readonly string[] {
  const lines: string[] = []
  let current = ""
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`
    if (lengthOf(longer) <= width || current === "") current = longer
    else {
      lines.push(current)
      current = word
    }
  }
  return [...lines, current]
}

const lengthOf = (text: string): number => [...text.replaceAll(joiner, "")].length
