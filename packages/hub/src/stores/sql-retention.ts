// Retention in SQL. The times at which answers were read are collected and written together. A crash may lose these
// times, but never an answer.

import type { Retention } from "../ports/retention.ts"
import type { Database } from "./database.ts"
import { fromRecordRow, toSealRow } from "./rows.ts"
import type { Statements } from "./statements.ts"
import { forgetPage } from "./statements.ts"

export interface SqlRetention extends Retention {
  /** Writes the collected read times. */
  flush(): Promise<void>
}

const collectMs = 1_000

/** The most read times written in one commit, so that other writes do not wait long. */
const mostReadTimes = 500

export function createSqlRetention(database: Database, sql: Statements): SqlRetention {
  let readTimes: { id: string; at: number }[] = []
  let timer: NodeJS.Timeout | undefined

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    while (readTimes.length > 0) {
      const page = readTimes.splice(0, mostReadTimes)
      try {
        await database.commit([{ text: sql.noteRead, rows: page }])
      } catch (error) {
        readTimes = [...page, ...readTimes]
        throw error
      }
    }
  }

  return {
    noteRead(id, at) {
      readTimes.push({ id, at })
      // A failed write is retried with the next read time.
      timer ??= setTimeout(() => void flush().catch(() => {}), collectMs).unref()
    },
    async forget(cutoffs) {
      await flush()
      const contentRows = [{ read_before: cutoffs.contentReadBefore, settled_before: cutoffs.contentSettledBefore }]
      const questionRows = [{ settled_before: cutoffs.questionSettledBefore }]
      let [contents, questions, records] = [0, 0, 0]
      for (;;) {
        const results = await database.commit([
          { text: sql.forgetContent, rows: contentRows },
          { text: sql.forgetAddressees, rows: questionRows },
          { text: sql.forgetQuestions, rows: questionRows },
          { text: sql.forgetExpired, rows: [{ expires_by: cutoffs.recordExpiresBy }] },
        ])
        const counts = results.map(({ length }) => length)
        contents += counts[0] ?? 0
        questions += counts[2] ?? 0
        records += counts[3] ?? 0
        if (Math.max(...counts) < forgetPage) return { contents, questions, records }
        // Other writes can be committed between two pages.
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    },
    async sealed({ notWith, after, limit }) {
      // Kinds and ids are never empty, so "" is before all of them.
      const from = [after?.kind ?? "", after?.record.id ?? ""]
      const rows = await database.query(sql.records.listSealed, [...from, notWith, limit])
      return rows.map((row) => ({ kind: String(row.kind), record: fromRecordRow(row) }))
    },
    async reseal(records) {
      const [done] = await database.commit([{ text: sql.records.reseal, rows: records.map(toSealRow) }])
      return done?.length ?? 0
    },
    flush,
  }
}
