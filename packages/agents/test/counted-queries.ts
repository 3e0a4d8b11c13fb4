// A storage that records the name of every query, both reads and writes.

import type { Storage } from "@holdpoint/hub"

/** `take` returns the queries since its last call. */
export function countQueries(storage: Storage): { readonly storage: Storage; take(): readonly string[] } {
  const queries: string[] = []
  const counting = <T extends object>(part: T, name: string): T =>
    new Proxy(part, {
      get(target, method) {
        const value: unknown = Reflect.get(target, method)
        if (typeof value !== "function") return value
        return (...args: unknown[]) => {
          // Subscribing is not a query.
          if (method !== "subscribe") queries.push(`${name}.${String(method)}`)
          return value.apply(target, args)
        }
      },
    })
  return {
    storage: {
      store: counting(storage.store, "store"),
      trail: counting(storage.trail, "trail"),
      retention: counting(storage.retention, "retention"),
      records: (kind) => counting(storage.records(kind), kind.name),
      close: () => storage.close(),
    },
    take: () => queries.splice(0),
  }
}
