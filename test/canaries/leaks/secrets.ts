// The secrets that the leaks use.

import { type CanaryKind, kinds } from "@holdpoint/testkit/canaries/kinds"
import { noteCanary } from "@holdpoint/testkit/canaries/note"

/**
 * The secret of this kind for one leak. Derived from the leak's name, so that the parent process can compute it too.
 */
export function secretOf(kind: CanaryKind, leak: string): string {
  return `leaked-on-purpose-${Object.keys(kinds).indexOf(kind)}-${Buffer.from(leak).toString("hex")}`
}

export function newSecret(kind: CanaryKind, leak: string): string {
  const secret = secretOf(kind, leak)
  noteCanary(kind, secret)
  return secret
}
