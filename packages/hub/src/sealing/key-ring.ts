// The keys that wrap data keys: parsing, creating and serializing them. Errors name the place in the text but never
// quote it, because a mistyped line may be the key itself.

import { createHash, randomBytes } from "node:crypto"
import type { Problem } from "../core/error.ts"
import { HoldpointError } from "../core/error.ts"
import { keyBytes } from "./cipher.ts"

/** The keys that seal what is stored, by id. */
export interface KeyRing {
  /** The id of the key for new seals. The other keys open older seals. */
  readonly current: string
  readonly keys: ReadonlyMap<string, Uint8Array>
}

/**
 * Reads keys from text. A line has one entry, or several separated by commas: `id:key`, or a key alone, whose id is
 * then derived from the key. A key is 32 bytes in base64 or base64url. The first entry is the current key, unless
 * another has a `*` before it. Text after a # is ignored. `source` names the file or variable in error messages.
 */
export function parseKeyRing(text: string, source: string): KeyRing {
  const entries = text
    .split("\n")
    .map((line) => line.replace(/(?:^|[\s,])#.*/, ""))
    .flatMap((line) => line.split(","))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map(parseEntry)
  const problems = entries.length === 0 ? [{ path: "", message: "holds no key" }] : entries.flatMap(problemsOf)
  if (problems.length > 0) throw unusableError(source, problems)
  const keys = entries.map(({ id, key }) => [id, key] as const) as readonly (readonly [string, Buffer])[]
  const markedEntry = entries.find(({ isMarked }) => isMarked) ?? entries[0]
  return { current: markedEntry?.id ?? "", keys: new Map(keys) }
}

/** Writes keys as text, the current key first, as `parseKeyRing` reads it. */
export function serializeKeyRing({ current, keys }: KeyRing): string {
  const ids = [current, ...[...keys.keys()].filter((id) => id !== current)]
  return ids.map((id) => `${id}:${Buffer.from(keys.get(id) ?? []).toString("base64url")}\n`).join("")
}

/** A ring of one new key, or the same ring with a new current key. */
export function withNewKey(ring?: KeyRing): KeyRing {
  const key = randomBytes(keyBytes)
  const id = idOf(key)
  return { current: id, keys: new Map([[id, key], ...(ring?.keys ?? [])]) }
}

/** The same ring without these keys. The current key always stays. */
export function withoutKeys({ current, keys }: KeyRing, ids: Iterable<string>): KeyRing {
  const removedIds = new Set(ids)
  return { current, keys: new Map([...keys].filter(([id]) => id === current || !removedIds.has(id))) }
}

interface Entry {
  readonly id: string
  readonly key: Buffer | undefined
  readonly isMarked: boolean
  /** The key as it is written, for error messages about its encoding and length. */
  readonly keyText: string
}

function parseEntry(entry: string): Entry {
  const isMarked = entry.startsWith("*")
  const unmarked = isMarked ? entry.slice(1).trim() : entry
  const colon = unmarked.indexOf(":")
  const keyText = unmarked.slice(colon + 1).trim()
  const key = keyPattern.test(keyText) ? Buffer.from(keyText, "base64") : undefined
  const id = colon === -1 ? (key === undefined ? "" : idOf(key)) : unmarked.slice(0, colon).trim()
  return { id, key, isMarked, keyText }
}

/** 32 bytes in base64: 43 characters, with or without padding. */
const keyPattern = /^[A-Za-z0-9+/_-]{43}=?$/
/** Shorter than a key, so that a misplaced key is never taken for an id. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/

function problemsOf(
  { id, key, isMarked, keyText }: Entry,
  index: number,
  entries: readonly Entry[],
): readonly Problem[] {
  const earlierEntries = entries.slice(0, index)
  const words: string[] = []
  if (key === undefined) words.push(wrongKeyWords(keyText))
  else if (key.every((byte) => byte === key[0])) words.push("holds one byte 32 times, which is not a key")
  if (key !== undefined && !idPattern.test(id)) {
    words.push("needs an id of letters, digits, dots and hyphens, 32 at most: id:key")
  }
  const sameIdIndex = earlierEntries.findIndex((entry) => key !== undefined && entry.id === id)
  const sameKeyIndex = earlierEntries.findIndex((entry) => key !== undefined && entry.key?.equals(key))
  if (sameIdIndex !== -1) words.push(`has the same id as entry ${sameIdIndex + 1}`)
  else if (sameKeyIndex !== -1) words.push(`holds the same key as entry ${sameKeyIndex + 1}`)
  if (isMarked && earlierEntries.some((entry) => entry.isMarked))
    words.push("is the second one that is marked as current")
  return words.map((message) => ({ path: `entry ${index + 1}`, message }))
}

function wrongKeyWords(keyText: string): string {
  if (/^[0-9a-f]{64}$/i.test(keyText)) return "is written in hexadecimal; write the same 32 bytes in base64"
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(keyText)
  if (!isBase64) return "is not base64"
  return `has ${Buffer.from(keyText, "base64").length} bytes; a key has ${keyBytes}`
}

function unusableError(source: string, problems: readonly Problem[]): HoldpointError {
  const advice = "`holdpoint keys generate` makes one that can be used."
  return new HoldpointError("wrong_key", `The keys in ${source} cannot be used. ${advice}`, { problems })
}

/**
 * The id of a key, derived from the key alone, so that every machine uses the same id. The id is 40 bits of a hash,
 * which reveal nothing about the key.
 */
function idOf(key: Uint8Array): string {
  return `k${createHash("sha256").update("holdpoint key id\n").update(key).digest("hex").slice(0, 10)}`
}
