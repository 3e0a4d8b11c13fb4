// Records in SQL: every write goes through the batch, every read is one statement.

import { isStorable } from "../core/characters.ts"
import type { KeptRecord, RecordKind, RecordQuery, Records } from "../ports/records.ts"
import type { NewEntry } from "../ports/trail.ts"
import type { Batch } from "./batch.ts"
import { createBatchedGet } from "./batched-get.ts"
import type { Database, Value } from "./database.ts"
import type { RecordStatements } from "./record-statements.ts"
import type { RecordWrite } from "./record-writes.ts"
import { keyOfRow } from "./record-writes.ts"
import { fromRecordRow, toRecordRow } from "./rows.ts"

export interface RecordParts {
  readonly database: Database
  readonly sql: { readonly records: RecordStatements }
  readonly batch: Batch<RecordWrite>
}

export function createSqlRecords<R extends KeptRecord>(
  kind: RecordKind<R>,
  { database, sql: { records: sql }, batch }: RecordParts,
): Records<R> {
  const write = (step: RecordWrite["step"], record: R, before: number | null, entry: NewEntry | undefined) =>
    new Promise<boolean>((resolve, reject) => {
      const row = { ...toRecordRow(kind, record), before }
      const key = keyOfRow(row)
      batch.add({ kind: "record", step, key, row, entry, keys: [key], resolve, reject })
    })

  return {
    insert: (newRecord, entry) => write("insert", newRecord, null, entry),
    replace: (next, entry) => write("replace", next, next.version - 1, entry),
    remove: (storedRecord, entry) => write("remove", storedRecord, storedRecord.version, entry),
    get: createBatchedGet(async (ids) => {
      const rows = await database.query(sql.get, [kind.name, JSON.stringify(ids)])
      return new Map(rows.map((row) => [String(row.id), fromRecordRow<R>(row)]))
    }),
    async list(query) {
      const { text, values } = listStatement(query, sql)
      // Postgres cannot store text with a null character or half a surrogate pair, so no record matches it.
      if (!values.every((value) => typeof value !== "string" || isStorable(value))) return []
      return (await database.query(text, [kind.name, ...values])).map((row) => fromRecordRow<R>(row))
    },
  }
}

function listStatement(query: RecordQuery, sql: RecordStatements): { text: string; values: readonly Value[] } {
  if ("dueBefore" in query) {
    const { dueAt, id } = query.after ?? { dueAt: Number.MIN_SAFE_INTEGER, id: "" }
    return { text: sql.listDue, values: [query.limit, query.dueBefore, dueAt, id] }
  }
  const { tenant, owner, limit } = query
  // Ids are never empty, so "" is before all of them.
  const page = [limit, query.afterId ?? "", tenant]
  return owner === undefined
    ? { text: sql.listTenant, values: page }
    : { text: sql.listOwner, values: [...page, owner] }
}
