// Stores secrets in clear.

import { createHub, form, inbox, type Storage, text } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { databaseUrl, newSchema, runSql, sqlite } from "@holdpoint/testkit/hub/stores/engines"
import { expect, it } from "vitest"
import { newSecret } from "./secrets.ts"

/** The content of an answer, in a storage that seals nothing. */
async function leakInto(storage: Storage, secret: string): Promise<void> {
  const hub = createHub({ storage, outlets: [inbox()] })
  const audience = { tenant: "acme", issuer: "https://id.example", subject: "alice" }
  const asked = await hub.ask({ message: "What is it?", audience, requester: { id: "a" }, form: form({ it: text() }) })
  const answered = await hub.answer(asked.id, { by: audience, action: "accept", content: { it: secret } })
  expect(answered.ok).toBe(true)
  await hub.close()
  await storage.close()
}

it("stores in SQLite", async () => {
  const engine = await sqlite()
  await leakInto(await engine.open(), newSecret("verifier", "sqlite"))
  await engine.destroy()
})

it("stores in Postgres, and removes it", async () => {
  const schema = newSchema()
  await leakInto(await openPostgres(databaseUrl(), { schema }), newSecret("nonce", "postgres"))
  await runSql(`DROP SCHEMA ${schema} CASCADE`)
})
