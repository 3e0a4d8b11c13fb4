// A Postgres database through `pg`. A commit is one function call and one round trip; it takes an advisory lock first,
// so that commits never overlap and the trail is in commit order.

import type { ClientConfig, QueryConfig } from "pg"
import type { Database, Row, Value } from "./database.ts"
import { createConnection, toStorageError } from "./postgres-connection.ts"
import { dialectOf, singleRowTextsOf } from "./postgres-dialect.ts"
import { createProcedures } from "./postgres-procedure.ts"

/** The first key of the advisory locks that listening processes share: "HOLD". */
const applicationId = 0x484f4c44

/** The time limit of migrations: an index on millions of rows takes minutes, while other processes wait. */
const migrationMs = 60 * 60 * 1_000

export function createPostgresDatabase(config: ClientConfig, schema: string): Database {
  const callbacks = new Set<() => void>()
  const channel = `holdpoint_${schema}`
  const lock = `pg_advisory_xact_lock(hashtext('holdpoint:${schema}'))`
  // Each listening process shares this lock. A commit that gets the lock alone has no other process to notify. A
  // process that starts to listen meanwhile waits for the commit, then reads it. Two-key locks never conflict with
  // one-key locks.
  const listeners = `${applicationId}, hashtext('holdpoint:${schema}')`
  const start = `SELECT pg_advisory_lock_shared(${listeners}); LISTEN ${channel}`
  const notify = `CASE WHEN NOT pg_try_advisory_xact_lock(${listeners}) THEN pg_notify('${channel}', '') END`
  const onWake = (): void => {
    for (const callback of callbacks) callback()
  }
  const writer = createConnection(config, { start, onWake })
  const reader = createConnection(config)
  const procedures = createProcedures({ firstCall: lock, lastCall: notify, singleRowTexts: singleRowTextsOf(schema) })
  let commits: Promise<unknown> = Promise.resolve()

  const commitOnce: Database["commit"] = async (statements) => {
    const client = await writer.get()
    try {
      const { call, valuesOf, resultsOf } = await procedures.getProcedure(client, statements)
      const { rows } = await client.query(writer.prepared(call, valuesOf(statements)))
      return resultsOf(rows, statements)
    } catch (error) {
      throw toStorageError(error)
    }
  }

  return {
    dialect: dialectOf(schema),
    async query(text, values) {
      const client = await reader.get()
      try {
        return (await client.query(reader.prepared(text, values))).rows as Row[]
      } catch (error) {
        throw toStorageError(error)
      }
    },
    commit(statements) {
      const committed = commits.then(() => commitOnce(statements))
      commits = committed.catch(() => {})
      return committed
    },
    async runExclusively(work) {
      const client = await writer.get()
      const run = async (text: string, values: readonly Value[] = []): Promise<readonly Row[]> =>
        (await client.query({ text, values: [...values], query_timeout: migrationMs } as QueryConfig)).rows
      try {
        await run("BEGIN")
        await run(`SELECT ${lock}`)
        // Checked first, because creating a schema needs privileges that a program which only uses the tables may not
        // have.
        const existing = await run("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema])
        if (existing.length === 0) await run(`CREATE SCHEMA ${schema}`)
        await work(run)
        await run("COMMIT")
      } catch (error) {
        await writer.discard(client)
        throw toStorageError(error)
      }
    },
    onForeignCommit(callback) {
      callbacks.add(callback)
      return () => callbacks.delete(callback)
    },
    async close() {
      await commits
      await Promise.all([writer.close(), reader.close()])
    },
  }
}
