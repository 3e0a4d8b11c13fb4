// A transaction: statements that run together, and a function that reads their results. Pure.

import type { Entry } from "../ports/trail.ts"
import type { Row, Statement } from "./database.ts"

export interface Transaction<Write> {
  readonly statements: readonly Statement[]
  /** Returns which writes took effect and the new trail entries, from the rows of each statement. */
  readonly judge: (results: readonly (readonly Row[])[]) => Judged<Write>
}

export interface Judged<Write> {
  readonly won: ReadonlySet<Write>
  /** The new entries, in order of position. */
  readonly entries: readonly Entry[]
}

/** Joins several transactions into one, which runs them one after another. */
export function joined<Write>(parts: readonly Transaction<Write>[]): Transaction<Write> {
  return {
    statements: parts.flatMap(({ statements }) => statements),
    judge(results) {
      let first = 0
      const judged = parts.map(({ statements, judge }) => {
        const own = results.slice(first, first + statements.length)
        first += statements.length
        return judge(own)
      })
      return {
        won: new Set(judged.flatMap(({ won }) => [...won])),
        entries: judged.flatMap(({ entries }) => entries),
      }
    },
  }
}

/** Returns the entries of the winners, in their order, with the positions that one statement assigned. */
export function toEntries(told: readonly Omit<Entry, "position">[], rows: readonly Row[]): readonly Entry[] {
  const positions = rows.map((row) => Number(row.position)).sort((a, b) => a - b)
  return told.map((entry, index) => ({ ...entry, position: positions[index] ?? 0 }))
}
