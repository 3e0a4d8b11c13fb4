// Searches the files of a database for secrets, before a test removes them.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import type { Storage } from "@holdpoint/hub"
import { allKinds } from "../records.ts"
import { isAllowed } from "./kinds.ts"
import { folderVariable, hear, noteFinding } from "./note.ts"
import { openSearch } from "./note-files.ts"

/** Searches every SQLite file below this folder, with its journals. */
export function scanSqlite(folder: string): void {
  scanFiles(folder, (path) => /\.db(?:-wal|-journal)?$/.test(path))
}

/** Searches the data folder of a stopped Postgres: tables, indexes and the write-ahead log. */
export function scanPostgres(folder: string): void {
  scanFiles(folder, (path) => /^(?:base|global|pg_wal)\//.test(path))
}

/** Searches the records of one tenant in a memory storage, which has no files. */
export async function hearStorage(storage: Storage, tenant: string): Promise<void> {
  const { store, trail } = storage
  const all = { tenant, limit: 10_000 }
  // Artifacts of the authorization server are stored under their own name instead of a tenant.
  const tenants = [tenant, "authorization"]
  const records = allKinds.flatMap((kind) => tenants.map((one) => storage.records(kind).list({ ...all, tenant: one })))
  const others = [store.list({ ...all, state: "all" }), trail.read({ limit: 100_000 })]
  hear("database", "memory", JSON.stringify(await Promise.all([...records, ...others])))
}

function scanFiles(folder: string, isWanted: (path: string) => boolean): void {
  const run = process.env[folderVariable]
  if (run === undefined || !existsSync(run) || !existsSync(folder)) return
  const search = openSearch(run)
  if (search.size() === 0) return
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !isWanted(relative(folder, path))) continue
    for (const { canary } of search.find(readFileSync(path)))
      if (!isAllowed(canary.kind, "database"))
        noteFinding({ kind: canary.kind, channel: "database", where: basename(path) })
  }
}
