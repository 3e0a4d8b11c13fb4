// `kill -9` at any moment loses nothing that was acknowledged. On SQLite in the usual run, on Postgres too in the long one.

import assert from "node:assert/strict"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { openPostgres } from "@holdpoint/hub/postgres"
import { openSqlite } from "@holdpoint/hub/sqlite"
import type { Killed } from "@holdpoint/testkit/hub/stores/crash/kill"
import { killWriters } from "@holdpoint/testkit/hub/stores/crash/kill"
import { createFolder, databaseUrl, newSchema, runSql } from "@holdpoint/testkit/hub/stores/engines"
import { usually } from "@holdpoint/testkit/long"
import { verifies } from "@holdpoint/testkit/verifies"
import pg from "pg"
import { expect } from "vitest"
import { reconcile } from "./crash/reconcile.ts"

const engines = usually(["sqlite"], { long: ["sqlite", "postgres"] })
const kills = usually(20, { long: 200 })
const writers = 3

function judge(engine: string, killed: readonly Killed[], records: number): void {
  const writing = killed.filter(({ wasWriting }) => wasWriting).length
  const steps = killed.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
  console.log(
    `${engine}: ${killed.length} kills, ${Math.round((100 * writing) / killed.length)} % of them during a write; ` +
      `${steps} acknowledged steps and ${records} records, none lost`,
  )
  assert.equal(killed.length, kills)
  assert.ok(writing * 2 >= kills, `${writing} of ${kills} kills came during a write`)
}

const kill: Readonly<Record<string, () => Promise<void>>> = {
  sqlite: killOnSqlite,
  postgres: killOnPostgres,
}

for (const engine of engines) {
  verifies("hub.crash-loses-nothing", `${kills} kills lose nothing that ${engine} acknowledged`, async () => {
    await kill[engine]?.()
    expect(Object.keys(kill)).toContain(engine)
  })
}

async function killOnSqlite(): Promise<void> {
  const folder = await createFolder()
  const path = join(folder, "hub.db")
  try {
    const killed = await killWriters(["sqlite", path], { kills, writers })
    const storage = await openSqlite(path)
    const records = await reconcile(
      storage,
      killed.flatMap(({ acknowledged }) => acknowledged),
    )
    await storage.close()
    const database = new DatabaseSync(path)
    assert.deepEqual({ ...database.prepare("PRAGMA integrity_check").get() }, { integrity_check: "ok" })
    database.close()
    judge("sqlite", killed, records)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function killOnPostgres(): Promise<void> {
  const folder = await createFolder()
  const schema = newSchema()
  const name = `killed_${schema.slice(-12)}`
  const url = new URL(databaseUrl())
  url.searchParams.set("application_name", name)
  try {
    const killed = await killWriters(["postgres", url.href, schema], { kills, writers })
    await untilGone(name)
    const storage = await openPostgres(databaseUrl(), { schema })
    const records = await reconcile(
      storage,
      killed.flatMap(({ acknowledged }) => acknowledged),
    )
    await storage.close()
    judge("postgres", killed, records)
  } finally {
    await runSql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Waits until the server has finished the last statement of a killed client. */
async function untilGone(name: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  for (;;) {
    const { rowCount } = await client.query("SELECT 1 FROM pg_stat_activity WHERE application_name = $1", [name])
    if (rowCount === 0) break
  }
  await client.end()
}
