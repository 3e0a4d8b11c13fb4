// A short code that people compare by eye, on two screens. It proves nothing to a machine, and is no secret.

/** Without letters and digits that are taken for one another: 0 O, 1 I L, 2 Z, 5 S, 8 B, U V. */
const letters = "ACDEFGHJKMNPQRTWXY34679"

export function toCode(digest: Buffer): string {
  const code = [...digest.subarray(0, 6)].map((byte) => letters[byte % letters.length]).join("")
  return `${code.slice(0, 3)}-${code.slice(3)}`
}
