// Real SQLite and real Postgres of which one write fails, in each of the ways in which a write can fail.

import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { Storage } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import { createFolder, databaseUrl, type ReusedSchemas } from "@holdpoint/testkit/hub/stores/engines"
import type { Database, InputRow, Statement } from "../../../../packages/hub/src/stores/database.ts"
import { createPostgresDatabase } from "../../../../packages/hub/src/stores/postgres-database.ts"
import { createSqlStorage } from "../../../../packages/hub/src/stores/sql.ts"
import { openSqliteDatabase } from "../../../../packages/hub/src/stores/sqlite-database.ts"

/**
 * `lost`: the connection was cut before the commit. `cut`: it was cut after the commit, so that the write took effect
 * although it was reported as failed. `full`: the disk is full, and nothing was written.
 */
export const failures = ["lost", "cut", "full"] as const
export type Failure = (typeof failures)[number]

export interface FailingStorage {
  readonly storage: Storage
  /** Lets the n-th commit from now fail once; 0 for none. */
  failAt(number: number, failure: Failure): void
  /** What the commits since `failAt` wrote. */
  commits(): readonly string[]
  close(): Promise<void>
}

/** Wraps an engine. Everything but the one failure is the engine's own. */
function withFailure(database: Database): Database & Pick<FailingStorage, "failAt" | "commits"> {
  let written: string[] = []
  let target = { number: 0, failure: "lost" as Failure }
  return {
    ...database,
    failAt(number, failure) {
      written = []
      target = { number, failure }
    },
    commits: () => written,
    async commit(statements) {
      written.push(nameOf(statements))
      const isTarget = written.length === target.number
      if (isTarget && target.failure !== "cut") throw failed(target.failure)
      const results = await database.commit(statements)
      if (isTarget) throw failed(target.failure)
      return results
    },
  }
}

const words: Readonly<Record<Failure, string>> = {
  lost: "The connection was cut before the commit",
  cut: "The connection was cut after the commit",
  full: "The disk is full",
}

const failed = (failure: Failure): HoldpointError => new HoldpointError("store_unavailable", words[failure])

/** Names what a commit writes: the kinds of its records, and the kinds of its trail entries. */
function nameOf(statements: readonly Statement[]): string {
  const names = statements.flatMap(({ rows, text }) => rows.map((row) => nameOfRow(row, /^\s*DELETE/.test(text))))
  return [...new Set(names)].toSorted().join(" + ") || "nothing"
}

function nameOfRow({ kind, record_kind: of, message = null }: InputRow, isRemoval: boolean): string {
  if (kind === undefined) return "question"
  const name = of === undefined || of === null ? String(kind) : `${String(of)} entry`
  return isRemoval ? `${name} removed` : message === null ? name : `${name} ${String(message)}`
}

export async function openFailingSqlite(): Promise<FailingStorage> {
  const folder = await createFolder()
  const database = withFailure(await openSqliteDatabase(join(folder, "hub.db"), 5_000))
  const storage = await createSqlStorage(database)
  return {
    storage,
    failAt: database.failAt,
    commits: database.commits,
    async close() {
      await storage.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function openFailingPostgres(schemas: ReusedSchemas): Promise<FailingStorage> {
  const schema = schemas.take()
  const database = withFailure(createPostgresDatabase({ connectionString: databaseUrl() }, schema))
  const storage = await createSqlStorage(database)
  return {
    storage,
    failAt: database.failAt,
    commits: database.commits,
    async close() {
      await storage.close()
      await schemas.giveBack(schema)
    },
  }
}
