// A storage that counts every query that is made to it, reads and writes alike.

import type { Storage } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"

export interface CountingStorage extends Storage {
  /** The names of the queries since the last call of this. */
  queries(): readonly string[]
}

export function createCountingStorage(storage: Storage = createMemoryStorage()): CountingStorage {
  let made: string[] = []
  const counting = <T extends object>(part: T, name: string): T =>
    new Proxy(part, {
      get(target, method) {
        const value: unknown = Reflect.get(target, method)
        if (typeof value !== "function") return value
        return (...args: unknown[]) => {
          // Subscribing is not a query.
          if (method !== "subscribe") made.push(`${name}.${String(method)}`)
          return value.apply(target, args)
        }
      },
    })
  return {
    store: counting(storage.store, "store"),
    trail: counting(storage.trail, "trail"),
    retention: counting(storage.retention, "retention"),
    records: (kind) => counting(storage.records(kind), kind.name),
    close: () => storage.close(),
    queries() {
      const before = made
      made = []
      return before
    },
  }
}
