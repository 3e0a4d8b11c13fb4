// @holdpoint/hub/postgres: storage for more than one machine. `pg` is loaded when a database is opened.

import { HoldpointError } from "../core/error.ts"
import { loadPeer } from "../core/peer.ts"
import type { Storage } from "../ports/storage.ts"
import type { SqlStorageOptions } from "./sql.ts"
import { createSqlStorage } from "./sql.ts"

/** The options of `openPostgres`. */
export interface PostgresOptions extends SqlStorageOptions {
  /** The Postgres schema that holds the tables; several Holdpoints can share a database. */
  readonly schema?: string
}

/** Opens a storage in Postgres, and creates its tables. Any number of processes and machines may share it. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Storage> {
  const schema = options.schema ?? "holdpoint"
  if (!/^[a-z_][a-z0-9_]{0,47}$/.test(schema)) {
    const message = `“${schema}” cannot be the schema: use lower-case letters, digits and _, at most 48.`
    throw new HoldpointError("invalid_config", message)
  }
  // Keep-alives and timeouts detect a connection that was lost silently.
  const limits = {
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 10_000,
    query_timeout: 30_000,
  }
  const { createPostgresDatabase } = await loadPeer("pg", () => import("./postgres-database.ts"))
  const database = createPostgresDatabase({ connectionString: url, application_name: "holdpoint", ...limits }, schema)
  try {
    return await createSqlStorage(database, options)
  } catch (error) {
    await database.close()
    throw error
  }
}
