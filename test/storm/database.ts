// The database of a storm, SQLite or a Postgres of its own, and what can happen to it.

import { join } from "node:path"
import type { Storage } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { scanSqlite } from "@holdpoint/testkit/canaries/databases"
import { startOwnPostgres } from "../postgres.ts"
import { type Disk, openDisk } from "./disk.ts"
import type { Random } from "./random.ts"
import { openTcpProxy } from "./tcp-proxy.ts"

export type Engine = "sqlite" | "postgres"

export interface StormDatabase {
  /** As the nodes reach it. */
  readonly url: string
  /** Opens it directly, without what the storm does to the nodes' connections. */
  open(): Promise<Storage>
  /** Absent where there is no server that can be restarted. */
  readonly halt?: (() => Promise<void>) | undefined
  readonly resume?: (() => Promise<void>) | undefined
  /** Cuts some of the nodes' connections. */
  readonly cut?: ((random: Random, share: number) => number) | undefined
  readonly disk: Disk
  close(): Promise<void>
}

export async function openDatabase(engine: Engine): Promise<StormDatabase> {
  return engine === "sqlite" ? openSqliteDatabase() : openPostgresDatabase()
}

async function openSqliteDatabase(): Promise<StormDatabase> {
  const disk = await openDisk(256)
  const url = join(disk.folder, "hub.db")
  return {
    ...{ url, disk },
    open: () => openSqlite(url),
    async close() {
      scanSqlite(disk.folder)
      await disk.close()
    },
  }
}

async function openPostgresDatabase(): Promise<StormDatabase> {
  const disk = await openDisk(700)
  // Durable, because a full disk ends the server: without synchronous_commit, commits that it has reported are lost then.
  const postgres = await startOwnPostgres({ isDurable: true, folder: disk.folder }).catch(async (error: unknown) => {
    await disk.close()
    throw error
  })
  const proxy = await openTcpProxy(postgres.port)
  const url = new URL(postgres.url)
  url.port = String(proxy.port)
  return {
    ...{ url: url.href, disk, halt: postgres.halt, resume: postgres.start, cut: proxy.cut },
    open: () => openPostgres(postgres.url),
    async close() {
      proxy.close()
      await postgres.stop()
      await disk.close()
    },
  }
}
