// The keys that sign access tokens: created once, stored sealed, shared by all nodes. A new key is published some time
// before it signs, and an old one stays as long as its tokens are valid.

import { generateKeyPairSync } from "node:crypto"
import type { Runtime } from "@holdpoint/hub"
import { newToken } from "@holdpoint/hub/internal"
import type { JSONWebKeySet, JWK } from "jose"
import type { ArtifactStore, Payload } from "./artifact-store.ts"

export const algorithm = "ES256" as const

export interface KeySet {
  /** Incremented with every change. */
  readonly version: number
  /** Newest first, including the private keys. */
  readonly keys: readonly SigningKey[]
  /** The secret that cookies are derived from. */
  readonly secret: string
}

export interface SigningKey {
  readonly jwk: JWK & { readonly kid: string }
  readonly signsFrom: number
}

export interface Keys {
  /** The stored key set, cached for a short time. */
  current(): Promise<KeySet>
  /** Adds a key, which all nodes know before it signs, and drops keys that were replaced long ago. */
  rotate(): Promise<void>
}

/** How long a node may cache the key set. */
const rereadMs = 60_000
/** How long a new key is published before it signs: by then, every verifier has read the key. */
const publishedMs = 10 * 60_000
/** The age at which a key is replaced automatically. */
const replacedMs = 90 * 24 * 60 * 60_000
/** How long a replaced key can still verify signatures: longer than any signed token is valid. */
const outlivesMs = 60 * 60_000

const [kind, id] = ["SigningKeys", "of this server"]

export function createKeys(artifacts: ArtifactStore, runtime: Runtime): Keys {
  let cached: { readonly set: KeySet; readonly readAt: number } | undefined

  async function read(): Promise<KeySet> {
    const entry = await artifacts.read(kind, id)
    if (entry !== undefined) return { ...fromPayload(entry.payload), version: entry.version }
    // Every node tries to insert the first key set; only one insert succeeds.
    await artifacts.add(kind, id, { keys: [newKey(runtime.now())], secret: newToken() })
    return read()
  }

  /** Adds a key if `isDue` is true of the newest stored key, which another node may have just added. */
  async function rotate(isDue: (newest: SigningKey | undefined) => boolean): Promise<void> {
    const now = runtime.now()
    await artifacts.change(kind, id, (payload) => {
      const { keys, secret } = fromPayload(payload)
      if (!isDue(keys[0])) return payload
      const isNeeded = (_key: SigningKey, index: number): boolean =>
        keys.slice(0, index).every(({ signsFrom }) => now < signsFrom + outlivesMs)
      return { keys: [newKey(now + publishedMs), ...keys.filter(isNeeded)], secret }
    })
  }

  return {
    async current() {
      const now = runtime.now()
      if (cached !== undefined && Math.abs(now - cached.readAt) < rereadMs) return cached.set
      const isOld = (newest: SigningKey | undefined): boolean => (newest?.signsFrom ?? now) + replacedMs <= now
      const set = await read()
      if (isOld(set.keys[0])) await rotate(isOld)
      cached = { set: isOld(set.keys[0]) ? await read() : set, readAt: now }
      return cached.set
    },
    async rotate() {
      await read()
      await rotate(() => true)
      cached = undefined
    },
  }
}

/** The key that signs now: the newest one that every verifier knows. */
export function signingKeyOf({ keys }: KeySet, now: number): SigningKey {
  return keys.find(({ signsFrom }) => signsFrom <= now) ?? (keys.at(-1) as SigningKey)
}

/** The public keys of the whole set, for verification. */
export function publicKeysOf({ keys }: KeySet): JSONWebKeySet {
  return { keys: keys.map(({ jwk: { d: _private, ...publicJwk } }) => publicJwk) }
}

function newKey(signsFrom: number): SigningKey {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const kid = newToken().slice(0, 22)
  return { jwk: { ...(privateKey.export({ format: "jwk" }) as JWK), kid, use: "sig", alg: algorithm }, signsFrom }
}

/** Safe to cast: only this file writes the payload, and the seal detects changes. */
const fromPayload = (payload: Payload): Omit<KeySet, "version"> => payload as unknown as Omit<KeySet, "version">
