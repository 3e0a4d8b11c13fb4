// A storage in which the content of answers is sealed; everything else passes through. Each tenant has one data key for
// its answers, stored as a sealed record, so rotation rewraps that record only.

import { randomBytes } from "node:crypto"
import type { Elicitation } from "../core/elicitation.ts"
import { HoldpointError, isHoldpointError } from "../core/error.ts"
import type { Content } from "../core/form.ts"
import { sealBindings } from "../core/seal-bindings.ts"
import type { Sealer } from "../ports/sealer.ts"
import type { Storage } from "../ports/storage.ts"
import type { Store } from "../ports/store.ts"
import { checkKeys } from "./canary.ts"
import type { Binding } from "./cipher.ts"
import { decrypt, encrypt, keyBytes } from "./cipher.ts"
import type { DataKey } from "./records.ts"
import { dataKeyKind } from "./records.ts"

export interface SealedStorageOptions {
  /** Receives errors about content that cannot be opened. The question is then returned without its content. */
  readonly report?: (activity: string, error: unknown) => void
  readonly now?: () => number
}

/** The storages that `sealStorage` returned, so that none is sealed twice. */
const sealedStorages = new WeakSet<Storage>()

/**
 * The same storage, in which answers are sealed. Throws `wrong_key` when the keys are not those of this storage. A
 * storage that is sealed already is returned as it is.
 */
export async function sealStorage(
  storage: Storage,
  sealer: Sealer,
  { report = () => {}, now = Date.now }: SealedStorageOptions = {},
): Promise<Storage> {
  await checkKeys(storage, sealer, now)
  if (sealedStorages.has(storage)) return storage
  const { store } = storage
  const keys = createAnswerKeys(storage, sealer, now)

  const withSealedContent = async <E extends Elicitation>(elicitation: E): Promise<E> => {
    const { id, tenant, content } = elicitation
    if (content === undefined) return elicitation
    const plaintext = Buffer.from(JSON.stringify(content))
    return {
      ...elicitation,
      content: { [sealedMember]: encrypt(await keys.toSeal(tenant), bindingOf(tenant, id), plaintext) },
    }
  }
  const withOpenContent = async (elicitation: Elicitation): Promise<Elicitation> => {
    const { id, tenant, content, ...rest } = elicitation
    const text = content?.[sealedMember]
    if (typeof text !== "string") return elicitation
    try {
      const key = await keys.toOpen(tenant)
      const plaintext = key === undefined ? undefined : decrypt(key, bindingOf(tenant, id), text)
      if (plaintext === undefined) throw unreadable()
      return { ...elicitation, content: JSON.parse(plaintext.toString()) as Content }
    } catch (error) {
      if (!isHoldpointError(error) || error.code !== "sealed_unreadable") throw error
      report(`opening the answer to question ${id}`, error)
      return { id, tenant, ...rest } as Elicitation
    }
  }

  const sealedStore: Store = {
    async insert(elicitation, entry, options) {
      const inserted = await store.insert(await withSealedContent(elicitation), entry, options)
      return "existing" in inserted ? { ...inserted, existing: await withOpenContent(inserted.existing) } : inserted
    },
    replace: async (next, entry) => store.replace(await withSealedContent(next), entry),
    async get(id) {
      const stored = await store.get(id)
      return stored === undefined ? undefined : withOpenContent(stored)
    },
    list: async (query) => Promise.all((await store.list(query)).map(withOpenContent)),
    async due(now, limit) {
      const { overdue, next } = await store.due(now, limit)
      return { overdue: await Promise.all(overdue.map(withOpenContent)), next }
    },
  }
  const sealedStorage = { ...storage, store: sealedStore }
  sealedStorages.add(sealedStorage)
  return sealedStorage
}

/** The only member of sealed content. Content without it was stored before keys were used. */
const sealedMember = "$sealed"

const bindingOf = (tenant: string, id: string): Binding => [tenant, "answers", id, "content"]

const unreadable = (): HoldpointError =>
  new HoldpointError("sealed_unreadable", "The content was altered or moved, or the key of this tenant is gone.")

interface AnswerKeys {
  /** The tenant's key for sealing answers, created if there is none. */
  toSeal(tenant: string): Promise<Buffer>
  /** The tenant's key for opening answers. Undefined if there is none. */
  toOpen(tenant: string): Promise<Buffer | undefined>
}

/** How many keys are cached; the oldest is dropped first. */
const mostCachedKeys = 1_000

function createAnswerKeys(storage: Storage, sealer: Sealer, now: () => number): AnswerKeys {
  const dataKeys = storage.records(dataKeyKind)
  const cache = new Map<string, Buffer>()
  const addToCache = (tenant: string, key: Buffer): Buffer => {
    const oldestKey = cache.keys().next().value
    if (cache.size >= mostCachedKeys && oldestKey !== undefined) cache.delete(oldestKey)
    cache.set(tenant, key)
    return key
  }
  const toOpen: AnswerKeys["toOpen"] = async (tenant) => {
    const cached = cache.get(tenant)
    if (cached !== undefined) return cached
    const record = await dataKeys.get(idOf(tenant))
    if (record === undefined) return undefined
    return addToCache(
      tenant,
      Buffer.from(sealer.open(sealBindings.data_key(record), record.sealed).key ?? "", "base64url"),
    )
  }
  const toSeal: AnswerKeys["toSeal"] = async (tenant) => {
    const existing = await toOpen(tenant)
    if (existing !== undefined) return existing
    const dataKeyRecord: Omit<DataKey, "sealed"> = {
      id: idOf(tenant),
      tenant,
      purpose: "answers",
      version: 1,
      createdAt: now(),
    }
    const key = randomBytes(keyBytes)
    const sealed = sealer.seal(sealBindings.data_key(dataKeyRecord), { key: key.toString("base64url") })
    // If another process inserted a key first, that key is used.
    return (await dataKeys.insert({ ...dataKeyRecord, sealed })) ? addToCache(tenant, key) : toSeal(tenant)
  }
  return { toSeal, toOpen }
}

const idOf = (tenant: string): string => `answers/${tenant}`
