// A file that one process at a time has hold of. The system lets go of it when that process ends, however it ends.

import { DatabaseSync } from "node:sqlite"

/** Gives what lets go of it; undefined while somebody else holds it. Throws where such a file cannot be made. */
export function lockFile(file: string): (() => void) | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    // Nothing is ever written: SQLite's lock is all that is wanted of it, since Node has none of its own.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
    return () => lock.close()
  } catch (error) {
    lock.close()
    if ((error as { readonly errcode?: number }).errcode === busy) return undefined
    throw error
  }
}

/** SQLITE_BUSY. */
const busy = 5
