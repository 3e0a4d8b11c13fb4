// Encrypts one text: AES-256-GCM with a random IV and associated data. Knows nothing of key rings or records.

import { createCipheriv, createDecipheriv, createSecretKey, KeyObject, randomBytes } from "node:crypto"

/** The version of the text format and the binding. A change of either needs a new version. */
const format = 1
const prefix = `hp${format}.`
const algorithm = "aes-256-gcm"
const ivBytes = 12
const tagBytes = 16

export const keyBytes = 32

/** The associated data of a text. It is encoded as JSON, so that two different lists never encode alike. */
export type Binding = readonly (string | number)[]

/** A key as bytes, or as the result of `toKey`, which is faster for repeated use. */
export type CipherKey = Uint8Array | KeyObject

export function encrypt(key: CipherKey, binding: Binding, plaintext: Uint8Array): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, toKey(key), iv, { authTagLength: tagBytes }).setAAD(toBytes(binding))
  const parts = [iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]
  return prefix + Buffer.concat(parts).toString("base64url")
}

/** Decrypts a text. Undefined when it was altered, has another binding or another key; which of these is not known. */
export function decrypt(key: CipherKey, binding: Binding, text: string): Buffer | undefined {
  if (typeof text !== "string" || !text.startsWith(prefix)) return undefined
  const encoded = text.slice(prefix.length)
  const bytes = Buffer.from(encoded, "base64url")
  // Base64 decoding ignores foreign characters and unused bits, so only the canonical encoding is accepted.
  if (bytes.length < ivBytes + tagBytes || bytes.toString("base64url") !== encoded) return undefined
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

/** A KeyObject is several times faster than raw bytes. */
export const toKey = (key: CipherKey): KeyObject => (key instanceof KeyObject ? key : createSecretKey(key))

const toBytes = (binding: Binding): Buffer => Buffer.from(JSON.stringify([format, ...binding]))
