// What the leaks give away.

import { type CanaryKind, kinds } from "../kinds.ts"
import { noteCanary } from "../note.ts"

/** One of this kind for each leak. Derived from the name, so that the process that started the run knows it too. */
export function secretOf(kind: CanaryKind, leak: string): string {
  return `leaked-on-purpose-${Object.keys(kinds).indexOf(kind)}-${Buffer.from(leak).toString("hex")}`
}

export function newSecret(kind: CanaryKind, leak: string): string {
  const secret = secretOf(kind, leak)
  noteCanary(kind, secret)
  return secret
}
