// The beginning of a text that a person reads before it is sent to others.

import { toTextPart } from "./page.ts"

const maxPreviewCharacters = 1_000
const mostLines = 40
const lineLength = 250

/**
 * As much of the text as fits into this many characters, and how much follows. Each line begins with a bar, so that it
 * cannot imitate our own lines.
 */
export function toPreviewLines(text: string, room = maxPreviewCharacters): readonly string[] {
  const { lines, hiddenLength } = toPreview(text, room)
  return [
    ...lines.map((line) => `| ${line}`),
    ...(hiddenLength === 0 ? [] : [`The text continues for ${hiddenLength} more characters.`]),
  ]
}

/**
 * The beginning of the text, in lines that are short enough to be shown whole, and the number of characters after it.
 * The text ends early when it has many lines, so that the question keeps its last line.
 */
function toPreview(body: string, room: number): { readonly lines: readonly string[]; readonly hiddenLength: number } {
  const preview = toTextPart(body, 0, Math.min(maxPreviewCharacters, room)).content
  const allLines = [...preview.matchAll(shortLine)].filter(([line]) => line.trim() !== "")
  const shownLines = allLines.slice(0, mostLines)
  const lastLine = shownLines.at(-1)
  const hasMoreLines = lastLine !== undefined && allLines.length > shownLines.length
  const end = hasMoreLines ? lastLine.index + lastLine[0].length : preview.length
  return { lines: shownLines.map(([line]) => line), hiddenLength: body.length - end }
}

const shortLine = new RegExp(`[^\\r\\n\\u2028\\u2029\\u0085]{1,${lineLength}}`, "gu")
