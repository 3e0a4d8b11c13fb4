// Combines all reads by id of one turn of the event loop into one query.

import { isStorable } from "../core/characters.ts"

export function createBatchedGet<T>(
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (id: string) => Promise<T | undefined> {
  let pendingRead: Promise<ReadonlyMap<string, T>> | undefined
  let ids = new Set<string>()
  return async (id) => {
    // Postgres cannot store text with a null character or half a surrogate pair, and would refuse the whole query.
    if (!isStorable(id)) return undefined
    ids.add(id)
    pendingRead ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      const requestedIds = [...ids]
      ids = new Set()
      pendingRead = undefined
      return read(requestedIds)
    })
    return (await pendingRead).get(id)
  }
}
