// Checks that an asker's text can be stored everywhere and shown everywhere.

import { countCharacters, hasMoreBytes, isShowable } from "./characters.ts"

/** Returns what is wrong with the text. Undefined when the text is valid. */
export function textProblem(text: unknown, maxLength: number): string | undefined {
  if (typeof text !== "string") return "must be text"
  // Size first: a character has two code units at most, so a longer text is not read at all.
  if (text.length > 2 * maxLength || (text.length > maxLength && countCharacters(text) > maxLength))
    return `must have at most ${maxLength} characters`
  if (text.trim() === "") return "must not be empty"
  if (!text.isWellFormed()) return "must be valid Unicode (it contains half of a surrogate pair)"
  if (!isShowable(text)) return "must not contain control characters other than line breaks and tabs"
  return undefined
}

/** Returns what is wrong with an indexed text, whose length is limited in bytes, not characters. */
export function nameProblem(text: unknown): string | undefined {
  const problem = textProblem(text, nameBytes)
  if (problem !== undefined) return problem
  return hasMoreBytes(String(text), nameBytes) ? `must be at most ${nameBytes} bytes long` : undefined
}

const nameBytes = 400
