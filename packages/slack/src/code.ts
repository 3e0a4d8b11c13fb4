// The code by which a person proves that both the browser and the Slack account are theirs. People read the code from
// one screen and type it at another, so it has no characters that look alike.

import { randomInt } from "node:crypto"

const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
const length = 10

/** Creates a code of ten characters in two groups: 49 random bits, with five attempts. */
export function newCode(): string {
  const characters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)])
  return `${characters.slice(0, length / 2).join("")}-${characters.slice(length / 2).join("")}`
}

/** Normalises a typed code to the format of `newCode`. */
export function readCode(text: string): string {
  const letters = text.toUpperCase().replace(/[^A-Z0-9]/g, "")
  return `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}`
}
