// Text of an asker that every store can hold and every surface can show.

import { countBytes, countCharacters, isShowable } from "./characters.ts"

/** Undefined when the text is fine, else what is wrong with it. */
export function textProblem(text: unknown, maxLength: number): string | undefined {
  if (typeof text !== "string") return "must be text"
  if (text.trim() === "") return "must not be empty"
  if (text.length > maxLength && countCharacters(text) > maxLength) return `must have at most ${maxLength} characters`
  if (!text.isWellFormed()) return "must be valid Unicode (it holds half of a surrogate pair)"
  if (!isShowable(text)) return "must not hold control characters other than line breaks and tabs"
  return undefined
}

/** For what questions are found by: an entry of an index has room for so many bytes, not characters. */
export function nameProblem(text: unknown): string | undefined {
  const problem = textProblem(text, nameBytes)
  if (problem !== undefined) return problem
  return countBytes(String(text)) > nameBytes ? `must take at most ${nameBytes} bytes` : undefined
}

const nameBytes = 400
