// A short code that people compare on two screens. It is not a secret and proves nothing to a machine.

/** Leaves out characters that look alike: 0 O, 1 I L, 2 Z, 5 S, 8 B, U V. */
const letters = "ACDEFGHJKMNPQRTWXY34679"

export function toShortCode(digest: Buffer): string {
  const code = [...digest.subarray(0, 6)].map((byte) => letters[byte % letters.length]).join("")
  return `${code.slice(0, 3)}-${code.slice(3)}`
}
