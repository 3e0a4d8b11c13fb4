// The SQLite storage passes the contract, and its files are readable only by their owner.

import { rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { asked } from "@holdpoint/testkit/fixtures"
import { describeStorage } from "@holdpoint/testkit/hub/stores/contract"
import { createFolder, sqlite } from "@holdpoint/testkit/hub/stores/engines"
import { expect, it } from "vitest"
import { createSqlStorage } from "../../src/stores/sql.ts"
import { openSqlite } from "../../src/stores/sqlite.ts"
import { openSqliteDatabase } from "../../src/stores/sqlite-database.ts"

describeStorage("sqlite storage", sqlite)

it("a SQLite storage creates files that only their owner can read, and a bell file that does not grow", async () => {
  const folder = await createFolder()
  const path = join(folder, "hub.db")
  const storage = await openSqlite(path)
  const { id, tenant } = asked()
  for (let at = 0; at < 20; at++) await storage.trail.append({ id, tenant, kind: "shown", at, detail: {} })
  const files = await Promise.all(["", "-wal", "-shm", "-bell"].map((ending) => stat(path + ending)))
  expect(files.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o600, 0o600, 0o600])
  expect(files[3]?.size).toBe(1)
  await storage.close()
  await rm(folder, { recursive: true, force: true })
})

it("a closed SQLite storage says so when it is used, and can be closed twice", async () => {
  const folder = await createFolder()
  const storage = await openSqlite(join(folder, "hub.db"))
  await Promise.all([storage.close(), storage.close()])
  await expect(storage.store.get("x")).rejects.toMatchObject({ code: "closed" })
  await rm(folder, { recursive: true, force: true })
})

it("openSqlite refuses a path that is not a file", async () => {
  for (const path of ["", ":memory:", "file:x.db?mode=memory"]) {
    await expect(openSqlite(path)).rejects.toMatchObject({ code: "invalid_config" })
  }
})

it("a SQLite storage whose disk is full says so as store_unavailable, and works again when there is room", async () => {
  const folder = await createFolder()
  const database = await openSqliteDatabase(join(folder, "hub.db"), 1_000)
  const storage = await createSqlStorage(database)
  const { id, tenant } = asked()
  const append = () =>
    storage.trail.append({ id, tenant, kind: "shown", at: 0, detail: { message: "x".repeat(20_000) } })
  const limit = (pages: number) => database.query(`PRAGMA max_page_count = ${pages}`, [])
  await limit(1)
  const fill = async (): Promise<void> => {
    for (;;) await append()
  }
  await expect(fill()).rejects.toMatchObject({ code: "store_unavailable", message: expect.stringContaining("full") })
  await limit(100_000)
  await append()
  await storage.close()
  await rm(folder, { recursive: true, force: true })
})
