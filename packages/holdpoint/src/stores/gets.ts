// Combines all reads by id of one turn of the event loop into one query.

import { isStorable } from "../core/characters.ts"

export function createGets<T>(
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (id: string) => Promise<T | undefined> {
  let waiting: Promise<ReadonlyMap<string, T>> | undefined
  let ids = new Set<string>()
  return async (id) => {
    // Postgres cannot store such text, and would refuse the whole query.
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
