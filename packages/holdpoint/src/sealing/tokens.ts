// Sealed texts that clients carry, such as completion tokens. Each purpose has its own derived key; the ring key's id
// comes first, so that a text from before a rotation still opens.

import { hkdfSync } from "node:crypto"
import { HoldpointError } from "../core/error.ts"
import type { Tokens } from "../ports/sealer.ts"
import { decrypt, encrypt, keyBytes } from "./cipher.ts"
import type { KeyRing } from "./key-ring.ts"

/**
 * Makes and opens sealed texts that others carry. A ring that may change is given as a function, and asked when a key
 * id is not known and for every seal.
 */
export function createTokens(ring: KeyRing | (() => KeyRing)): Tokens {
  const read = typeof ring === "function" ? ring : () => ring
  const derived = new Map<string, { readonly from: Uint8Array; readonly key: Uint8Array }>()

  const keyFor = (purpose: string, keyId: string): Uint8Array | undefined => {
    const from = read().keys.get(keyId)
    if (from === undefined) return undefined
    const name = `${keyId} ${purpose}`
    const cached = derived.get(name)
    if (cached?.from === from) return cached.key
    const key = new Uint8Array(hkdfSync("sha256", from, "", `holdpoint token\n${purpose}`, keyBytes))
    derived.set(name, { from, key })
    return key
  }

  return {
    seal(purpose, text) {
      const { current } = read()
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
