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
 * Makes a sealer from a key ring. A ring that may change is given as a function: it is asked for every seal, and when
 * a key id is not known. So each process seals with the newest key, and opens what others have sealed with it.
 */
export function createSealer(ring: KeyRing | (() => KeyRing)): Sealer {
  const read = typeof ring === "function" ? ring : () => ring
  let latest = read()
  const refreshed = (): KeyRing => {
    latest = read()
    return latest
  }

  /** The keys of the ring are used for every seal. */
  const keyObjects = new WeakMap<Uint8Array, KeyObject>()
  const objectOf = (key: Uint8Array): KeyObject => {
    const keyObject = keyObjects.get(key) ?? toKey(key)
    keyObjects.set(key, keyObject)
    return keyObject
  }
  const unwrap = (binding: SealBinding, { keyId, wrapped }: Sealed): Buffer => {
    const key = latest.keys.get(keyId) ?? refreshed().keys.get(keyId)
    if (key === undefined)
      throw unreadable(`It is sealed with the key “${shortened(keyId)}”, which is not in the ring.`)
    const dataKey = decrypt(objectOf(key), ofKey(binding, keyId), wrapped)
    if (dataKey?.length !== keyBytes) throw altered()
    return dataKey
  }
  const wrap = (binding: SealBinding, dataKey: Buffer): Pick<Sealed, "keyId" | "wrapped"> => {
    const { current, keys } = refreshed()
    const key = keys.get(current)
    if (key === undefined) throw new HoldpointError("wrong_key", "The key ring lacks the key that it calls current.")
    return { keyId: current, wrapped: encrypt(objectOf(key), ofKey(binding, current), dataKey) }
  }
  /** Wraps the data key with the current key, or keeps the existing wrapping when that key made it. */
  const rewrapped = (binding: SealBinding, sealed: Sealed, dataKey: Buffer): Pick<Sealed, "keyId" | "wrapped"> =>
    sealed.keyId === refreshed().current ? { keyId: sealed.keyId, wrapped: sealed.wrapped } : wrap(binding, dataKey)

  return {
    get keyId() {
      return refreshed().current
    },
    seal(binding, fields, previous) {
      const generation = (previous?.generation ?? 0) + 1
      const dataKey = previous === undefined ? randomBytes(keyBytes) : unwrap(binding, previous)
      try {
        const wrapping = previous === undefined ? wrap(binding, dataKey) : rewrapped(binding, previous, dataKey)
        const texts = Object.entries(fields).map(([field, value]) => {
          const text = encrypt(dataKey, ofField(binding, field, generation), Buffer.from(value))
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
        const opened = Object.entries(sealed.fields).map(([field, text]) => {
          const value = decrypt(dataKey, ofField(binding, field, sealed.generation), text)
          if (value === undefined) throw altered()
          return [field, value.toString()] as const
        })
        return Object.fromEntries(opened)
      } finally {
        dataKey.fill(0)
      }
    },
    rewrap(binding, sealed) {
      const dataKey = unwrap(binding, sealed)
      try {
        return { ...sealed, ...rewrapped(binding, sealed, dataKey) }
      } finally {
        dataKey.fill(0)
      }
    },
  }
}

const ofField = ({ tenant, owner, record }: SealBinding, field: string, generation: number): Binding => [
  tenant,
  owner,
  record,
  field,
  generation,
]
const ofKey = ({ tenant, owner, record }: SealBinding, keyId: string): Binding => [tenant, owner, record, keyId]

const altered = (): HoldpointError =>
  unreadable("It was altered or moved, or the key of this id is another one than it was sealed with.")

function unreadable(why: string): HoldpointError {
  return new HoldpointError("sealed_unreadable", `Something sealed cannot be opened. ${why}`)
}

/** A key id for a message, cut to a key id's length because it comes from the database. */
const shortened = (keyId: unknown): string => String(keyId).slice(0, 64)
