// Pseudonyms of people for telemetry and logs. Without the key ring a pseudonym cannot be computed from a person, nor
// the person from it.

import { createHmac, hkdfSync } from "node:crypto"
import { HoldpointError } from "../core/error.ts"
import type { PrincipalId } from "../core/principal.ts"
import { keyBytes } from "./cipher.ts"
import type { KeyRing } from "./key-ring.ts"

/**
 * Returns a function from a person to their pseudonym: the same in every process of the installation, until the current
 * key of the ring changes.
 */
export function createPseudonyms(ring: KeyRing | (() => KeyRing)): (person: PrincipalId) => string {
  const readRing = typeof ring === "function" ? ring : () => ring
  let derived: { readonly ringKey: Uint8Array; readonly key: Uint8Array } | undefined
  return ({ tenant, issuer, subject }) => {
    const { current, keys } = readRing()
    const ringKey = keys.get(current)
    if (ringKey === undefined)
      throw new HoldpointError("wrong_key", "The key ring lacks the key that it calls current.")
    if (derived?.ringKey !== ringKey)
      derived = { ringKey, key: new Uint8Array(hkdfSync("sha256", ringKey, "", purpose, keyBytes)) }
    const mac = createHmac("sha256", derived.key).update(JSON.stringify([tenant, issuer, subject]))
    return mac.digest("base64url").slice(0, 22)
  }
}

const purpose = "holdpoint pseudonym"
