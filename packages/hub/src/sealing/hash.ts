// Random tokens and their hashes. A token that only has to be recognised is stored as a hash: its 256
// random bits cannot be guessed from the hash.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** A random token of 256 bits in 43 characters, for `state`, cookies and addresses. */
export function newToken(): string {
  return randomBytes(32).toString("base64url")
}

export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url")
}

/** Whether a token from a browser matches the stored hash. */
export function isHashOf(token: string | undefined, hash: string): boolean {
  return token !== undefined && isSameText(hashOf(token), hash)
}

/** Compares two texts in constant time. */
export function isSameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)]
  return first.length === second.length && timingSafeEqual(first, second)
}
