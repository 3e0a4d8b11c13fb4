// The databases that a measured hub can use, as data that can be sent to a child process.

import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { Hub, Storage } from "@holdpoint/hub"
import { createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { openSqlite } from "@holdpoint/hub/sqlite"
import pg from "pg"
import type { Bench } from "../bench.ts"
import type { EngineName } from "../sizes.ts"

export type StoreLocation =
  | { readonly engine: "memory" }
  | { readonly engine: "sqlite"; readonly file: string }
  | { readonly engine: "postgres"; readonly url: string; readonly schema: string }

export interface OpenHub {
  readonly hub: Hub
  close(): Promise<void>
}

export async function newStoreLocation(bench: Bench, engine: EngineName): Promise<StoreLocation> {
  const name = `bench_${process.pid}_${++count}`
  switch (engine) {
    case "memory":
      return { engine }
    case "sqlite":
      return { engine, file: join(bench.folder, `${name}.db`) }
    case "postgres":
      return { engine, url: await bench.database(), schema: name }
  }
}

/** Without limits, because limits are not measured. */
export async function openHub(location: StoreLocation): Promise<OpenHub> {
  const storage = await openStorage(location)
  const hub = createHub({
    storage,
    outlets: [inbox()],
    limits: { pendingPerPerson: 1e9, pendingPerTenant: 1e9 },
    report(doing, error) {
      throw new Error(`The hub failed in ${doing}.`, { cause: error })
    },
  })
  return {
    hub,
    async close() {
      await hub.close()
      await storage.close()
    },
  }
}

export async function removeStoreLocation(location: StoreLocation): Promise<void> {
  if (location.engine === "sqlite") {
    for (const end of ["", "-wal", "-shm", "-bell"]) await rm(`${location.file}${end}`, { force: true })
  }
  if (location.engine !== "postgres") return
  const client = new pg.Client(location.url)
  await client.connect()
  await client.query(`DROP SCHEMA IF EXISTS ${location.schema} CASCADE`)
  await client.end()
}

let count = 0

export function openStorage(location: StoreLocation): Storage | Promise<Storage> {
  switch (location.engine) {
    case "memory":
      return createMemoryStorage()
    case "sqlite":
      return openSqlite(location.file)
    case "postgres":
      return openPostgres(location.url, { schema: location.schema })
  }
}
