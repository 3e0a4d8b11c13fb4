// Forgetting in SQL. Notes of reading are collected and written together: they may be lost, answers may not.

import type { Retention } from "../ports/retention.ts"
import type { Database } from "./database.ts"
import type { Statements } from "./statements.ts"
import { forgetPage } from "./statements.ts"

export interface SqlRetention extends Retention {
  /** Writes out the notes that are waiting. */
  flush(): Promise<void>
}

const collectMs = 1_000

export function createSqlRetention(database: Database, sql: Statements): SqlRetention {
  let notes: { id: string; at: number }[] = []
  let timer: NodeJS.Timeout | undefined

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (notes.length === 0) return
    const written = notes
    notes = []
    try {
      await database.commit([{ text: sql.noteRead, rows: written }])
    } catch (error) {
      notes = [...written, ...notes]
      throw error
    }
  }

  return {
    noteRead(id, at) {
      notes.push({ id, at })
      // What fails here is tried again with the next note.
      timer ??= setTimeout(() => void flush().catch(() => {}), collectMs).unref()
    },
    async forget({ contentReadBefore, contentSettledBefore, recordSettledBefore }) {
      await flush()
      const contentRows = [{ read_before: contentReadBefore, settled_before: contentSettledBefore }]
      const recordRows = [{ settled_before: recordSettledBefore }]
      let [contents, records] = [0, 0]
      for (;;) {
        const results = await database.commit([
          { text: sql.forgetContent, rows: contentRows },
          { text: sql.forgetAddressees, rows: recordRows },
          { text: sql.forgetRecords, rows: recordRows },
          { text: sql.forgetTallies, rows: [{}] },
        ])
        const counts = [results[0]?.length ?? 0, results[2]?.length ?? 0] as const
        contents += counts[0]
        records += counts[1]
        if (Math.max(...counts) < forgetPage) return { contents, records }
        // Others get their turn between two pages.
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    },
    flush,
  }
}
