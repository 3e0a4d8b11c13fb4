// What only has to be recognised is kept as a hash: of 256 random bits nothing can be guessed back.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** 256 bits for a cookie or an address, in 43 letters. */
export function newToken(): string {
  return randomBytes(32).toString("base64url")
}

export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url")
}

/** In the same time wherever they differ. */
export function isSameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)]
  return first.length === second.length && timingSafeEqual(first, second)
}
