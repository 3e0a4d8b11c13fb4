// The sealer: each set of fields has its own data key, wrapped by a key of the ring. Its errors contain no secret and
// say only that something cannot be read.

import { type KeyObject, randomBytes } from "node:crypto"
import { HoldpointError } from "../core/error.ts"
import type { SealBinding, Sealed } from "../core/sealed.ts"
import type { Sealer } from "../ports/sealer.ts"
import type { Binding } from "./cipher.ts"
import { decrypt, encrypt, keyBytes, toKey } from "./cipher.ts"
import type { KeyRing } from "./key-ring.ts"

/**
 * Makes a sealer from a key ring. A ring that may change is given as a function, which is called for every seal, and
 * when a value was sealed with an unknown key. So each process seals with the newest key, and opens what other
 * processes have sealed with that key.
 */
export function createSealer(ring: KeyRing | (() => KeyRing)): Sealer {
  const readRing = typeof ring === "function" ? ring : () => ring
  let latestRing = readRing()
  const refreshRing = (): KeyRing => {
    latestRing = readRing()
    return latestRing
  }

  /** Caches the key object of each ring key, because making one for every seal is slow. */
  const keyObjects = new WeakMap<Uint8Array, KeyObject>()
  const objectOf = (key: Uint8Array): KeyObject => {
    const keyObject = keyObjects.get(key) ?? toKey(key)
    keyObjects.set(key, keyObject)
    return keyObject
  }
  const unwrap = (binding: SealBinding, { keyId, wrapped }: Sealed): Buffer => {
    const key = latestRing.keys.get(keyId) ?? refreshRing().keys.get(keyId)
    if (key === undefined)
      throw unreadableError(`It is sealed with the key “${shortenKeyId(keyId)}”, which is not in the ring.`)
    const dataKey = decrypt(objectOf(key), keyBinding(binding, keyId), wrapped)
    if (dataKey?.length !== keyBytes) throw alteredError()
    return dataKey
  }
  const wrap = (binding: SealBinding, dataKey: Buffer): Pick<Sealed, "keyId" | "wrapped"> => {
    const { current, keys } = refreshRing()
    const key = keys.get(current)
    if (key === undefined) throw new HoldpointError("wrong_key", "The key ring lacks the key that it calls current.")
    return { keyId: current, wrapped: encrypt(objectOf(key), keyBinding(binding, current), dataKey) }
  }
  /** Wraps the data key with the current key, or keeps the existing wrapping when that key made it. */
  const rewrapDataKey = (binding: SealBinding, sealed: Sealed, dataKey: Buffer): Pick<Sealed, "keyId" | "wrapped"> =>
    sealed.keyId === refreshRing().current ? { keyId: sealed.keyId, wrapped: sealed.wrapped } : wrap(binding, dataKey)

  return {
    get keyId() {
      return refreshRing().current
    },
    seal(binding, fields, previous) {
      const generation = (previous?.generation ?? 0) + 1
      const dataKey = previous === undefined ? randomBytes(keyBytes) : unwrap(binding, previous)
      try {
        const wrapping = previous === undefined ? wrap(binding, dataKey) : rewrapDataKey(binding, previous, dataKey)
        const texts = Object.entries(fields).map(([field, value]) => {
          const text = encrypt(dataKey, fieldBinding(binding, field, generation), Buffer.from(value))
          return [field, text] as const
        })
        return { ...wrapping, generation, fields: Object.fromEntries(texts) }
      } finally {
        dataKey.fill(0)
      }
    },
    open(binding, sealed) {
      const dataKey = unwrap(binding, sealed)
      try {
        const openedFields = Object.entries(sealed.fields).map(([field, text]) => {
          const value = decrypt(dataKey, fieldBinding(binding, field, sealed.generation), text)
          if (value === undefined) throw alteredError()
          return [field, value.toString()] as const
        })
        return Object.fromEntries(openedFields)
      } finally {
        dataKey.fill(0)
      }
    },
    rewrap(binding, sealed) {
      const dataKey = unwrap(binding, sealed)
      try {
        return { ...sealed, ...rewrapDataKey(binding, sealed, dataKey) }
      } finally {
        dataKey.fill(0)
      }
    },
  }
}

const fieldBinding = ({ tenant, owner, record }: SealBinding, field: string, generation: number): Binding => [
  tenant,
  owner,
  record,
  field,
  generation,
]
const keyBinding = ({ tenant, owner, record }: SealBinding, keyId: string): Binding => [tenant, owner, record, keyId]

const alteredError = (): HoldpointError =>
  unreadableError("It was altered or moved, or the key with this id is not the one that it was sealed with.")

function unreadableError(reason: string): HoldpointError {
  return new HoldpointError("sealed_unreadable", `A sealed value cannot be opened. ${reason}`)
}

/** A key id for an error message, cut to 64 characters because it comes from the database and could be anything. */
const shortenKeyId = (keyId: unknown): string => String(keyId).slice(0, 64)
