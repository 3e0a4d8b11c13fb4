// A lock file that one process at a time holds. The system releases the lock when that process ends, in any way.

import { DatabaseSync } from "node:sqlite"

/**
 * Returns the release function; undefined while another process holds the lock. Throws when the file cannot be created.
 */
export function lockFile(file: string): (() => void) | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    // Uses SQLite's lock, because Node has no file locks. Writes no data.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
    return () => lock.close()
  } catch (error) {
    lock.close()
    if ((error as { readonly errcode?: number }).errcode === busyErrorCode) return undefined
    throw error
  }
}

/** SQLite's error code SQLITE_BUSY. */
const busyErrorCode = 5
