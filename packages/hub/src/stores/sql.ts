// The storage over SQL, for SQLite and Postgres. Engines are in the files named after them; this file composes the
// parts around the batch that all writes go through.

import { randomUUID } from "node:crypto"
import { type HoldpointError, isHoldpointError } from "../core/error.ts"
import type { Storage } from "../ports/storage.ts"
import type { TrailQuery } from "../ports/trail.ts"
import { createBatch } from "./batch.ts"
import type { Database, Value } from "./database.ts"
import { createListeners } from "./listeners.ts"
import { assertUsable, migrate } from "./migrations.ts"
import { createRecordOpener } from "./record-opener.ts"
import { fromTrailRow } from "./rows.ts"
import { watchSchema } from "./schema-watch.ts"
import { createSqlRecords } from "./sql-records.ts"
import { createSqlRetention } from "./sql-retention.ts"
import { createSqlStore } from "./sql-store.ts"
import { toStatements } from "./statements.ts"
import { createTail } from "./trail-tail.ts"
import type { Write } from "./writes.ts"
import { toTransaction } from "./writes.ts"

/** What a program can learn of its database. */
export interface SqlStorageOptions {
  /**
   * Called when newer programs have migrated the database by more than one step while this one runs. Nothing is written
   * any more: stop, and run the newer program.
   */
  readonly onTooNew?: ((error: HoldpointError) => void) | undefined
}

export async function createSqlStorage(database: Database, options: SqlStorageOptions = {}): Promise<Storage> {
  await migrate(database)
  const schema = watchSchema({ check: () => assertUsable(database), onTooNew: options.onTooNew ?? (() => {}) })
  const sql = toStatements(database.dialect)
  const listeners = createListeners()
  const newStamp = createStamps()

  const read = async (query: TrailQuery) => {
    const { afterPosition = 0, afterRevision = null, limit } = query
    const columns = (["id", "tenant", "parent"] as const).filter((column) => query[column] !== undefined)
    const values: Value[] = [afterPosition, afterRevision, limit, ...columns.map((column) => query[column] ?? null)]
    return (await database.query(sql.trail(columns), values)).map(fromTrailRow)
  }
  const end = async () => Number((await database.query(sql.trailEnd, []))[0]?.position ?? 0)
  const tail = createTail({ start: await end(), read, notify: listeners.notify })

  const commit = async (writes: readonly Write[]): Promise<void> => {
    try {
      schema.assertKnown()
      const transaction = toTransaction(writes, sql, newStamp)
      const { stored, entries } = transaction.judge(await database.commit(transaction.statements))
      for (const write of writes) write.resolve(stored.has(write))
      if (entries.length > 0) tail.addCommitted(entries)
      schema.noteCommit()
    } catch (error) {
      // The commit may have taken effect nevertheless: waiters in this process must be notified of it.
      if (isConnectionLost(error)) tail.scheduleRead()
      if (writes.length <= 1 || isConnectionLost(error)) for (const write of writes) write.reject(error)
      // One failing write must not make the others fail.
      else for (const write of writes) await commit([write])
    }
  }
  const batch = createBatch(commit)
  const retention = createSqlRetention(database, sql)
  const records = createRecordOpener((kind) => createSqlRecords(kind, { database, sql, batch }))
  let isClosed = false
  const stopListening = database.onForeignCommit(() => {
    tail.scheduleRead()
    schema.noteCommit()
  })
  // Reads the entries that were committed after the end of the trail was read and before listening began.
  tail.scheduleRead()

  return {
    store: createSqlStore({ database, sql, batch, records, position: tail.position }),
    trail: {
      append: (entry) =>
        new Promise((resolve, reject) =>
          batch.add({ kind: "append", keys: [], entry, resolve: () => resolve(), reject }),
        ),
      read,
      end,
      subscribe: listeners.add,
    },
    retention,
    records,
    async close() {
      if (isClosed) return
      isClosed = true
      stopListening()
      schema.stop()
      await batch.drain()
      // Losing read times only keeps answers longer.
      await retention.flush().catch(() => {})
      listeners.clear()
      await tail.stop()
      await database.close()
    },
  }
}

/** Creates short stamps that are unique across all processes and commits. */
function createStamps(): () => string {
  const process = randomUUID()
  let count = 0
  return () => `${process}:${++count}`
}

/**
 * Whether the connection was lost: then it is unknown whether the commit took effect, and a retry could apply it twice.
 */
const isConnectionLost = (error: unknown): boolean => isHoldpointError(error) && error.code === "store_unavailable"
