// The times at which answers were read are written together, in commits that are short enough for other writes.

import { databaseUrl, newSchema, runSql } from "@holdpoint/testkit/hub/stores/engines"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { Database } from "../../src/stores/database.ts"
import { createPostgresDatabase } from "../../src/stores/postgres-database.ts"
import { createSqlStorage } from "../../src/stores/sql.ts"
import { createSqlRetention } from "../../src/stores/sql-retention.ts"
import { toStatements } from "../../src/stores/statements.ts"

let schema: string
let database: Database

beforeEach(async () => {
  schema = newSchema()
  database = createPostgresDatabase({ connectionString: databaseUrl() }, schema)
  // Creates the tables.
  await createSqlStorage(database)
})

afterEach(async () => {
  await database.close()
  await runSql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
})

test("many read times are written in several commits, and another write need not wait for all of them", async () => {
  const order: string[] = []
  const observed: Database = {
    ...database,
    async commit(statements) {
      const results = await database.commit(statements)
      order.push(`${statements[0]?.rows.length} read times`)
      return results
    },
  }
  const retention = createSqlRetention(observed, toStatements(database.dialect))
  for (let index = 0; index < 1_200; index++) retention.noteRead(`question ${index}`, index)
  const flushed = retention.flush()
  await Promise.all([flushed, database.commit([]).then(() => order.push("another write"))])
  expect(order).toEqual(["500 read times", "another write", "500 read times", "200 read times"])
})

test("read times that could not be written are written with the next ones", async () => {
  const written: unknown[] = []
  let failures = 1
  const failing: Database = {
    ...database,
    async commit(statements) {
      if (failures-- > 0) throw new Error("The database is away.")
      written.push(...(statements[0]?.rows ?? []).map(({ id }) => id))
      return await database.commit(statements)
    },
  }
  const retention = createSqlRetention(failing, toStatements(database.dialect))
  for (let index = 0; index < 600; index++) retention.noteRead(`question ${index}`, index)
  await expect(retention.flush()).rejects.toThrow("The database is away.")
  expect(written).toEqual([])
  await retention.flush()
  expect(written).toEqual(Array.from({ length: 600 }, (_, index) => `question ${index}`))
})
