// A long reply as several messages: where each one ends, and how a code block goes on in the next. Pure.

/** Slack takes 12,000 characters of Markdown in a call; this leaves room for the marks of a code block. */
export const mostInMessage = 11_000

/**
 * Where a message ends that begins at `from` and has the text up to `sent` already: at the end of the text, or between
 * paragraphs, lines or words.
 */
export function endOfMessage(text: string, from: number, sent = from): number {
  const most = mostInMessage
  if (text.length - from <= most) return text.length
  const window = text.slice(from, from + most)
  const least = Math.max(most / 2, sent - from)
  const found = ["\n\n", "\n", " "].map((mark) => window.lastIndexOf(mark)).find((at) => at >= least)
  if (found !== undefined) return from + found + 1
  // Not between the halves of a character.
  const last = window.charCodeAt(most - 1)
  return from + (last >= 0xd800 && last <= 0xdbff ? most - 1 : most)
}

/** The line that opened the code block in which this place is. Undefined outside of code blocks. */
function openFence(text: string, at: number): string | undefined {
  let open: string | undefined
  for (const line of text.slice(0, at).split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark === undefined) continue
    if (open === undefined) open = line.trim().slice(0, 80)
    else if (open.startsWith(mark)) open = undefined
  }
  return open
}

export interface Part {
  readonly from: number
  readonly to: number
}

/** What comes before the text of a message that begins here: the beginning of the code block that goes on. */
export function openingAt(text: string, from: number): string {
  const fence = openFence(text, from)
  return fence === undefined ? "" : `${fence}\n`
}

/** What comes after the text of a message that ends here: the end of the code block that goes on in the next. */
export function closingAt(text: string, to: number): string {
  const mark = /^(?:`+|~+)/.exec(openFence(text, to) ?? "")?.[0]
  return mark === undefined ? "" : `\n${mark}`
}

/** A whole message. */
export const wholeMessage = (text: string, { from, to }: Part): string =>
  `${openingAt(text, from)}${withoutEmptyLines(text.slice(from, to))}${closingAt(text, to)}`

/** A message does not begin with empty lines. */
export const withoutEmptyLines = (text: string): string => text.replace(/^\s*\n/, "")
