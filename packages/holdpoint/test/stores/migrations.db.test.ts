// Starting: several processes at once on a new storage, on one that a newer program wrote, and on a foreign one.

import assert from "node:assert/strict"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import pg from "pg"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import type { Elicitation, Storage } from "../../src/index.ts"
import type { KeptRecord, Records } from "../../src/ports/records.ts"
import { migrations } from "../../src/stores/migrations.ts"
import { openPostgres } from "../../src/stores/postgres.ts"
import { openSqlite } from "../../src/stores/sqlite.ts"
import { alice } from "../fixtures.ts"
import { allKinds, connection, signIn } from "../records.ts"
import { verifies } from "../verifies.ts"
import { createFolder, databaseUrl, newSchema, runSql } from "./engines.ts"
import type { OldDatabase } from "./older.ts"
import { makeOldPostgres, makeOldSqlite } from "./older.ts"
import { startChild } from "./processes/child.ts"

const five = [0, 1, 2, 3, 4]

/** Opens the storage in five processes at once, after all of them have loaded their program. */
async function openAtOnce(...place: readonly string[]): Promise<readonly string[]> {
  const children = five.map(() => startChild("processes/peer.ts", ...place))
  await Promise.all(children.map((child) => child.line()))
  for (const child of children) child.say("go")
  const answers = await Promise.all(children.map((child) => child.line()))
  for (const child of children) child.process.stdin?.end()
  await Promise.all(children.map((child) => child.gone))
  return answers
}

/** Checks every kind of record: found by id, by owner and by due time, and removed when it expires. */
async function useEverything(storage: Storage, version: number, old: OldDatabase): Promise<void> {
  const { question, settled, shared, records } = old
  const kinds: Readonly<Record<string, Records<KeptRecord>>> = Object.fromEntries(
    allKinds.map((kind) => [kind.name, storage.records(kind)]),
  )
  assert.deepEqual(await storage.store.get(question.id), question)
  const ofCall = { tenant: question.tenant, parent: "call 1", limit: 9 }
  assert.deepEqual(await storage.store.list({ ...ofCall, state: "open" }), [question])
  assert.deepEqual(
    (await storage.trail.read(ofCall)).map(({ id, parent }) => ({ id, parent })),
    [{ id: question.id, parent: "call 1" }],
  )
  for (const [state, found] of [
    ["open", [question]],
    ["settled", [settled]],
    ["all", [settled, question]],
  ] as const) {
    const ofTenant = { tenant: question.tenant, state, limit: 9 }
    assert.deepEqual(await storage.store.list(ofTenant), found, state)
    assert.deepEqual(await storage.store.list({ ...ofTenant, principal: alice }), found, `${state} of a person`)
  }
  const kept = records.filter(({ since }) => since <= version)
  const expiring = kept.filter(({ table }) => ["sign_in", "call", "client_session", "artifact"].includes(table))
  for (const { table, record } of kept) assert.deepEqual(await kinds[table]!.get(record.id), record)
  for (const { table, record, owner } of kept) {
    const isListed = !["sign_in", "revocation", "call", "client_session"].includes(table) && owner !== ""
    const listed = await kinds[table]!.list({ tenant: record.tenant, owner, limit: 9 })
    assert.deepEqual(listed, isListed ? [record] : [], `${table} under its owner`)
  }
  for (const { table, record, dueAt } of kept) {
    const due = await kinds[table]!.list({ dueBefore: dueAt ?? Number.MAX_SAFE_INTEGER, limit: 9 })
    assert.deepEqual(due, ["flow", "session", "revocation"].includes(table) ? [record] : [], `${table} when due`)
  }
  const sealed = await storage.retention.sealed({ notWith: "k2", limit: 99 })
  assert.equal(sealed.length, kept.filter(({ record }) => "sealed" in record).length)
  for (const { table, record } of kept) {
    if (table === "session") assert.equal(await kinds[table]!.replace({ ...record, version: 2 }), true)
  }
  const cutoffs = { contentReadBefore: 0, contentSettledBefore: 0, questionSettledBefore: 0 }
  const forget = async (recordExpiresBy: number) =>
    (await storage.retention.forget({ ...cutoffs, recordExpiresBy })).records
  const end = signIn().expiresAt
  assert.deepEqual([await forget(end - 1), await forget(end)], [0, expiring.length])
  assert.equal(await kinds.connection!.insert(connection()), true)
  await assertCounted(storage, question, "of one person")
  await assertCounted(storage, shared[0]!, "of several people")
  await storage.close()
}

/** Checks that of the two questions like this one, an open and a settled one, the open one alone counts. */
async function assertCounted({ store }: Storage, like: Elicitation, whose: string): Promise<void> {
  const dave = { kind: "one", principal: { ...alice, tenant: like.tenant, subject: "dave" } } as const
  const isStored = async (perPerson: number, perTenant: number, audience = like.audience): Promise<boolean> => {
    const first = { ...like, id: crypto.randomUUID(), audience }
    const entry = { id: first.id, tenant: first.tenant, revision: 1, kind: "asked", at: 0, detail: {} } as const
    return (await store.insert(first, entry, { limits: { perPerson, perTenant } })).stored
  }
  for (const perTenant of [2, 3, 4]) assert.equal(await isStored(9, perTenant, dave), true)
  const results = [await isStored(1, 9), await isStored(9, 4), await isStored(2, 5), await isStored(2, 9)]
  assert.deepEqual(results, [false, false, true, false], whose)
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

  for (const version of [1, 2, 3, 4, 5, 6, 7, 8])
    verifies("store.migrates-forward", `a database of schema ${version} keeps all its data`, async () => {
      const path = join(folder, "older.db")
      const older = makeOldSqlite(path, version)
      await useEverything(await openSqlite(path), version, older)
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

  for (const version of [1, 2, 3, 4, 5, 6, 7, 8])
    verifies("store.migrates-forward", `a database of schema ${version} keeps all its data`, async () => {
      const older = await makeOldPostgres(schema, version)
      await useEverything(await openPostgres(databaseUrl(), { schema }), version, older)
    })

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
