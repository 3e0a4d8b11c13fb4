// Starting: several processes at once on a fresh storage, on one that a newer program wrote, on one that is not ours.

import assert from "node:assert/strict"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import pg from "pg"
import { afterEach, beforeEach, describe, it } from "vitest"
import type { Connection } from "../../src/core/connection.ts"
import type { Elicitation, Storage } from "../../src/index.ts"
import { openPostgres } from "../../src/stores/postgres.ts"
import { openSqlite } from "../../src/stores/sqlite.ts"
import {
  artifact,
  call,
  clientSession,
  connection,
  preference,
  session,
} from "../../src/testing/contract/record-samples.ts"
import { asked } from "../fixtures.ts"
import { verifies } from "../verifies.ts"
import { createFolder, databaseUrl, newSchema, runSql } from "./engines.ts"
import { startChild } from "./processes/child.ts"

const five = [0, 1, 2, 3, 4]

/** All five have loaded their program before the first one opens. */
async function openAtOnce(...place: readonly string[]): Promise<readonly string[]> {
  const children = five.map(() => startChild("processes/peer.ts", ...place))
  await Promise.all(children.map((child) => child.line()))
  for (const child of children) child.say("go")
  const answers = await Promise.all(children.map((child) => child.line()))
  for (const child of children) child.process.stdin?.end()
  await Promise.all(children.map((child) => child.gone))
  return answers
}

const accountTables = ["connection", "flow", "sign_in", "session", "data_key", "revocation"]
const choiceTables = ["preference"]
/** With what came after them. */
const callTables = ["call", "client_session", "artifact", ...choiceTables]
const noLimits = { perPerson: 9, perTenant: 9 }

async function useAccounts(storage: Storage, question: Elicitation): Promise<void> {
  const first = session()
  assert.deepEqual(await storage.store.get(question.id), question)
  assert.equal(await storage.sessions.insert(first, { ...first, kind: "signed_in", at: 0, detail: {} }), true)
  assert.deepEqual(await storage.sessions.get(first.id), first)
  assert.equal(await storage.trail.end(), 2)
  await storage.close()
}

/** What a storage has before there are calls: a question, a session, a connection. */
async function fill(storage: Storage): Promise<readonly [Elicitation, ReturnType<typeof session>, Connection]> {
  const filled = [asked(), session(), connection()] as const
  const [question, person, account] = filled
  await storage.store.insert(question, { ...question, kind: "asked", at: 0, detail: {} }, noLimits)
  await storage.sessions.insert(person, { ...person, kind: "signed_in", at: 0, detail: {} })
  await storage.connections.insert(account)
  await storage.close()
  return filled
}

async function useChoices(storage: Storage, filled: Awaited<ReturnType<typeof fill>>): Promise<void> {
  const [question] = filled
  assert.deepEqual(await storage.store.get(question.id), question)
  const chosen = preference()
  assert.equal(await storage.preferences.insert(chosen), true)
  assert.deepEqual(await storage.preferences.get(chosen.id), chosen)
  await storage.close()
}

async function useCalls(storage: Storage, filled: Awaited<ReturnType<typeof fill>>): Promise<void> {
  const [question, person, account] = filled
  assert.deepEqual(await storage.store.get(question.id), question)
  assert.deepEqual(await storage.sessions.list({ dueBefore: person.expiresAt, limit: 9 }), [person])
  assert.deepEqual(await storage.connections.list({ tenant: "acme", limit: 9 }), [account])
  assert.equal(await storage.trail.end(), 2)
  const [waiting, client, code] = [call(), clientSession(), artifact()]
  const inserted = [
    storage.calls.insert(waiting),
    storage.clientSessions.insert(client),
    storage.artifacts.insert(code),
    storage.connections.replace({ ...account, version: 2, status: "revoked" }),
  ]
  assert.deepEqual(await Promise.all(inserted), [true, true, true, true])
  assert.deepEqual(await storage.calls.get(waiting.id), waiting)
  assert.deepEqual(await storage.clientSessions.get(client.id), client)
  assert.deepEqual(await storage.artifacts.get(code.id), code)
  await storage.close()
}

describe("starting on SQLite", () => {
  let folder = ""
  beforeEach(async () => {
    folder = await createFolder()
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  verifies(
    "store.migrates-forward",
    "five processes at once on a fresh file all come up, three times over",
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

  verifies("store.migrates-forward", "a database from before accounts gains them and keeps what it has", async () => {
    const path = join(folder, "older.db")
    const question = asked()
    const older = await openSqlite(path)
    await older.store.insert(question, { ...question, kind: "asked", at: 0, detail: {} }, noLimits)
    await older.close()
    const database = new DatabaseSync(path)
    for (const table of [...accountTables, ...callTables]) database.exec(`DROP TABLE ${table}`)
    database.exec("DELETE FROM migration WHERE version > 1")
    database.close()
    await useAccounts(await openSqlite(path), question)
  })

  verifies("store.migrates-forward", "a database from before calls gains them and keeps what it has", async () => {
    const path = join(folder, "older.db")
    const filled = await fill(await openSqlite(path))
    const database = new DatabaseSync(path)
    for (const table of callTables) database.exec(`DROP TABLE ${table}`)
    database.exec("DELETE FROM migration WHERE version > 2")
    database.close()
    await useCalls(await openSqlite(path), filled)
  })

  verifies("store.migrates-forward", "a database from before choices gains them and keeps what it has", async () => {
    const path = join(folder, "older.db")
    const filled = await fill(await openSqlite(path))
    const database = new DatabaseSync(path)
    for (const table of choiceTables) database.exec(`DROP TABLE ${table}`)
    database.exec("DELETE FROM migration WHERE version > 3")
    database.close()
    await useChoices(await openSqlite(path), filled)
  })

  verifies("store.refuses-foreign-files", "the database of another program is refused and not touched", async () => {
    const path = join(folder, "other.db")
    const other = new DatabaseSync(path)
    other.exec("CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('mine'); PRAGMA user_version = 7")
    other.close()
    const before = readFileSync(path)
    await assert.rejects(openSqlite(path), { code: "invalid_config", message: /another program/ })
    assert.ok(readFileSync(path).equals(before), "byte for byte as it was")
    assert.deepEqual(readdirSync(folder), ["other.db"])
  })

  verifies("store.refuses-foreign-files", "a file that is no database is refused and not touched", async () => {
    const path = join(folder, "letter.txt")
    writeFileSync(path, "Dear Sir or Madam, ".repeat(500))
    const before = readFileSync(path)
    await assert.rejects(openSqlite(path), { code: "invalid_config", message: /not a SQLite database/ })
    assert.ok(readFileSync(path).equals(before), "byte for byte as it was")
  })

  it("is not called foreign where the disk does not let it be read", async () => {
    const path = join(folder, "kept.db")
    await (await openSqlite(path)).close()
    // Its log cannot be opened, as on a disk that is read-only.
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

  verifies("store.migrates-forward", "five processes at once on a fresh schema all come up", async () => {
    assert.deepEqual(
      await openAtOnce("postgres", databaseUrl(), schema),
      five.map(() => '"open"'),
    )
  })

  verifies("store.migrates-forward", "a database from before accounts gains them and keeps what it has", async () => {
    const question = asked()
    const older = await openPostgres(databaseUrl(), { schema })
    await older.store.insert(question, { ...question, kind: "asked", at: 0, detail: {} }, noLimits)
    await older.close()
    await runSql([...accountTables, ...callTables].map((table) => `DROP TABLE ${schema}.${table}`).join("; "))
    await runSql(`DELETE FROM ${schema}.migration WHERE version > 1`)
    await useAccounts(await openPostgres(databaseUrl(), { schema }), question)
  })

  verifies("store.migrates-forward", "a database from before calls gains them and keeps what it has", async () => {
    const filled = await fill(await openPostgres(databaseUrl(), { schema }))
    await runSql(callTables.map((table) => `DROP TABLE ${schema}.${table}`).join("; "))
    await runSql(`DELETE FROM ${schema}.migration WHERE version > 2`)
    await useCalls(await openPostgres(databaseUrl(), { schema }), filled)
  })

  verifies("store.migrates-forward", "a database from before choices gains them and keeps what it has", async () => {
    const filled = await fill(await openPostgres(databaseUrl(), { schema }))
    await runSql(choiceTables.map((table) => `DROP TABLE ${schema}.${table}`).join("; "))
    await runSql(`DELETE FROM ${schema}.migration WHERE version > 3`)
    await useChoices(await openPostgres(databaseUrl(), { schema }), filled)
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
})
