// Splits a long reply into several messages, and continues code blocks in the next message. Pure.

/** Slack accepts 12,000 characters of Markdown in a call. The rest is left for the fences of a split code block. */
export const maxMessageLength = 11_000

/**
 * The end of the message that begins at `from` and already contains the text up to `sentLength`: the end of the text,
 * or a break between paragraphs, lines or words.
 */
export function endOfMessage(text: string, from: number, sentLength = from): number {
  if (text.length - from <= maxMessageLength) return text.length
  const window = text.slice(from, from + maxMessageLength)
  const minLength = Math.max(maxMessageLength / 2, sentLength - from)
  const breakIndex = ["\n\n", "\n", " "].map((mark) => window.lastIndexOf(mark)).find((index) => index >= minLength)
  if (breakIndex !== undefined) return from + breakIndex + 1
  // Does not split a surrogate pair.
  const last = window.charCodeAt(maxMessageLength - 1)
  return from + (last >= 0xd800 && last <= 0xdbff ? maxMessageLength - 1 : maxMessageLength)
}

/** The line that opened the code block around this index. Undefined outside of code blocks. */
function openFence(text: string, index: number): string | undefined {
  let open: string | undefined
  for (const line of text.slice(0, index).split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark === undefined) continue
    if (open === undefined) open = line.trim().slice(0, 80)
    else if (open.startsWith(mark)) open = undefined
  }
  return open
}

/** The text of one message, as indexes into the text of the reply. */
export interface Part {
  readonly from: number
  readonly to: number
}

/** The prefix of a message that begins at `from`: the opening fence if it begins inside a code block, else empty. */
export function openingAt(text: string, from: number): string {
  const fence = openFence(text, from)
  return fence === undefined ? "" : `${fence}\n`
}

/** The suffix of a message that ends at `to`: the closing fence if it ends inside a code block, else empty. */
export function closingAt(text: string, to: number): string {
  const mark = /^(?:`+|~+)/.exec(openFence(text, to) ?? "")?.[0]
  return mark === undefined ? "" : `\n${mark}`
}

/** The complete text of one message, with the fences of a split code block. */
export const wholeMessage = (text: string, { from, to }: Part): string =>
  `${openingAt(text, from)}${withoutEmptyLines(text.slice(from, to))}${closingAt(text, to)}`

/** Removes empty lines at the beginning of a message. */
export const withoutEmptyLines = (text: string): string => text.replace(/^\s*\n/, "")
