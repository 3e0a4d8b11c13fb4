// Writes the arguments of a call for the person who approves it. Invisible characters are shown as escapes. What is too
// long for a message loses the middle of its values, never a name or the end of the list. Pure.

import { isObject } from "./json.ts"
/** The arguments as people read them. */
export interface ShownArguments {
  readonly text: string
  /** Whether the text has all of every value. */
  readonly isWhole: boolean
}

/** The arguments as JSON. Characters that cannot be seen are written as escapes, so that the JSON means the same. */
export const argumentsJson = (input: unknown): string => escapeInvisible(JSON.stringify(input ?? {}, null, 2))

/** Writes the arguments in at most `mostCharacters`. */
export function showArguments(input: unknown, mostCharacters: number): ShownArguments {
  const whole = argumentsJson(input)
  if (whole.length <= mostCharacters) return { text: whole, isWhole: true }
  const lines = Object.entries(membersOf(input)).map(
    ([name, value]) => [escapeInvisible(JSON.stringify(name)), escapeInvisible(JSON.stringify(value))] as const,
  )
  for (const length of valueLengths) {
    const text = lines.map(([name, value]) => `${shorten(name, mostInName)}: ${shorten(value, length)}`).join("\n")
    if (text.length <= mostCharacters) return { text, isWhole: false }
  }
  return { text: `(${lines.length} arguments, ${whole.length} characters)`, isWhole: false }
}

/** The lengths to which values are shortened, until all of them fit. */
const valueLengths = [1_000, 400, 200, 100, 60] as const
const mostInName = 100

/** Arguments that are not an object are shown as the only value. */
const membersOf = (input: unknown): object => (isObject(input) ? input : { arguments: input })

/** Keeps the beginning and the end of a text, and says how much of the middle is left out. */
function shorten(text: string, most: number): string {
  if (text.length <= most + leftOut(text.length).length) return text
  const [head, tail] = [Math.ceil((most * 2) / 3), Math.floor(most / 3)]
  const [start, end] = [text.slice(0, head), text.slice(-tail)].map((part) => part.toWellFormed())
  return `${start}${leftOut(text.length - head - tail)}${end}`
}

const leftOut = (count: number): string => `… (${count} characters left out) …`

/**
 * Writes every character that cannot be seen, or that changes how the text around it is read, as the escape of JSON:
 * control and direction characters, blanks without width, unassigned characters. Line breaks stay, and so do the
 * joiners inside an emoji.
 */
export function escapeInvisible(text: string): string {
  return text.toWellFormed().replace(invisible, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  )
}

const invisible =
  /(?!\n)(?!(?<=\p{Extended_Pictographic}\ufe0f?)[\ufe0f\u200d])[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu
