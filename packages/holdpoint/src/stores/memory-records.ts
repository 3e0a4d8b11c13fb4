// Records in this process's memory: the plainest statement of what a store of them does.

import type { Filing, KeptRecord, RecordQuery, Records } from "../ports/records.ts"
import type { NewEntry } from "../ports/trail.ts"

export function createMemoryRecords<R extends KeptRecord>(
  filing: Filing<R>,
  append: (entry: NewEntry) => void,
): Records<R> {
  const records = new Map<string, R>()
  const tell = (entry: NewEntry | undefined): true => {
    if (entry !== undefined) append(entry)
    return true
  }
  return {
    async insert(first, entry) {
      if (records.has(first.id)) return false
      records.set(first.id, first)
      return tell(entry)
    },
    async replace(next, entry) {
      if (records.get(next.id)?.version !== next.version - 1) return false
      records.set(next.id, next)
      return tell(entry)
    },
    async remove(last, entry) {
      if (records.get(last.id)?.version !== last.version) return false
      records.delete(last.id)
      return tell(entry)
    },
    get: async (id) => records.get(id),
    async list(query) {
      const found = [...records.values()].filter((record) => isWanted(record, query, filing))
      const byId = (a: R, b: R): number => (a.id < b.id ? -1 : 1)
      const byDue = (a: R, b: R): number => (filing.dueAt(a) ?? 0) - (filing.dueAt(b) ?? 0) || byId(a, b)
      return found.sort("dueBefore" in query ? byDue : byId).slice(0, query.limit)
    },
  }
}

function isWanted<R extends KeptRecord>(record: R, query: RecordQuery, filing: Filing<R>): boolean {
  if ("dueBefore" in query) return (filing.dueAt(record) ?? Number.POSITIVE_INFINITY) <= query.dueBefore
  if (query.afterId !== undefined && record.id <= query.afterId) return false
  if ("notSealedWith" in query) return record.sealed !== undefined && record.sealed.keyId !== query.notSealedWith
  return record.tenant === query.tenant && (query.owner === undefined || filing.owner(record) === query.owner)
}
