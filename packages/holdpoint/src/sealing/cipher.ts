// One encrypted text: AES-256-GCM with a random IV, bound to words that say what it is. Knows nothing of rings or records.

import type { KeyObject } from "node:crypto"
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from "node:crypto"

/** Of texts and of what is bound to them. A change of either is a new format. */
const format = 1
const prefix = `hp${format}.`
const algorithm = "aes-256-gcm"
const ivBytes = 12
const tagBytes = 16

export const keyBytes = 32

/** What a text is bound to, in order. As JSON, so that no two lists look the same. */
export type Binding = readonly (string | number)[]

export function encrypt(key: Uint8Array, binding: Binding, plain: Uint8Array): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, toKey(key), iv, { authTagLength: tagBytes }).setAAD(toBytes(binding))
  const parts = [iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]
  return prefix + Buffer.concat(parts).toString("base64url")
}

/** Undefined when it was altered, belongs elsewhere, or is of another key. Which of these cannot be told. */
export function decrypt(key: Uint8Array, binding: Binding, text: string): Buffer | undefined {
  if (typeof text !== "string" || !text.startsWith(prefix)) return undefined
  const written = text.slice(prefix.length)
  const bytes = Buffer.from(written, "base64url")
  // Decoding overlooks foreign characters and unused bits: only the one way to write these bytes is accepted.
  if (bytes.length < ivBytes + tagBytes || bytes.toString("base64url") !== written) return undefined
  const decipher = createDecipheriv(algorithm, toKey(key), bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(toBytes(binding))
    .setAuthTag(bytes.subarray(-tagBytes))
  const start = decipher.update(bytes.subarray(ivBytes, -tagBytes))
  try {
    return Buffer.concat([start, decipher.final()])
  } catch {
    return undefined
  }
}

/** Several times faster than giving the bytes themselves. */
const toKey = (key: Uint8Array): KeyObject => createSecretKey(key)

const toBytes = (binding: Binding): Buffer => Buffer.from(JSON.stringify([format, ...binding]))
