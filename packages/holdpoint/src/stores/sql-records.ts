// Records in SQL: every write goes through the batch, every read is one statement.

import { isStorable } from "../core/characters.ts"
import type { Filing, KeptRecord, RecordQuery, Records } from "../ports/records.ts"
import type { NewEntry } from "../ports/trail.ts"
import type { Batch } from "./batch.ts"
import type { Database, Value } from "./database.ts"
import { createGets } from "./gets.ts"
import type { RecordStatements, RecordTable } from "./record-statements.ts"
import type { RecordWrite } from "./record-writes.ts"
import { fromRecordRow, toRecordRow } from "./rows.ts"
import type { Statements } from "./statements.ts"

export interface RecordParts {
  readonly database: Database
  readonly sql: Statements
  readonly batch: Batch<RecordWrite>
}

export function createSqlRecords<R extends KeptRecord>(
  table: RecordTable,
  filing: Filing<R>,
  { database, sql, batch }: RecordParts,
): Records<R> {
  const statements = sql.records[table]

  const write = (step: RecordWrite["step"], record: R, before: number | null, entry: NewEntry | undefined) =>
    new Promise<boolean>((done, failed) => {
      const row = { ...toRecordRow(record, filing), id: record.id, before }
      batch.add({ kind: "record", step, table, row, entry, keys: [`${table} ${record.id}`], done, failed })
    })

  return {
    insert: (first, entry) => write("insert", first, null, entry),
    replace: (next, entry) => write("replace", next, next.version - 1, entry),
    remove: (last, entry) => write("remove", last, last.version, entry),
    get: createGets(async (ids) => {
      const rows = await database.query(statements.get, [JSON.stringify(ids)])
      return new Map(rows.map((row) => [String(row.id), fromRecordRow<R>(row)]))
    }),
    async list(query) {
      const { text, values } = listStatement(query, statements)
      // Postgres takes no such text, so nothing is filed under it.
      if (!values.every((value) => typeof value !== "string" || isStorable(value))) return []
      return (await database.query(text, values)).map((row) => fromRecordRow<R>(row))
    },
  }
}

function listStatement(query: RecordQuery, sql: RecordStatements): { text: string; values: readonly Value[] } {
  if ("dueBefore" in query) return { text: sql.listDue, values: [query.limit, query.dueBefore] }
  // No id is empty.
  const page = [query.limit, query.afterId ?? ""]
  if ("notSealedWith" in query) return { text: sql.listNotSealedWith, values: [...page, query.notSealedWith] }
  const { tenant, owner } = query
  if (owner === undefined) return { text: sql.listTenant, values: [...page, tenant] }
  return { text: sql.listOwner, values: [...page, tenant, owner] }
}
