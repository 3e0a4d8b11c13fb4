// Notifications between storages on one database: none is lost where commits share one, and none is sent when no other
// process listens.

import { rm } from "node:fs/promises"
import { join } from "node:path"
import { asked } from "@holdpoint/testkit/fixtures"
import { createFolder, databaseUrl, newSchema, runSql } from "@holdpoint/testkit/hub/stores/engines"
import pg from "pg"
import { expect, it } from "vitest"
import type { Storage } from "../../src/ports/storage.ts"
import { openPostgres } from "../../src/stores/postgres.ts"
import { openSqlite } from "../../src/stores/sqlite.ts"

const { id, tenant } = asked()
const append = (storage: Storage, at: number): Promise<void> =>
  storage.trail.append({ id, tenant, kind: "shown", at, detail: {} })

/** Resolves when the storage has heard of the entry with this time. */
const heard = (storage: Storage, at: number): Promise<void> =>
  new Promise((resolve) => {
    const stop = storage.trail.subscribe((entries) => {
      if (!entries.some((entry) => entry.at === at)) return
      stop()
      resolve()
    })
  })

it("sqlite: another storage is notified of the last of many commits without a pause", async () => {
  const folder = await createFolder()
  const path = join(folder, "hub.db")
  const [writer, reader] = [await openSqlite(path), await openSqlite(path)]
  for (let round = 1; round <= 20; round++) {
    const last = heard(reader, round * 100 + 20)
    for (let at = 1; at <= 20; at++) await append(writer, round * 100 + at)
    await last
  }
  await Promise.all([writer.close(), reader.close()])
  await rm(folder, { recursive: true, force: true })
})

it("sqlite: another storage is notified of a commit just before the writer closes", async () => {
  const folder = await createFolder()
  const path = join(folder, "hub.db")
  const reader = await openSqlite(path)
  for (let round = 1; round <= 20; round++) {
    const writer = await openSqlite(path)
    const last = heard(reader, round * 100 + 2)
    await append(writer, round * 100 + 1)
    await append(writer, round * 100 + 2)
    await writer.close()
    await last
  }
  await reader.close()
  await rm(folder, { recursive: true, force: true })
})

it("postgres: a commit sends a notification only while another storage is open", async () => {
  const schema = newSchema()
  const listener = new pg.Client(databaseUrl())
  await listener.connect()
  await listener.query(`LISTEN holdpoint_${schema}`)
  let notified = 0
  listener.on("notification", () => {
    notified += 1
  })
  const countAfter = async (work: () => Promise<void>): Promise<number> => {
    const before = notified
    await work()
    // The server sends notifications before the result of a query that follows them.
    await listener.query("SELECT 1")
    return notified - before
  }
  const writer = await openPostgres(databaseUrl(), { schema })
  expect(await countAfter(() => append(writer, 1))).toBe(0)
  const reader = await openPostgres(databaseUrl(), { schema })
  const two = heard(reader, 2)
  expect(await countAfter(() => append(writer, 2))).toBe(1)
  await two
  await reader.close()
  // The server may still be ending the session of the closed storage.
  const sessions = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'
    AND classid = ${0x484f4c44} AND objid = hashtext('holdpoint:${schema}')::bigint & 4294967295`
  while ((await listener.query(sessions)).rows.length > 1);
  expect(await countAfter(() => append(writer, 3))).toBe(0)
  await writer.close()
  await listener.end()
  await runSql(`DROP SCHEMA ${schema} CASCADE`)
})

it("postgres: a storage that is opened while another one commits misses no commit after its first", async () => {
  const schema = newSchema()
  const writer = await openPostgres(databaseUrl(), { schema })
  let at = 0
  let isDone = false
  const writing = (async () => {
    while (!isDone) await append(writer, ++at)
  })()
  for (let round = 0; round < 10; round++) {
    const positions: number[] = []
    const reader = await openPostgres(databaseUrl(), { schema })
    reader.trail.subscribe((entries) => {
      positions.push(...entries.map(({ position }) => position))
    })
    await heard(reader, at + 5)
    await reader.close()
    const first = positions[0] ?? 0
    expect(positions).toEqual(positions.map((_, index) => first + index))
  }
  isDone = true
  await writing
  await writer.close()
  await runSql(`DROP SCHEMA ${schema} CASCADE`)
})
