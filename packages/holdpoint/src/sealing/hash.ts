// What only has to be recognised again is kept as a hash: of 256 random bits nothing can be guessed back.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** 256 random bits, for `state`, cookies and addresses, in 43 letters. */
export function newToken(): string {
  return randomBytes(32).toString("base64url")
}

export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url")
}

/** What a browser brought, against the hash that is kept. */
export function isHashOf(token: string | undefined, hash: string): boolean {
  return token !== undefined && isSameText(hashOf(token), hash)
}

/** In the same time wherever they differ. */
export function isSameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)]
  return first.length === second.length && timingSafeEqual(first, second)
}
