// Starting: several processes at once on a new storage, on one that a newer program wrote, and on a foreign one; and a
// made-up step of the schema.

import assert from "node:assert/strict"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Storage } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { asked } from "@holdpoint/testkit/fixtures"
import { createFolder, databaseUrl, newSchema, runSql } from "@holdpoint/testkit/hub/stores/engines"
import { startChild } from "@holdpoint/testkit/hub/stores/processes/child"
import { connection } from "@holdpoint/testkit/records"
import { verifies } from "@holdpoint/testkit/verifies"
import pg from "pg"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { connectionKind } from "../../../../packages/accounts/src/vault/records.ts"
import type { Database } from "../../../../packages/hub/src/stores/database.ts"
import type { Migration } from "../../../../packages/hub/src/stores/migrations.ts"
import { migrate, migrations } from "../../../../packages/hub/src/stores/migrations.ts"
import { createPostgresDatabase } from "../../../../packages/hub/src/stores/postgres-database.ts"
import { openSqliteDatabase } from "../../../../packages/hub/src/stores/sqlite-database.ts"

const five = [0, 1, 2, 3, 4]

/** Opens the storage in five processes at once, after all of them have loaded their program. */
async function openAtOnce(...target: readonly string[]): Promise<readonly string[]> {
  const children = five.map(() => startChild("test/across/hub/stores/processes/peer.ts", ...target))
  await Promise.all(children.map((child) => child.line()))
  for (const child of children) child.say("go")
  const answers = await Promise.all(children.map((child) => child.line()))
  for (const child of children) child.process.stdin?.end()
  await Promise.all(children.map((child) => child.gone))
  return answers
}

/** A step that a later release might make: it adds a column and fills it. */
const madeUp: Migration = ({ schema }) => [
  `ALTER TABLE ${schema}elicitation ADD COLUMN made_up TEXT`,
  `UPDATE ${schema}elicitation SET made_up = 'from step two'`,
]
const broken: Migration = ({ schema }) => [`ALTER TABLE ${schema}trail ADD COLUMN made_up TEXT`, "NOT SQL"]

interface Target {
  readonly open: () => Promise<Storage>
  readonly engine: () => Promise<Database>
}

/** What all programs see of a database: its steps, and the column that the made-up one adds. */
async function stateOf({ engine }: Target) {
  const database = await engine()
  const { schema } = database.dialect
  const query = async (text: string) => database.query(text, []).catch(() => "no such column")
  const versions = await query(`SELECT version FROM ${schema}migration ORDER BY version`)
  const state = {
    versions: typeof versions === "string" ? versions : versions.map((row) => Number(row.version)),
    questions: await query(`SELECT made_up FROM ${schema}elicitation`),
    trail: await query(`SELECT made_up FROM ${schema}trail`),
  }
  await database.close()
  return state
}

async function migrateWith({ engine }: Target, ...steps: readonly Migration[]): Promise<void> {
  const database = await engine()
  await migrate(database, [...migrations, ...steps]).finally(() => database.close())
}

const withoutStep = { versions: [1], questions: "no such column", trail: "no such column" }
const withStep = { versions: [1, 2], questions: [{ made_up: "from step two" }], trail: "no such column" }

/** Stores a question and a record of each kind with this program. */
async function fill({ open }: Target) {
  const storage = await open()
  const question = { ...asked(), parent: "call 1" }
  const entry = { id: question.id, tenant: question.tenant, revision: 1, kind: "asked", at: 0, detail: {} } as const
  await storage.store.insert(question, entry, { limits: { perPerson: 9, perTenant: 9 } })
  const record = connection()
  await storage.records(connectionKind).insert(record)
  await storage.close()
  return { question, record }
}

function testSteps(targetOf: () => Target): void {
  verifies(
    "store.migrates-forward",
    "a new step runs once, keeps all data, and this program goes on beside it",
    async () => {
      const target = targetOf()
      const { question, record } = await fill(target)
      expect(await stateOf(target)).toEqual(withoutStep)
      const running = await target.open()
      await migrateWith(target, madeUp)
      await migrateWith(target, madeUp)
      expect(await stateOf(target)).toEqual(withStep)
      expect(await running.store.get(question.id)).toEqual(question)
      expect(await running.records(connectionKind).get(record.id)).toEqual(record)
      expect(await running.records(connectionKind).replace({ ...record, version: 2 })).toBe(true)
      await running.close()
      await assert.rejects(target.open(), { code: "schema_too_new", message: /schema 2; this program knows 1/ })
    },
  )

  verifies("store.migrates-forward", "a step that fails takes the steps before it with it", async () => {
    const target = targetOf()
    const { question } = await fill(target)
    await assert.rejects(migrateWith(target, madeUp, broken))
    expect(await stateOf(target)).toEqual(withoutStep)
    const storage = await target.open()
    expect(await storage.store.get(question.id)).toEqual(question)
    await storage.close()
  })
}

