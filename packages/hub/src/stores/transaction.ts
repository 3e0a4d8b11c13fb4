// A transaction: statements that run together, and a function that reads their results. Pure.

import type { Entry } from "../ports/trail.ts"
import type { Row, Statement } from "./database.ts"

export interface Transaction<Write> {
  readonly statements: readonly Statement[]
  /** Returns which writes took effect and the new trail entries, from the rows of each statement. */
  readonly judge: (results: readonly (readonly Row[])[]) => TransactionResult<Write>
}

export interface TransactionResult<Write> {
  readonly stored: ReadonlySet<Write>
  /** The new entries, in order of position. */
  readonly entries: readonly Entry[]
}

/** Joins several transactions into one, which runs them one after another. */
export function joinTransactions<Write>(parts: readonly Transaction<Write>[]): Transaction<Write> {
  return {
    statements: parts.flatMap(({ statements }) => statements),
    judge(results) {
      let offset = 0
      const partResults = parts.map(({ statements, judge }) => {
        const resultsOfPart = results.slice(offset, offset + statements.length)
        offset += statements.length
        return judge(resultsOfPart)
      })
      return {
        stored: new Set(partResults.flatMap(({ stored }) => [...stored])),
        entries: partResults.flatMap(({ entries }) => entries),
      }
    },
  }
}

/** Returns the entries that were stored, in order, with the positions that one statement assigned to them. */
export function toEntries(entries: readonly Omit<Entry, "position">[], rows: readonly Row[]): readonly Entry[] {
  const positions = rows.map((row) => Number(row.position)).sort((a, b) => a - b)
  return entries.map((entry, index) => ({ ...entry, position: positions[index] ?? 0 }))
}
