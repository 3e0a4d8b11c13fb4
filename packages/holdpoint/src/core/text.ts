// Text that every store can hold and every surface can show: UTF-8, no NUL, no control characters but line breaks
// and tabs, bounded.

/** Undefined when the text is fine, else what is wrong with it. */
export function textProblem(text: unknown, maxLength: number): string | undefined {
  if (typeof text !== "string") return "must be text"
  if (text.trim() === "") return "must not be empty"
  if (text.length > maxLength && [...text].length > maxLength) return `must have at most ${maxLength} characters`
  if (!text.isWellFormed()) return "must be valid Unicode (it holds half of a surrogate pair)"
  if (hasControlCharacter(text)) return "must not hold control characters other than line breaks and tabs"
  return undefined
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 127) return true
  }
  return false
}
