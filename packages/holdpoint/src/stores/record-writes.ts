// Writes of records, as one transaction for all of them.

import type { NewEntry } from "../ports/trail.ts"
import type { InputRow, Row } from "./database.ts"
import type { RecordStatements, RecordTable } from "./record-statements.ts"
import { recordTables } from "./record-statements.ts"
import { toTrailRow } from "./rows.ts"
import type { Transaction } from "./transaction.ts"
import { joined, toEntries } from "./transaction.ts"

/** `row.before` is the version it was made from, null for a record that is new. */
export interface RecordWrite {
  readonly kind: "record"
  readonly step: "insert" | "replace" | "remove"
  readonly table: RecordTable
  readonly row: InputRow & { readonly id: string; readonly before: number | null }
  readonly entry: NewEntry | undefined
  readonly keys: readonly string[]
  readonly done: (isStored: boolean) => void
  readonly failed: (error: unknown) => void
}

export function toRecordTransaction(
  writes: readonly RecordWrite[],
  sql: Readonly<Record<RecordTable, RecordStatements>>,
): Transaction<RecordWrite> {
  const tables = recordTables.filter((table) => writes.some((write) => write.table === table))
  // Postgres keeps a function for each set of statements it has seen: there are to be few such sets.
  const touched = tables.length > 1 ? recordTables : tables
  return joined(
    touched.map((table) =>
      toTableTransaction(
        writes.filter((write) => write.table === table),
        sql[table],
      ),
    ),
  )
}

function toTableTransaction(writes: readonly RecordWrite[], sql: RecordStatements): Transaction<RecordWrite> {
  const rowsOf = (step: RecordWrite["step"]) => writes.filter((write) => write.step === step).map(({ row }) => row)
  return {
    statements: [
      { text: sql.tell, rows: writes.flatMap(toTellRows) },
      { text: sql.insert, rows: rowsOf("insert") },
      { text: sql.replace, rows: rowsOf("replace") },
      { text: sql.remove, rows: rowsOf("remove") },
    ],
    judge([told = [], ...results]) {
      const ids = new Set(results.flat().map((row: Row) => row.id))
      const won = writes.filter(({ row }) => ids.has(row.id))
      const entries = won.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
      return { won: new Set(won), entries: toEntries(entries, told) }
    },
  }
}

const toTellRows = ({ entry, row }: RecordWrite): readonly InputRow[] =>
  entry === undefined ? [] : [{ ...toTrailRow(entry, null), record: row.id, before: row.before }]
