// What Postgres has and SQLite has not: connections that end, text it does not take, and short index entries.

import pg from "pg"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createHub, inbox, type Storage } from "../../src/index.ts"
import { openPostgres } from "../../src/stores/postgres.ts"
import { alice, formDraft } from "../fixtures.ts"
import { verifies } from "../verifies.ts"
import { databaseUrl, newSchema, runSql } from "./engines.ts"

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

test("an id that Postgres cannot even read does not fail the reads beside it", async () => {
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

verifies("store.keeps-everything", "the longest names that are allowed fit into the indexes", async () => {
  const hub = createHub({ storage, outlets: [inbox()] })
  const long = (text: string): string => text.repeat(400 / new TextEncoder().encode(text).length)
  const somebody = { tenant: long("漢漢漢a"), issuer: long('"'), subject: long("\\") }
  const asked = await hub.ask({ ...formDraft, audience: somebody, requester: { id: long("é") }, key: long("🔑") })
  expect((await hub.list({ tenant: somebody.tenant, principal: somebody, state: "open", limit: 9 }))[0]).toEqual(asked)
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
