// The three storages, each as a harness for the contract: new, openable more than once, removed afterwards.

import { randomUUID } from "node:crypto"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { createMemoryStorage } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { openSqlite } from "@holdpoint/hub/sqlite"
import type { StorageHarness } from "@holdpoint/testing"
import pg from "pg"
import { scanSqlite } from "../../canaries/databases.ts"
import { makeScratchFolder } from "../../scratch.ts"

export type Engine = () => Promise<StorageHarness>

/** Returns the same storage each time, because memory does not outlive its process. */
export const memory: Engine = async () => {
  const storage = createMemoryStorage()
  return { open: async () => ({ ...storage, close: async () => {} }), destroy: storage.close }
}

export const sqlite: Engine = async () => {
  const folder = await createFolder()
  return {
    open: () => openSqlite(join(folder, "hub.db")),
    async destroy() {
      scanSqlite(folder)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const postgres: Engine = async () => {
  const schema = newSchema()
  return {
    open: () => openPostgres(databaseUrl(), { schema }),
    destroy: () => runSql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`),
  }
}

export interface ReusedSchemas {
  /** Takes an empty schema, which no other case has. */
  take(): string
  giveBack(schema: string): Promise<void>
  /** Drops the schemas. */
  close(): Promise<void>
}

/**
 * For many small cases: empties the tables instead of creating and dropping them, which takes longer than most cases.
 */
export function reuseSchemas(): ReusedSchemas {
  const empty: string[] = []
  return {
    take: () => empty.pop() ?? newSchema(),
    async giveBack(schema) {
      await runSql(emptied(schema))
      empty.push(schema)
    },
    async close() {
      for (const schema of empty.splice(0)) await runSql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    },
  }
}

export interface ReusedPostgres extends Pick<ReusedSchemas, "close"> {
  readonly open: Engine
}

export function reusePostgres(): ReusedPostgres {
  const { take, giveBack, close } = reuseSchemas()
  return {
    async open() {
      const schema = take()
      return { open: () => openPostgres(databaseUrl(), { schema }), destroy: () => giveBack(schema) }
    },
    close,
  }
}

const emptied = (schema: string): string => `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' AND tablename <> 'migration' LOOP
    EXECUTE format('DELETE FROM ${schema}.%I', name);
  END LOOP;
  FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = '${schema}' LOOP
    PERFORM setval(format('${schema}.%I', name), 1, false);
  END LOOP;
END $$`

export const createFolder = async (): Promise<string> => makeScratchFolder("store")

export const newSchema = (): string => `test_${randomUUID().replaceAll("-", "_")}`

export function databaseUrl(): string {
  const url = process.env.DATABASE_URL
  if (url === undefined) throw new Error("DATABASE_URL is not set; run this with the project “db”.")
  return url
}

export async function runSql(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
