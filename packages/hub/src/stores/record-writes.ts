// Turns the writes of records into one transaction.

import type { NewEntry } from "../ports/trail.ts"
import type { InputRow } from "./database.ts"
import type { RecordStatements } from "./record-statements.ts"
import { toTrailRow } from "./rows.ts"
import type { Transaction } from "./transaction.ts"
import { toEntries } from "./transaction.ts"

/** A write of a record. `row.before` is the stored version that the write is based on, null for a new record. */
export interface RecordWrite {
  readonly kind: "record"
  readonly step: "insert" | "replace" | "remove"
  readonly key: string
  readonly row: InputRow & { readonly before: number | null }
  readonly entry: NewEntry | undefined
  readonly keys: readonly string[]
  readonly resolve: (isStored: boolean) => void
  readonly reject: (error: unknown) => void
}

/**
 * Returns a transaction of all four statements, even those without rows, because Postgres keeps a function for each set
 * of statements. Without writes the transaction is empty.
 */
export function toRecordTransaction(writes: readonly RecordWrite[], sql: RecordStatements): Transaction<RecordWrite> {
  if (writes.length === 0) return { statements: [], judge: () => ({ stored: new Set(), entries: [] }) }
  const rowsOf = (step: RecordWrite["step"]) => writes.filter((write) => write.step === step).map(({ row }) => row)
  return {
    statements: [
      { text: sql.appendEntries, rows: writes.flatMap(toEntryRows) },
      { text: sql.insert, rows: rowsOf("insert") },
      { text: sql.replace, rows: rowsOf("replace") },
      { text: sql.remove, rows: rowsOf("remove") },
    ],
    judge([positions = [], ...results]) {
      const writtenKeys = new Set(results.flat().map(({ key }) => key))
      const storedWrites = writes.filter(({ key }) => writtenKeys.has(key))
      const entries = storedWrites.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
      return { stored: new Set(storedWrites), entries: toEntries(entries, positions) }
    },
  }
}

/** A unique text for each record. Names of kinds contain no space. */
export const keyOfRow = ({ kind, id }: InputRow): string => `${kind} ${id}`

const toEntryRows = ({ entry, row }: RecordWrite): readonly InputRow[] => {
  const { kind: record_kind = null, id: record_id = null, before } = row
  return entry === undefined ? [] : [{ ...toTrailRow(entry, null), record_kind, record_id, before }]
}
