// Records in memory: the simplest implementation of a record store.

import type { KeptRecord, NewRecord, RecordKind, RecordQuery, Records } from "../ports/records.ts"
import type { Retention, SealedRecord } from "../ports/retention.ts"
import type { NewEntry } from "../ports/trail.ts"
import type { OpenRecords } from "./kinds.ts"
import { createKinds } from "./kinds.ts"

export interface MemoryRecords extends Pick<Retention, "sealed" | "reseal"> {
  readonly open: OpenRecords
  /** Adds a record unless its id is taken. */
  add(one: NewRecord): void
  /** Removes the records that expire by this time. Returns how many. */
  forget(expiresBy: number): number
}

interface File {
  readonly kind: RecordKind<KeptRecord>
  readonly records: Map<string, KeptRecord>
}

export function createMemoryRecords(append: (entry: NewEntry) => void): MemoryRecords {
  const files = new Map<string, File>()
  const open = createKinds(<R extends KeptRecord>(kind: RecordKind<R>) => {
    const records = new Map<string, R>()
    files.set(kind.name, { kind, records } as unknown as File)
    return openFile(kind, records, append)
  })
  const all = (): readonly (File & { readonly record: KeptRecord })[] =>
    [...files.values()].flatMap((file) => [...file.records.values()].map((record) => ({ ...file, record })))

  return {
    open,
    add: ({ kind, record }) => void open(kind).insert(record),
    forget(expiresBy) {
      const over = all().filter(({ kind, record }) => (kind.expiresAt(record) ?? Number.POSITIVE_INFINITY) <= expiresBy)
      for (const { records, record } of over) records.delete(record.id)
      return over.length
    },
    async sealed({ notWith, after, limit }) {
      return all()
        .flatMap(({ kind, record: { sealed, ...rest } }) =>
          sealed === undefined ? [] : [{ kind: kind.name, record: { ...rest, sealed } }],
        )
        .filter((one) => one.record.sealed.keyId !== notWith && (after === undefined || isBehind(after, one)))
        .sort((a, b) => (isBehind(a, b) ? -1 : 1))
        .slice(0, limit)
    },
    async reseal(given) {
      const done = given.filter(({ kind, record }) => {
        const records = files.get(kind)?.records
        if (records?.get(record.id)?.version !== record.version - 1) return false
        records.set(record.id, record)
        return true
      })
      return done.length
    },
  }
}

function openFile<R extends KeptRecord>(
  kind: RecordKind<R>,
  records: Map<string, R>,
  append: (entry: NewEntry) => void,
): Records<R> {
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
      const found = [...records.values()].filter((record) => isWanted(record, query, kind))
      const byId = (a: R, b: R): number => (a.id < b.id ? -1 : 1)
      const byDue = (a: R, b: R): number => (kind.dueAt(a) ?? 0) - (kind.dueAt(b) ?? 0) || byId(a, b)
      return found.sort("dueBefore" in query ? byDue : byId).slice(0, query.limit)
    },
  }
}

function isWanted<R extends KeptRecord>(record: R, query: RecordQuery, kind: RecordKind<R>): boolean {
  if ("dueBefore" in query) {
    const dueAt = kind.dueAt(record) ?? Number.POSITIVE_INFINITY
    const { dueBefore, after = { dueAt: Number.NEGATIVE_INFINITY, id: "" } } = query
    return dueAt <= dueBefore && (dueAt > after.dueAt || (dueAt === after.dueAt && record.id > after.id))
  }
  if (query.afterId !== undefined && record.id <= query.afterId) return false
  return record.tenant === query.tenant && (query.owner === undefined || kind.owner(record) === query.owner)
}

const isBehind = (first: SealedRecord, second: SealedRecord): boolean =>
  first.kind === second.kind ? first.record.id < second.record.id : first.kind < second.kind
