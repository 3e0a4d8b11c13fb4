// Records in memory: the simplest implementation of a record store.

import type { KeptRecord, NewRecord, RecordKind, RecordQuery, Records } from "../ports/records.ts"
import type { Retention, SealedRecord } from "../ports/retention.ts"
import type { NewEntry } from "../ports/trail.ts"
import type { OpenRecords } from "./record-opener.ts"
import { createRecordOpener } from "./record-opener.ts"

export interface MemoryRecords extends Pick<Retention, "sealed" | "reseal"> {
  readonly open: OpenRecords
  /** Adds a record unless its id is taken. */
  add(newRecord: NewRecord): Promise<boolean>
  /** Removes the records that expire by this time. Returns how many. */
  forget(expiresBy: number): number
}

interface RecordsOfKind {
  readonly kind: RecordKind<KeptRecord>
  readonly records: Map<string, KeptRecord>
}

export function createMemoryRecords(append: (entry: NewEntry) => void): MemoryRecords {
  const kinds = new Map<string, RecordsOfKind>()
  const openRecords = createRecordOpener(<R extends KeptRecord>(kind: RecordKind<R>) => {
    const records = new Map<string, R>()
    kinds.set(kind.name, { kind, records } as unknown as RecordsOfKind)
    return openKind(kind, records, append)
  })
  const listAll = (): readonly (RecordsOfKind & { readonly record: KeptRecord })[] =>
    [...kinds.values()].flatMap((recordsOfKind) =>
      [...recordsOfKind.records.values()].map((record) => ({ ...recordsOfKind, record })),
    )

  return {
    open: openRecords,
    add: ({ kind, record }) => openRecords(kind).insert(record),
    forget(expiresBy) {
      const expired = listAll().filter(
        ({ kind, record }) => (kind.expiresAt(record) ?? Number.POSITIVE_INFINITY) <= expiresBy,
      )
      for (const { records, record } of expired) records.delete(record.id)
      return expired.length
    },
    async sealed({ notWith, after, limit }) {
      return listAll()
        .flatMap(({ kind, record: { sealed, ...rest } }) =>
          sealed === undefined ? [] : [{ kind: kind.name, record: { ...rest, sealed } }],
        )
        .filter(
          (sealedRecord) =>
            sealedRecord.record.sealed.keyId !== notWith && (after === undefined || comesBefore(after, sealedRecord)),
        )
        .sort((a, b) => (comesBefore(a, b) ? -1 : 1))
        .slice(0, limit)
    },
    async reseal(records) {
      const written = records.filter(({ kind, record }) => {
        const records = kinds.get(kind)?.records
        if (records?.get(record.id)?.version !== record.version - 1) return false
        records.set(record.id, record)
        return true
      })
      return written.length
    },
  }
}

function openKind<R extends KeptRecord>(
  kind: RecordKind<R>,
  records: Map<string, R>,
  append: (entry: NewEntry) => void,
): Records<R> {
  const appendEntry = (entry: NewEntry | undefined): true => {
    if (entry !== undefined) append(entry)
    return true
  }
  return {
    async insert(newRecord, entry) {
      if (records.has(newRecord.id)) return false
      records.set(newRecord.id, newRecord)
      return appendEntry(entry)
    },
    async replace(next, entry) {
      if (records.get(next.id)?.version !== next.version - 1) return false
      records.set(next.id, next)
      return appendEntry(entry)
    },
    async remove(storedRecord, entry) {
      if (records.get(storedRecord.id)?.version !== storedRecord.version) return false
      records.delete(storedRecord.id)
      return appendEntry(entry)
    },
    get: async (id) => records.get(id),
    async list(query) {
      const matches = [...records.values()].filter((record) => isMatch(record, query, kind))
      const compareById = (a: R, b: R): number => (a.id < b.id ? -1 : 1)
      const compareByDue = (a: R, b: R): number => (kind.dueAt(a) ?? 0) - (kind.dueAt(b) ?? 0) || compareById(a, b)
      return matches.sort("dueBefore" in query ? compareByDue : compareById).slice(0, query.limit)
    },
  }
}

function isMatch<R extends KeptRecord>(record: R, query: RecordQuery, kind: RecordKind<R>): boolean {
  if ("dueBefore" in query) {
    const dueAt = kind.dueAt(record) ?? Number.POSITIVE_INFINITY
    const { dueBefore, after = { dueAt: Number.NEGATIVE_INFINITY, id: "" } } = query
    return dueAt <= dueBefore && (dueAt > after.dueAt || (dueAt === after.dueAt && record.id > after.id))
  }
  if (query.afterId !== undefined && record.id <= query.afterId) return false
  return record.tenant === query.tenant && (query.owner === undefined || kind.owner(record) === query.owner)
}

const comesBefore = (first: SealedRecord, second: SealedRecord): boolean =>
  first.kind === second.kind ? first.record.id < second.record.id : first.kind < second.kind
