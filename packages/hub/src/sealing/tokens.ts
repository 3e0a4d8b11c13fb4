// Sealed texts that clients carry, such as completion tokens. Each purpose has its own derived key; the ring key's id
// comes first, so that a text from before a rotation still opens.

import { hkdfSync } from "node:crypto"
import { HoldpointError } from "../core/error.ts"
import type { Tokens } from "../ports/sealer.ts"
import { decrypt, encrypt, keyBytes } from "./cipher.ts"
import type { KeyRing } from "./key-ring.ts"

/**
 * Makes and opens sealed texts that others carry. A ring that may change is given as a function, which is called for
 * every text, so that a new key is used at once.
 */
export function createTokens(ring: KeyRing | (() => KeyRing)): Tokens {
  const readRing = typeof ring === "function" ? ring : () => ring
  const derived = new Map<string, { readonly ringKey: Uint8Array; readonly key: Uint8Array }>()

  const keyFor = (purpose: string, keyId: string): Uint8Array | undefined => {
    const ringKey = readRing().keys.get(keyId)
    if (ringKey === undefined) return undefined
    const cacheKey = `${keyId} ${purpose}`
    const cached = derived.get(cacheKey)
    if (cached?.ringKey === ringKey) return cached.key
    const key = new Uint8Array(hkdfSync("sha256", ringKey, "", `holdpoint token\n${purpose}`, keyBytes))
    derived.set(cacheKey, { ringKey, key })
    return key
  }

  return {
    seal(purpose, text) {
      const { current } = readRing()
      const key = keyFor(purpose, current)
      if (key === undefined) throw new HoldpointError("wrong_key", "The key ring lacks the key that it calls current.")
      return `${current}~${encrypt(key, [purpose, current], Buffer.from(text))}`
    },
    open(purpose, token) {
      const end = token.indexOf("~")
      const keyId = token.slice(0, Math.max(end, 0))
      const key = keyFor(purpose, keyId)
      return key === undefined ? undefined : decrypt(key, [purpose, keyId], token.slice(end + 1))?.toString()
    },
  }
}
