// The keys that sign access tokens: made once, kept sealed in our store, the same for all nodes. A new one is published
// some time before it signs, and an old one stays for as long as what it has signed is valid.

import { generateKeyPairSync } from "node:crypto"
import type { JSONWebKeySet, JWK } from "jose"
import type { Runtime } from "../../ports/runtime.ts"
import { newToken } from "../../sealing/hash.ts"
import type { ArtifactStore, Payload } from "./artifact-store.ts"

export const algorithm = "ES256" as const

export interface KeySet {
  /** Raised with every change. */
  readonly version: number
  /** The newest first, with their private halves. */
  readonly keys: readonly SigningKey[]
  /** For cookies. */
  readonly secret: string
}

export interface SigningKey {
  readonly jwk: JWK & { readonly kid: string }
  readonly signsFrom: number
}

export interface Keys {
  /** As it is in the store, or was not long ago. */
  current(): Promise<KeySet>
  /** Another key, which all nodes know before it signs. What has been replaced for long is dropped. */
  rotate(): Promise<void>
}

/** For as long a node may work with what it has read. */
const rereadMs = 60_000
/** Until then everybody who verifies has read the new key. */
const publishedMs = 10 * 60_000
/** Then there is a new one, whether anybody asks for it or not. */
const replacedMs = 90 * 24 * 60 * 60_000
/** What a key has signed is over by then. */
const outlivesMs = 60 * 60_000

const [kind, id] = ["SigningKeys", "of this server"]

export function createKeys(artifacts: ArtifactStore, runtime: Runtime): Keys {
  let known: { readonly set: KeySet; readonly readAt: number } | undefined

  async function read(): Promise<KeySet> {
    const entry = await artifacts.read(kind, id)
    if (entry !== undefined) return { ...fromPayload(entry.payload), version: entry.version }
    // Every node tries to write the first; there is room for one.
    await artifacts.add(kind, id, { keys: [newKey(runtime.now())], secret: newToken() })
    return read()
  }

  /** Unless another node was quicker. */
  async function rotate(isDue: (newest: SigningKey | undefined) => boolean): Promise<void> {
    const now = runtime.now()
    await artifacts.change(kind, id, (payload) => {
      const { keys, secret } = fromPayload(payload)
      if (!isDue(keys[0])) return payload
      const isWanted = (_key: SigningKey, at: number): boolean =>
        keys.slice(0, at).every(({ signsFrom }) => now < signsFrom + outlivesMs)
      return { keys: [newKey(now + publishedMs), ...keys.filter(isWanted)], secret }
    })
  }

  return {
    async current() {
      const now = runtime.now()
      if (known !== undefined && Math.abs(now - known.readAt) < rereadMs) return known.set
      const isOld = (newest: SigningKey | undefined): boolean => (newest?.signsFrom ?? now) + replacedMs <= now
      const set = await read()
      if (isOld(set.keys[0])) await rotate(isOld)
      known = { set: isOld(set.keys[0]) ? await read() : set, readAt: now }
      return known.set
    },
    async rotate() {
      await read()
      await rotate(() => true)
      known = undefined
    },
  }
}

/** The one that signs now: the newest that everybody knows. */
export function signingKeyOf({ keys }: KeySet, now: number): SigningKey {
  return keys.find(({ signsFrom }) => signsFrom <= now) ?? (keys.at(-1) as SigningKey)
}

/** What verifies: the public halves of all. */
export function publicKeysOf({ keys }: KeySet): JSONWebKeySet {
  return { keys: keys.map(({ jwk: { d: _private, ...half } }) => half) }
}

function newKey(signsFrom: number): SigningKey {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const kid = newToken().slice(0, 22)
  return { jwk: { ...(privateKey.export({ format: "jwk" }) as JWK), kid, use: "sig", alg: algorithm }, signsFrom }
}

/** Only this file writes it, and it opens only unaltered. */
const fromPayload = (payload: Payload): Omit<KeySet, "version"> => payload as unknown as Omit<KeySet, "version">
