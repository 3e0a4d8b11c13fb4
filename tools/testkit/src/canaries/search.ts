// Finds thousands of secrets in many megabytes. It reads only every eighth position, because every secret is long
// enough to contain a full window of eight bytes at such a position, at one of eight offsets.

import type { Canary } from "./kinds.ts"

export interface Hit {
  readonly canary: Canary
  /** The position of its first byte. */
  readonly at: number
}

export interface Search {
  /** The number of secrets. */
  size(): number
  add(canary: Canary): void
  find(bytes: Uint8Array): readonly Hit[]
}

interface Needle {
  readonly canary: Canary
  readonly bytes: Buffer
  /** The position of the window within the secret. */
  readonly offset: number
}

const stride = 8

/**
 * The size of a Bloom filter that fits into a processor's cache. It rules out most positions without a table lookup.
 */
const mask = 2 ** 23 - 1

export function createSearch(canaries: Iterable<Canary> = []): Search {
  const needles = new Map<number, Needle[]>()
  const filter = new Uint32Array((mask + 1) / 32)
  const seen = new Set<string>()

  const addSpelling = (canary: Canary, text: string): void => {
    const bytes = Buffer.from(text)
    for (let offset = 0; offset < stride; offset++) {
      const hash = hashOf(bytes.readUInt32LE(offset), bytes.readUInt32LE(offset + 4))
      const needle = { canary, bytes, offset }
      const others = needles.get(hash)
      if (others === undefined) needles.set(hash, [needle])
      else others.push(needle)
      for (const bit of [hash & mask, (hash >>> 9) & mask]) filter[bit >>> 5]! |= 1 << (bit & 31)
    }
  }
  const add = (canary: Canary): void => {
    if (seen.has(canary.value)) return
    seen.add(canary.value)
    for (const text of spellingsOf(canary.value)) addSpelling(canary, text)
  }

  const find = (haystack: Uint8Array): readonly Hit[] => {
    const bytes = toAligned(haystack)
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
    const hits: Hit[] = []
    for (let index = 0; index + 1 < words.length; index += 2) {
      const [first, second] = [words[index]!, words[index + 1]!]
      if (first === 0 && second === 0) continue
      const hash = hashOf(first, second)
      const [one, other] = [hash & mask, (hash >>> 9) & mask]
      if ((filter[one >>> 5]! & (1 << (one & 31))) === 0 || (filter[other >>> 5]! & (1 << (other & 31))) === 0) continue
      for (const { canary, bytes: wanted, offset } of needles.get(hash) ?? []) {
        const at = index * 4 - offset
        if (at >= 0 && wanted.equals(bytes.subarray(at, at + wanted.length))) hits.push({ canary, at })
      }
    }
    return hits
  }

  for (const canary of canaries) add(canary)
  return { size: () => seen.size, add, find }
}

/** The secret in plain text, in hex, URL-encoded, and in base64 at each offset of a longer text. */
export function spellingsOf(value: string): ReadonlySet<string> {
  const bytes = Buffer.from(value)
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "")
    // Leaves out base64 characters that also encode bits of neighbouring bytes.
    const isShared = (shift + bytes.length) % 3 !== 0
    return text.slice(Math.ceil((shift * 4) / 3), isShared ? -1 : text.length)
  })
  const base64url = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))
  return new Set([value, bytes.toString("hex"), encodeURIComponent(value), ...base64, ...base64url])
}

const hashOf = (first: number, second: number): number => (first ^ Math.imul(second, 0x9e3779b1)) >>> 0

/** Pads the bytes to a multiple of the stride, aligned for 32-bit numbers. Copies them only if necessary. */
function toAligned(bytes: Uint8Array): Buffer {
  const isAligned = bytes.byteOffset % 4 === 0 && bytes.byteLength % stride === 0
  if (isAligned) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const padded = Buffer.alloc(Math.ceil(bytes.byteLength / stride) * stride)
  padded.set(bytes)
  return padded
}
