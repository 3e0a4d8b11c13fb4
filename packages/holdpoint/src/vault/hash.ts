// Tokens that only have to be recognised again are kept as hashes: of 256 random bits nothing can be guessed back.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** 256 random bits, for `state` and for cookies. */
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
