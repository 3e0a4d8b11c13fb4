// What others wrote, made fit for a terminal: no escape sequence, no control character, no text that runs backwards.

/** Controls, lone surrogates, separators, bidirectional and invisible formatting. Joiners stay: emoji need them. */
const unsafe =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** One line, whatever it was. */
export function toLine(text: string): string {
  return text.replace(/\r\n|[\n\r\t\u0085\u2028\u2029]/g, " ").replace(unsafe, "\uFFFD")
}

export function toLines(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).map(toLine)
}

/** JSON that means the same and holds nothing a terminal would obey. */
export function toSafeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(unsafe, (character) =>
    character === "\n" ? character : escaped(character),
  )
}

function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("")
}
