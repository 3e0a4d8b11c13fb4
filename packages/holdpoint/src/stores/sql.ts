// The one store over SQL, for SQLite and Postgres alike. Engines are in the files named after them.

import { randomUUID } from "node:crypto"
import type { Elicitation } from "../core/elicitation.ts"
import { isHoldpointError } from "../core/error.ts"
import { addresseeKeysOf } from "../core/principal.ts"
import { claimOf } from "../core/question.ts"
import type { Storage } from "../ports/storage.ts"
import type { Inserted, ListQuery, PendingLimits, Store } from "../ports/store.ts"
import type { NewEntry, TrailQuery } from "../ports/trail.ts"
import { createBatch } from "./batch.ts"
import type { Database, Value } from "./database.ts"
import { createListeners } from "./listeners.ts"
import { migrate } from "./migrations.ts"
import { fromRow, fromTrailRow, talliesOf } from "./rows.ts"
import type { Statements } from "./statements.ts"
import { toStatements } from "./statements.ts"
import { createTail } from "./tail.ts"
import type { Write } from "./writes.ts"
import { toTransaction } from "./writes.ts"

/** How long notes of reading are collected before they are written together. */
const readNotesMs = 1_000

export async function createSqlStorage(database: Database): Promise<Storage> {
  await migrate(database)
  const sql = toStatements(database.dialect)
  const listeners = createListeners()
  const newStamp = createStamps()
  let reads: { id: string; at: number }[] = []
  let readsTimer: NodeJS.Timeout | undefined

  const commit = async (writes: readonly Write[]): Promise<void> => {
    try {
      const transaction = toTransaction(writes, sql, newStamp)
      const { won, entries } = transaction.judge(await database.commit(transaction.statements))
      for (const write of writes) write.done(won.has(write))
      if (entries.length > 0) tail.committed(entries)
    } catch (error) {
      // The commit may have taken effect all the same: those who wait here must hear of it.
      if (isConnectionLost(error)) tail.pull()
      if (writes.length <= 1 || isConnectionLost(error)) for (const write of writes) write.failed(error)
      // One bad write must not take its neighbours with it.
      else for (const write of writes) await commit([write])
    }
  }
  const batch = createBatch<Write>(commit)
  /** Failing keeps the notes for the next time; losing them only keeps content longer. */
  const writeReads = async (): Promise<void> => {
    clearTimeout(readsTimer)
    readsTimer = undefined
    if (reads.length === 0) return
    const notes = reads
    reads = []
    try {
      await database.commit([{ text: sql.noteRead, rows: notes }])
    } catch (error) {
      reads = [...notes, ...reads]
      throw error
    }
  }
  const gets = createGets(async (ids) => {
    const rows = await database.query(sql.get, [JSON.stringify(ids)])
    return new Map(rows.map((row) => [String(row.id), fromRow(row)]))
  })

  const insertOnce = (next: Elicitation, entry: NewEntry, limits: PendingLimits) =>
    new Promise<boolean>((done, failed) => {
      const claim = claimOf(next)
      batch.add({
        kind: "insert",
        keys: claim === undefined ? [next.id] : [next.id, claim],
        next,
        entry,
        limits,
        done,
        failed,
      })
    })

  /** Why an insert was not stored; undefined when the reason is gone again. */
  const obstacle = async (next: Elicitation, limits: PendingLimits): Promise<Inserted | undefined> => {
    const claim = claimOf(next)
    const [existing] = claim === undefined ? [] : await database.query(sql.claimed, [claim])
    if (existing !== undefined) return { stored: false, existing: fromRow(existing) }
    const sameId = await gets(next.id)
    if (sameId !== undefined) return { stored: false, existing: sameId }
    const keys = talliesOf(next)
    const rows = await database.query(sql.tally, [next.tenant, JSON.stringify(keys)])
    const full = rows.map((row) => ({ who: String(row.who), pending: Number(row.pending) }))
    if (limits.perTenant <= 0 || full.some(({ who, pending }) => who === "" && pending >= limits.perTenant))
      return { stored: false, full: "tenant" }
    if (limits.perPerson <= 0 || full.some(({ who, pending }) => who !== "" && pending >= limits.perPerson))
      return { stored: false, full: "person" }
    return undefined
  }

  const store: Store = {
    async insert(first, entry, limits) {
      for (;;) {
        if (await insertOnce(first, entry, limits)) return { stored: true }
        const why = await obstacle(first, limits)
        if (why !== undefined) return why
      }
    },
    replace: (next, entry) =>
      new Promise((done, failed) => batch.add({ kind: "replace", keys: [next.id], next, entry, done, failed })),
    get: gets,
    async list(query) {
      const { text, values } = listStatement(query, sql)
      return (await database.query(text, values)).map(fromRow)
    },
    async due(now, limit) {
      const overdue = (await database.query(sql.due, [now, limit])).map(fromRow)
      const isCut = overdue.length === limit
      const [row] = isCut ? [] : await database.query(sql.nextDue, [now])
      const next = isCut ? overdue.at(-1)?.expiresAt : (row?.next ?? undefined)
      return { overdue, next: next === undefined ? undefined : Number(next) }
    },
  }

  const readTrail = async (query: TrailQuery) => {
    const by = query.id !== undefined ? "id" : query.tenant !== undefined ? "tenant" : "all"
    const values: Value[] = [
      query.id ?? query.tenant ?? null,
      query.afterPosition ?? 0,
      query.afterRevision ?? null,
      query.limit,
    ]
    return (await database.query(sql.trail(by), values)).map(fromTrailRow)
  }
  const trailEnd = async () => Number((await database.query(sql.trailEnd, []))[0]?.position ?? 0)
  const tail = createTail({ start: await trailEnd(), read: readTrail, tell: listeners.tell })
  const stopListening = database.onForeignCommit(tail.pull)
  // What was committed between reading the end and listening.
  tail.pull()

  return {
    store,
    trail: {
      append: (entry) =>
        new Promise((done, failed) => batch.add({ kind: "append", keys: [], entry, done: () => done(), failed })),
      read: readTrail,
      end: trailEnd,
      subscribe: listeners.add,
    },
    retention: {
      noteRead(id, at) {
        reads.push({ id, at })
        readsTimer ??= setTimeout(() => void writeReads().catch(() => {}), readNotesMs).unref()
      },
      async forget({ contentReadBefore, contentSettledBefore, recordSettledBefore }) {
        await writeReads()
        const rows = [
          { read_before: contentReadBefore, settled_before: contentSettledBefore },
          { settled_before: recordSettledBefore },
        ] as const
        const [contents, , records] = await database.commit([
          { text: sql.forgetContent, rows: [rows[0]] },
          { text: sql.forgetAddressees, rows: [rows[1]] },
          { text: sql.forgetRecords, rows: [rows[1]] },
          { text: sql.forgetTallies, rows: [{}] },
        ])
        return { contents: contents?.length ?? 0, records: records?.length ?? 0 }
      },
    },
    async close() {
      stopListening()
      await batch.drain()
      await writeReads().catch(() => {})
      listeners.clear()
      await tail.idle()
      await database.close()
    },
  }
}

function listStatement(query: ListQuery, sql: Statements): { text: string; values: readonly Value[] } {
  const { tenant, principal, state, limit, after } = query
  const values: Value[] = [tenant, after?.createdAt ?? null, after?.id ?? null, limit]
  if (principal === undefined) return { text: sql.listTenant(state), values }
  // A principal of another tenant has no questions here, whatever keys it would be filed under.
  const keys = principal.tenant === tenant ? addresseeKeysOf(principal) : []
  return { text: sql.listAddressee(state), values: [...values, JSON.stringify(keys)] }
}

/** Reads that are asked for in one turn of the event loop are one query. */
function createGets(read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Elicitation>>): Store["get"] {
  let waiting: Promise<ReadonlyMap<string, Elicitation>> | undefined
  let ids = new Set<string>()
  return async (id) => {
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

/** Unique over all processes and commits, and short. */
function createStamps(): () => string {
  const process = randomUUID()
  let count = 0
  return () => `${process}:${++count}`
}

/** Then nobody knows whether the commit took effect, and trying again could do it twice. */
const isConnectionLost = (error: unknown): boolean => isHoldpointError(error) && error.code === "store_unavailable"
