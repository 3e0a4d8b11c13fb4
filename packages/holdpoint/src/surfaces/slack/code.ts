// The code by which a person shows that the page and the Slack account are theirs. It is read from one screen and typed at
// another, so it has no characters that look alike.

import { randomInt } from "node:crypto"

const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
const length = 10

/** Ten characters in two groups: 49 random bits, of which five tries are allowed. */
export function newCode(): string {
  const characters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)])
  return `${characters.slice(0, length / 2).join("")}-${characters.slice(length / 2).join("")}`
}

/** What a person typed, as `newCode` writes it. */
export function readCode(typed: string): string {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, "")
  return `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}`
}
