// What others wrote, made safe for a terminal: no character may move the cursor, change colours, set the clipboard or
// turn the direction of reading. What is unsafe is replaced, not dropped, so that the person sees that it was there.

const unsafe =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** On one line. */
export function toPlainText(text: string): string {
  return text
    .replace(/\r\n?|\n/g, "↵")
    .replaceAll("\t", " ")
    .replace(unsafe, "\ufffd")
}

/** JSON that means the same and holds nothing that a terminal would obey. */
export function plainJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(unsafe, (character) =>
    character === "\n" ? character : escapedInJson(character),
  )
}

function escapedInJson(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("")
}

/** The lines of a text that may be hostile, safe to print. */
export function plainLines(text: string): readonly string[] {
  return text.split(/\r\n?|\n/).map(toPlainText)
}
