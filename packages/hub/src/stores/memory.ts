// A storage in memory: for tests, for a single run, and as the simplest implementation of a store.

import type { Elicitation } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import { addresseeKeysOf, escalationKeysOf, keysOfPrincipal } from "../core/principal.ts"
import { uniqueKeyOf } from "../core/question.ts"
import type { Retention } from "../ports/retention.ts"
import type { Storage } from "../ports/storage.ts"
import type { ListQuery, Store } from "../ports/store.ts"
import type { Entry, NewEntry, Trail, TrailQuery } from "../ports/trail.ts"
import { createDeadlines, type Deadline } from "./deadlines.ts"
import { createListeners } from "./listeners.ts"
import { createMemoryRecords } from "./memory-records.ts"

/**
 * Creates a storage in memory, which is gone when the process ends: for tests, and for questions that need not survive.
 */
export function createMemoryStorage(): Storage {
  const records = new Map<string, Elicitation>()
  const idsByClaim = new Map<string, string>()
  const readAt = new Map<string, number>()
  const openByAddressee = createIdIndex()
  const openInTenant = new Map<string, number>()
  const deadlines = createDeadlines()
  const entries: Entry[] = []
  const listeners = createListeners()

  const append = (entry: NewEntry): void => {
    const storedEntry = { ...entry, position: entries.length + 1 }
    entries.push(storedEntry)
    listeners.notify([storedEntry])
  }

  const memoryRecords = createMemoryRecords(append)

  const count = (elicitation: Elicitation, change: 1 | -1): void => {
    openInTenant.set(elicitation.tenant, (openInTenant.get(elicitation.tenant) ?? 0) + change)
    for (const key of indexKeys(elicitation)) openByAddressee[change === 1 ? "add" : "remove"](key, elicitation.id)
  }

  const isFullFor = (elicitation: Elicitation, perPerson: number): boolean =>
    elicitation.audience.kind !== "role" &&
    indexKeys(elicitation).some((key) => openByAddressee.idsIn(key).length >= perPerson)

  const store: Store = {
    async insert(elicitation, entry, { limits, beside = [] }) {
      for (const { kind } of beside) memoryRecords.open(kind)
      const claim = uniqueKeyOf(elicitation)
      const existing = records.get(claim === undefined ? elicitation.id : (idsByClaim.get(claim) ?? elicitation.id))
      if (existing !== undefined) return { stored: false, existing }
      if ((openInTenant.get(elicitation.tenant) ?? 0) >= limits.perTenant) return { stored: false, full: "tenant" }
      if (isFullFor(elicitation, limits.perPerson)) return { stored: false, full: "person" }
      records.set(elicitation.id, elicitation)
      if (claim !== undefined) idsByClaim.set(claim, elicitation.id)
      count(elicitation, 1)
      deadlines.push({ time: elicitation.expiresAt, id: elicitation.id })
      append(entry)
      await Promise.all(beside.map(memoryRecords.add))
      return { stored: true }
    },
    async replace(next, entry) {
      const current = records.get(next.id)
      if (current === undefined || current.revision !== next.revision - 1) return false
      records.set(next.id, next)
      if (next.expiresAt !== current.expiresAt) deadlines.push({ time: next.expiresAt, id: next.id })
      if (next.escalatedTo !== current.escalatedTo)
        for (const key of escalationKeys(next)) openByAddressee.add(key, next.id)
      if (isSettled(next.status)) {
        count(next, -1)
        for (const key of escalationKeys(next)) openByAddressee.remove(key, next.id)
        const claim = uniqueKeyOf(next)
        if (claim !== undefined && next.keyReuse === "open") idsByClaim.delete(claim)
      }
      append(entry)
      return true
    },
    async get(id) {
      return records.get(id)
    },
    async list(query) {
      return listElicitations(query, records, openByAddressee)
    },
    async due(now, limit) {
      const isCurrent = ({ time, id }: Deadline): boolean => {
        const record = records.get(id)
        return record !== undefined && !isSettled(record.status) && record.expiresAt === time
      }
      const overdue: Elicitation[] = []
      for (let deadline = deadlines.peek(); deadline !== undefined; deadline = deadlines.peek()) {
        if (isCurrent(deadline) && (deadline.time > now || overdue.length === limit)) break
        deadlines.pop()
        if (isCurrent(deadline)) overdue.push(records.get(deadline.id) as Elicitation)
      }
      const nextDeadline = deadlines.peek()?.time
      for (const { expiresAt, id } of overdue) deadlines.push({ time: expiresAt, id })
      return { overdue, next: nextDeadline }
    },
  }

  const trail: Trail = {
    async append(entry) {
      append(entry)
    },
    async read(query) {
      return readEntries(query, entries)
    },
    async end() {
      return entries.length
    },
    subscribe: listeners.add,
  }

  const retention: Retention = {
    noteRead(id, time) {
      if (!readAt.has(id)) readAt.set(id, time)
    },
    async forget(cutoffs) {
      let contents = 0
      let questions = 0
      for (const [id, record] of records) {
        const { settledAt, content, ...rest } = record
        if (settledAt === undefined) continue
        if (settledAt < cutoffs.questionSettledBefore) {
          records.delete(id)
          readAt.delete(id)
          const claim = uniqueKeyOf(record)
          if (claim !== undefined && idsByClaim.get(claim) === id) idsByClaim.delete(claim)
          questions++
        } else if (
          content !== undefined &&
          (settledAt < cutoffs.contentSettledBefore || (readAt.get(id) ?? Infinity) < cutoffs.contentReadBefore)
        ) {
          records.set(id, { ...rest, settledAt } as Elicitation)
          contents++
        }
      }
      return { contents, questions, records: memoryRecords.forget(cutoffs.recordExpiresBy) }
    },
    sealed: memoryRecords.sealed,
    reseal: memoryRecords.reseal,
  }

  return {
    store,
    trail,
    retention,
    records: memoryRecords.open,
    close: async () => listeners.clear(),
  }
}