describe("starting on SQLite", () => {
  let folder = ""
  beforeEach(async () => {
    folder = await createFolder()
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  verifies(
    "store.migrates-forward",
    "five processes that start together on a new file all open it, in each of three rounds",
    async () => {
      for (const round of five.slice(0, 3)) {
        const path = join(folder, `fresh-${round}.db`)
        assert.deepEqual(
          await openAtOnce("sqlite", path),
          five.map(() => '"open"'),
        )
      }
    },
  )

  verifies(
    "store.migrates-forward",
    "an older program refuses a newer schema, says why and changes nothing",
    async () => {
      const path = join(folder, "newer.db")
      await (await openSqlite(path)).close()
      const database = new DatabaseSync(path)
      database.exec("INSERT INTO migration (version) VALUES (999)")
      const dump = (): unknown => [
        database.prepare("SELECT * FROM sqlite_schema").all(),
        database.prepare("SELECT * FROM migration").all(),
      ]
      const before = dump()
      await assert.rejects(openSqlite(path), {
        code: "schema_too_new",
        message: /newer Holdpoint \(schema 999; this program knows \d+\).*Nothing was changed/,
      })
      assert.deepEqual(dump(), before)
      database.close()
    },
  )

  testSteps(() => {
    const path = join(folder, "steps.db")
    return { open: () => openSqlite(path), engine: () => openSqliteDatabase(path, 5_000) }
  })

  verifies("store.refuses-foreign-files", "the database of another program is refused and left unchanged", async () => {
    const path = join(folder, "other.db")
    const other = new DatabaseSync(path)
    other.exec("CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('mine'); PRAGMA user_version = 7")
    other.close()
    const before = readFileSync(path)
    await assert.rejects(openSqlite(path), { code: "invalid_config", message: /another program/ })
    assert.ok(readFileSync(path).equals(before), "byte for byte as it was")
    assert.deepEqual(readdirSync(folder), ["other.db"])
  })

  verifies("store.refuses-foreign-files", "a file that is not a database is refused and left unchanged", async () => {
    const path = join(folder, "letter.txt")
    writeFileSync(path, "Dear Sir or Madam, ".repeat(500))
    const before = readFileSync(path)
    await assert.rejects(openSqlite(path), { code: "invalid_config", message: /not a SQLite database/ })
    assert.ok(readFileSync(path).equals(before), "byte for byte as it was")
  })

  it("a file that cannot be read is reported as unavailable, not as foreign", async () => {
    const path = join(folder, "kept.db")
    await (await openSqlite(path)).close()
    // Its log cannot be opened, as on a read-only disk.
    mkdirSync(`${path}-wal`)
    await assert.rejects(openSqlite(path), { code: "store_unavailable", message: /kept\.db cannot be opened/ })
  })
})

describe("starting on Postgres", () => {
  let schema = ""
  beforeEach(() => {
    schema = newSchema()
  })
  afterEach(() => runSql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`))

  verifies("store.migrates-forward", "five processes that start together on a new schema all open it", async () => {
    assert.deepEqual(
      await openAtOnce("postgres", databaseUrl(), schema),
      five.map(() => '"open"'),
    )
  })

  testSteps(() => ({
    open: () => openPostgres(databaseUrl(), { schema }),
    engine: async () => createPostgresDatabase({ connectionString: databaseUrl() }, schema),
  }))

  verifies(
    "store.migrates-forward",
    "an older program refuses a newer schema, says why and changes nothing",
    async () => {
      await (await openPostgres(databaseUrl(), { schema })).close()
      await runSql(`INSERT INTO ${schema}.migration (version) VALUES (999)`)
      const client = new pg.Client({ connectionString: databaseUrl() })
      await client.connect()
      const dump = async (): Promise<unknown> => {
        const columns =
          "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = $1"
        const tables = await client.query(`${columns} ORDER BY 1, 2`, [schema])
        return [tables.rows, (await client.query(`SELECT version FROM ${schema}.migration ORDER BY 1`)).rows]
      }
      const before = await dump()
      await assert.rejects(openPostgres(databaseUrl(), { schema }), { code: "schema_too_new", message: /schema 999/ })
      assert.deepEqual(await dump(), before)
      await client.end()
    },
  )

  it("a running program writes nothing more once the schema is two steps newer", async () => {
    const errors: unknown[] = []
    const storage = await openPostgres(databaseUrl(), { schema, onTooNew: (error) => errors.push(error) })
    const other = await openPostgres(databaseUrl(), { schema })
    onTestFinished(async () => {
      await storage.close()
      await other.close()
    })
    const entry = { id: "q", tenant: "", kind: "opened" as const, at: 1, detail: {} }
    await runSql(`INSERT INTO ${schema}.migration (version) VALUES (${migrations.length + 2})`)
    await other.trail.append(entry)
    await expect.poll(() => errors).toMatchObject([{ code: "schema_too_new" }])
    await assert.rejects(storage.trail.append(entry), { code: "schema_too_new" })
  })
})
