// What is specific to Postgres: connections that end, text that it cannot store, and short index entries.

import { alice, formDraft } from "@holdpoint/testkit/fixtures"
import { databaseUrl, newSchema, runSql } from "@holdpoint/testkit/hub/stores/engines"
import { verifies } from "@holdpoint/testkit/verifies"
import pg from "pg"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createHub, inbox, type Storage } from "../../src/index.ts"
import { toNumbered } from "../../src/stores/numbered-statement.ts"
import { openPostgres } from "../../src/stores/postgres.ts"
import { sessionSettings } from "../../src/stores/postgres-connection.ts"
import { createPostgresDatabase } from "../../src/stores/postgres-database.ts"
import { singleRowDialectOf } from "../../src/stores/postgres-dialect.ts"
import { toStatements } from "../../src/stores/statements.ts"
import type { writeNames } from "../../src/stores/writes.ts"

let schema: string
let storage: Storage

beforeEach(async () => {
  schema = newSchema()
  storage = await openPostgres(databaseUrl(), { schema })
})

afterEach(async () => {
  await storage.close()
  await runSql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
})

test("an id that Postgres cannot store does not fail concurrent reads", async () => {
  const hub = createHub({ storage, outlets: [inbox()] })
  const { id } = await hub.ask(formDraft)
  const [good, ...bad] = await Promise.all([hub.get(id), hub.get("\0"), hub.get("\ud800")])
  expect(good?.id).toBe(id)
  expect(bad).toEqual([undefined, undefined])
  expect(await hub.answer("a\0b", { by: alice, action: "decline" })).toMatchObject({ refusal: { code: "not_found" } })
  const odd = await hub.answer(id, { by: alice, action: "decline", via: "a\0b" })
  expect(odd).toMatchObject({ ok: false, refusal: { code: "invalid_answer" } })
  await hub.close()
})

test("frequent statements use an index on every column they name, even when planned on empty tables", async () => {
  const database = createPostgresDatabase({ connectionString: databaseUrl() }, schema)
  const sql = toStatements(database.dialect)
  const page = { state: "open", order: "oldest" } as const
  type Planned = readonly [text: string, types: string, columns: readonly string[]]
  const lone = toStatements(singleRowDialectOf(schema))
  const ofOneRow = (name: (typeof writeNames)[number], columns: readonly string[]): Planned => {
    const { text, members } = toNumbered(lone[name], "$")
    return [text, members.map(() => "text").join(", "), columns]
  }
  const statements: readonly Planned[] = [
    [sql.records.get, "text, text", ["kind =", "id = ANY"]],
    [sql.records.listOwner, "text, bigint, text, text, text", ["kind =", "tenant =", "owner ="]],
    [sql.records.listDue, "text, bigint, bigint, bigint, text", ["kind =", "due_at <="]],
    [sql.records.listSealed, "text, text, text, bigint", ["ROW(kind, id) >"]],
    [sql.records.replace, "text", ["kind =", "id ="]],
    [sql.records.remove, "text", ["kind =", "id ="]],
    [sql.forgetExpired, "text", ["expires_at <="]],
    [sql.trail(["tenant", "parent"]), "bigint, bigint, bigint, text, text", ["parent ="]],
    [sql.listTenant(page), "text, bigint, text, bigint", ["tenant ="]],
    [sql.countOpen, "text", ["tenant ="]],
    [sql.openFor, "text, text", ["tenant =", "addressee ="]],
    [sql.insertCounted, "text", ["tenant =", "addressee ="]],
    [sql.insertCounted, "text", ["tenant =", "who ="]],
    [sql.insertShared, "text", ["tenant =", "addressee ="]],
    [sql.release, "text", ["id ="]],
    [sql.listAddressee(page), "text, bigint, text, bigint, text, text", ["tenant =", "addressee = ANY"]],
    [sql.forgetQuestions, "text", ["= ANY ('{1,2}'", "COALESCE(settled_at, expires_at) <"]],
    [sql.forgetAddressees, "text", ["= ANY ('{1,2}'", "COALESCE(settled_at, expires_at) <"]],
    [sql.forgetContent, "text", ["id = ANY"]],
    [sql.listParent(page), "text, bigint, text, bigint, text", ["tenant =", "parent ="]],
    ofOneRow("insertCounted", ["tenant =", "addressee ="]),
    ofOneRow("insertCounted", ["tenant =", "who ="]),
    ofOneRow("insertShared", ["tenant =", "addressee ="]),
    ofOneRow("replace", ["id ="]),
    ofOneRow("replaceWhole", ["id ="]),
    ofOneRow("release", ["id ="]),
    ofOneRow("beside", ["id ="]),
  ]
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  await client.query(sessionSettings)
  for (const [index, [text, types, columns]] of statements.entries()) {
    await client.query(`PREPARE plan_${index} (${types}) AS ${text}`)
    const values = types.split(", ").map((type) => (type === "text" ? "'[]'" : "1"))
    const { rows } = await client.query(`EXPLAIN EXECUTE plan_${index} (${values.join(", ")})`)
    const conditions = rows.map((row) => String(row["QUERY PLAN"])).filter((line) => line.includes("Index Cond"))
    expect(
      conditions.some((line) => columns.every((column) => line.includes(column))),
      `${text}\n${conditions}`,
    ).toBe(true)
  }
  await client.end()
  await database.close()
})

verifies("store.keeps-everything", "the longest allowed names fit into the indexes", async () => {
  const hub = createHub({ storage, outlets: [inbox()] })
  const long = (text: string): string => text.repeat(400 / new TextEncoder().encode(text).length)
  const somebody = { tenant: long("漢漢漢a"), issuer: long('"'), subject: long("\\") }
  // Different characters of four bytes each, so that compression saves nothing.
  const parent = String.fromCodePoint(
    ...Array.from({ length: 500 }, (_, index) => 0x20000 + ((index * 7_919) % 40_000)),
  )
  const asked = await hub.ask({
    ...formDraft,
    parent,
    audience: somebody,
    requester: { id: long("é") },
    key: long("🔑"),
  })
  expect((await hub.list({ tenant: somebody.tenant, principal: somebody, state: "open", limit: 9 }))[0]).toEqual(asked)
  expect(await hub.list({ tenant: somebody.tenant, parent, state: "open", limit: 9 })).toEqual([asked])
  await expect(hub.ask({ ...formDraft, key: `${long("🔑")}x` })).rejects.toThrow(/at most 400 bytes/)
  await hub.close()
})

verifies(
  "store.missed-wake-costs-latency",
  "a closed storage stays closed and leaves no connection behind",
  async () => {
    const name = `closed_${schema.slice(-12)}`
    const url = new URL(databaseUrl())
    url.searchParams.set("application_name", name)
    const other = await openPostgres(url.href, { schema })
    await Promise.all([other.close(), other.close()])
    await expect(other.store.get("x")).rejects.toMatchObject({ code: "closed" })
    const client = new pg.Client({ connectionString: databaseUrl() })
    await client.connect()
    const count = async () =>
      (await client.query("SELECT 1 FROM pg_stat_activity WHERE application_name = $1", [name])).rowCount
    while ((await count()) !== 0);
    expect(await count()).toBe(0)
    await client.end()
  },
)
