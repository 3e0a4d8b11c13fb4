// @holdpoint/hub/sqlite: storage for the processes of one machine, in one file.

import { HoldpointError } from "../core/error.ts"
import type { Storage } from "../ports/storage.ts"
import type { SqlStorageOptions } from "./sql.ts"
import { createSqlStorage } from "./sql.ts"
import { openSqliteDatabase } from "./sqlite-database.ts"

/** The options of `openSqlite`. */
export interface SqliteOptions extends SqlStorageOptions {
  /** How long to wait while another process writes. */
  readonly busyMs?: number
}

/**
 * Opens a storage in one SQLite file, and creates it if it does not exist. Several processes of one machine may share
 * it.
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Storage> {
  if (path === "" || path.startsWith(":memory:") || path.startsWith("file:")) {
    const message = `“${path}” is not a file path. Name one, or use createMemoryStorage() to keep nothing.`
    throw new HoldpointError("invalid_config", message)
  }
  const database = await openSqliteDatabase(path, options.busyMs ?? 5_000)
  try {
    return await createSqlStorage(database, options)
  } catch (error) {
    await database.close()
    throw error
  }
}
