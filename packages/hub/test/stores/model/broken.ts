// Memory storages with one fault each. They show that the contract and the model detect it.

import type { Engine } from "@holdpoint/testkit/hub/stores/engines"
import type { Elicitation, Entry, Storage } from "../../../src/index.ts"
import { createMemoryStorage } from "../../../src/index.ts"
import type { Store } from "../../../src/ports/store.ts"

type Fault = (storage: Storage) => Storage

const withStore = (storage: Storage, faulty: (store: Store) => Partial<Store>): Storage => ({
  ...storage,
  store: { ...storage.store, ...faulty(storage.store) },
})

/** The last write wins, whatever its revision. */
const ignoresRevision: Fault = (storage) =>
  withStore(storage, (store) => ({
    async replace(next, entry) {
      const current = await store.get(next.id)
      if (current === undefined) return false
      const revision = current.revision + 1
      return store.replace({ ...next, revision }, { ...entry, revision })
    },
  }))

/** Acknowledges an answer without storing it. */
const losesSettlement: Fault = (storage) =>
  withStore(storage, (store) => ({
    replace: async (next, entry) => next.status === "completed" || store.replace(next, entry),
  }))

const repeatsEntry: Fault = (storage) =>
  withStore(storage, (store) => ({
    async replace(next, entry) {
      const isReplaced = await store.replace(next, entry)
      if (isReplaced) await storage.trail.append(entry)
      return isReplaced
    },
  }))

/** Stores an elicitation without its trail entry. */
const losesEntry: Fault = (storage) => {
  const lost = new Set<string>()
  const isKept = ({ id, kind }: Entry): boolean => !(lost.has(id) && kind === "declined")
  return {
    ...withStore(storage, (store) => ({
      replace(next, entry) {
        if (next.status === "declined") lost.add(next.id)
        return store.replace(next, entry)
      },
    })),
    trail: { ...storage.trail, read: async (query) => (await storage.trail.read(query)).filter(isKept) },
  }
}

/** Treats every key as free. */
const ignoresClaim: Fault = (storage) => {
  const keys = new Map<string, Pick<Elicitation, "key" | "keyReuse">>()
  const restored = <E extends Elicitation | undefined>(record: E): E =>
    record === undefined ? record : ({ ...record, ...keys.get(record.id) } as E)
  return withStore(storage, (store) => ({
    insert({ key, keyReuse, ...first }, entry, options) {
      if (key !== undefined && keyReuse !== undefined) keys.set(first.id, { key, keyReuse })
      return store.insert(first as Elicitation, entry, options)
    },
    get: async (id) => restored(await store.get(id)),
    list: async (query) => (await store.list(query)).map(restored),
  }))
}

const ignoresLimits: Fault = (storage) =>
  withStore(storage, (store) => ({
    insert: (first, entry) => store.insert(first, entry, { limits: { perPerson: Infinity, perTenant: Infinity } }),
  }))

/** Notifies an opening only of its own commits. */
const notifiesOwnOpeningOnly: Fault = (storage) => {
  const own = new Set<string>()
  const mine = (entry: { id: string; revision?: number }): string => `${entry.id} ${entry.revision}`
  return {
    ...withStore(storage, (store) => ({
      insert(first, entry, options) {
        own.add(mine(entry))
        return store.insert(first, entry, options)
      },
      replace(next, entry) {
        own.add(mine(entry))
        return store.replace(next, entry)
      },
    })),
    trail: {
      ...storage.trail,
      subscribe: (listener) =>
        storage.trail.subscribe((entries) => {
          const heard = entries.filter((entry) => own.has(mine(entry)))
          if (heard.length > 0) listener(heard)
        }),
    },
  }
}

export const faults: Readonly<Record<string, Fault>> = {
  "ignores the revision": ignoresRevision,
  "loses an answer that it acknowledged": losesSettlement,
  "repeats an entry of the trail": repeatsEntry,
  "loses an entry of the trail": losesEntry,
  "ignores keys": ignoresClaim,
  "ignores limits": ignoresLimits,
  "does not notify other openings": notifiesOwnOpeningOnly,
}

export function broken(fault: Fault): Engine {
  return async () => {
    const storage = createMemoryStorage()
    return { open: async () => fault({ ...storage, close: async () => {} }), destroy: storage.close }
  }
}
