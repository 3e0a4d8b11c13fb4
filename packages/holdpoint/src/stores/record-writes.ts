// Writes of records, as one transaction for all of them.

import type { NewEntry } from "../ports/trail.ts"
import type { InputRow } from "./database.ts"
import type { RecordStatements } from "./record-statements.ts"
import { toTrailRow } from "./rows.ts"
import type { Transaction } from "./transaction.ts"
import { toEntries } from "./transaction.ts"

/** `row.before` is the version it was made from, null for a record that is new. */
export interface RecordWrite {
  readonly kind: "record"
  readonly step: "insert" | "replace" | "remove"
  readonly key: string
  readonly row: InputRow & { readonly before: number | null }
  readonly entry: NewEntry | undefined
  readonly keys: readonly string[]
  readonly done: (isStored: boolean) => void
  readonly failed: (error: unknown) => void
}

/** All four statements, even those without rows: Postgres keeps a function for each set of statements it has seen. */
export function toRecordTransaction(writes: readonly RecordWrite[], sql: RecordStatements): Transaction<RecordWrite> {
  if (writes.length === 0) return { statements: [], judge: () => ({ won: new Set(), entries: [] }) }
  const rowsOf = (step: RecordWrite["step"]) => writes.filter((write) => write.step === step).map(({ row }) => row)
  return {
    statements: [
      { text: sql.tell, rows: writes.flatMap(toTellRows) },
      { text: sql.insert, rows: rowsOf("insert") },
      { text: sql.replace, rows: rowsOf("replace") },
      { text: sql.remove, rows: rowsOf("remove") },
    ],
    judge([told = [], ...results]) {
      const written = new Set(results.flat().map(({ key }) => key))
      const won = writes.filter(({ key }) => written.has(key))
      const entries = won.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
      return { won: new Set(won), entries: toEntries(entries, told) }
    },
  }
}

/** One text for each record. No name of a kind has a space. */
export const keyOfRow = ({ kind, id }: InputRow): string => `${kind} ${id}`

const toTellRows = ({ entry, row }: RecordWrite): readonly InputRow[] => {
  const { kind: record_kind = null, id: record_id = null, before } = row
  return entry === undefined ? [] : [{ ...toTrailRow(entry, null), record_kind, record_id, before }]
}