const indexKeys = (elicitation: Elicitation): readonly string[] =>
  addresseeKeysOf(elicitation.audience).map((addressee) => indexKey(elicitation.tenant, addressee))

const escalationKeys = (elicitation: Elicitation): readonly string[] =>
  escalationKeysOf(elicitation).map((addressee) => indexKey(elicitation.tenant, addressee))

// The addressee is JSON and contains no line break.
const indexKey = (tenant: string, addressee: string): string => `${addressee}\n${tenant}`

function listElicitations(
  query: ListQuery,
  records: ReadonlyMap<string, Elicitation>,
  openByAddressee: IdIndex,
): readonly Elicitation[] {
  const { principal } = query
  const keys =
    principal === undefined
      ? undefined
      : keysOfPrincipal(principal).map((addressee) => indexKey(query.tenant, addressee))
  if (principal !== undefined && principal.tenant !== query.tenant) return []
  const comesFirst: typeof isBefore = query.order === "newest" ? (a, b) => isBefore(b, a) : isBefore
  const candidates =
    keys !== undefined && query.state === "open"
      ? [...new Set(keys.flatMap((key) => openByAddressee.idsIn(key)))].map((id) => records.get(id) as Elicitation)
      : [...records.values()]
  return candidates
    .filter((record) => record.tenant === query.tenant)
    .filter((record) => query.parent === undefined || record.parent === query.parent)
    .filter((record) => query.state === "all" || isSettled(record.status) === (query.state === "settled"))
    .filter(
      (record) =>
        keys === undefined || [...indexKeys(record), ...escalationKeys(record)].some((key) => keys.includes(key)),
    )
    .filter((record) => query.after === undefined || comesFirst(query.after, record))
    .sort((a, b) => (comesFirst(a, b) ? -1 : 1))
    .slice(0, query.limit)
}

/** The ids by key. Most people have one open question, so a single id is stored without a list. */
interface IdIndex {
  add(key: string, id: string): void
  remove(key: string, id: string): void
  idsIn(key: string): readonly string[]
}

function createIdIndex(): IdIndex {
  const idsByKey = new Map<string, string | Set<string>>()
  return {
    add(key, id) {
      const ids = idsByKey.get(key)
      if (ids === undefined) idsByKey.set(key, id)
      else if (typeof ids === "string") idsByKey.set(key, new Set([ids, id]))
      else ids.add(id)
    },
    remove(key, id) {
      const ids = idsByKey.get(key)
      if (ids === id || (typeof ids === "object" && ids.size === 1)) idsByKey.delete(key)
      else if (typeof ids === "object") ids.delete(id)
    },
    idsIn(key) {
      const ids = idsByKey.get(key)
      return ids === undefined ? [] : typeof ids === "string" ? [ids] : [...ids]
    },
  }
}

const isBefore = (a: { createdAt: number; id: string }, b: { createdAt: number; id: string }): boolean =>
  a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt

function readEntries(query: TrailQuery, entries: readonly Entry[]): readonly Entry[] {
  const matches: Entry[] = []
  for (let index = query.afterPosition ?? 0; index < entries.length && matches.length < query.limit; index++) {
    const entry = entries[index] as Entry
    if (query.id !== undefined && entry.id !== query.id) continue
    if (query.tenant !== undefined && entry.tenant !== query.tenant) continue
    if (query.parent !== undefined && entry.parent !== query.parent) continue
    if (query.afterRevision !== undefined && (entry.revision ?? 0) <= query.afterRevision) continue
    matches.push(entry)
  }
  return matches
}
