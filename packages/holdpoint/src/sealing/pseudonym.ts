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
  const read = typeof ring === "function" ? ring : () => ring
  let derived: { readonly from: Uint8Array; readonly key: Uint8Array } | undefined
  return ({ tenant, issuer, subject }) => {
    const { current, keys } = read()
    const from = keys.get(current)
    if (from === undefined) throw new HoldpointError("wrong_key", "The key ring lacks the key that it calls current.")
    if (derived?.from !== from) derived = { from, key: new Uint8Array(hkdfSync("sha256", from, "", purpose, keyBytes)) }
    const mac = createHmac("sha256", derived.key).update(JSON.stringify([tenant, issuer, subject]))
    return mac.digest("base64url").slice(0, 22)
  }
}

const purpose = "holdpoint pseudonym"
