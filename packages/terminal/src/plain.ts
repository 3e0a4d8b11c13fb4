// Makes untrusted text safe for a terminal: no character may move the cursor, change colours, set the clipboard or
// change the text direction. Unsafe characters are replaced, not dropped, so that the person sees that the text
// contained them.

const unsafe =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Makes a text safe to print on one line. */
export function toPlainText(text: string): string {
  return text
    .replace(/\r\n?|\n/g, "↵")
    .replaceAll("\t", " ")
    .replace(unsafe, "\ufffd")
}

/** Writes a value as JSON that contains no characters that a terminal would interpret. */
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

/** Splits an untrusted text into lines that are safe to print. */
export function plainLines(text: string): readonly string[] {
  return text.split(/\r\n?|\n/).map(toPlainText)
}
