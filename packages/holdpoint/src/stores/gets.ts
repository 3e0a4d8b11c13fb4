// Reads by id that are asked for in one turn of the event loop are one query.

import { isStorable } from "../core/characters.ts"

export function createGets<T>(
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (id: string) => Promise<T | undefined> {
  let waiting: Promise<ReadonlyMap<string, T>> | undefined
  let ids = new Set<string>()
  return async (id) => {
    // Postgres takes no such text, and would refuse the neighbours' reads with it.
    if (!isStorable(id)) return undefined
    ids.add(id)
    waiting ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      const wanted = [...ids]
      ids = new Set()
      waiting = undefined
      return read(wanted)
    })
    return (await waiting).get(id)
  }
}
