// Idempotency keys: asking the same again, in any process, returns the same question.

import assert from "node:assert/strict"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import {
  alice,
  assertThrows,
  completed,
  entryOf,
  formDraft,
  insert,
  noLimits,
  person,
  range,
  readAll,
  record,
  urlDraft,
} from "./samples.ts"

export const keys: readonly ContractCase[] = [
  claim("returns the same question for the same key while it is open and after it was answered", async (stage) => {
    const hub = await stage.hub()
    const draft = formDraft({ key: "release-7" })
    const first = await hub.ask(draft)
    assert.equal((await hub.ask(draft)).id, first.id)
    await hub.answer(first.id, { by: alice, action: "accept", content: { note: "go" } })
    await stage.restart()
    const repeated = await (await stage.hub()).ask(draft)
    assert.deepEqual([repeated.id, repeated.status, repeated.content], [first.id, "completed", { note: "go" }])
  }),

  claim("frees a key of reuse “open” once its question is settled", async (stage) => {
    const hub = await stage.hub()
    const draft = urlDraft({ key: "connect", keyReuse: "open" })
    const first = await hub.ask(draft)
    assert.equal((await hub.ask(draft)).id, first.id)
    await hub.answer(first.id, { by: alice, action: "accept" })
    assert.equal((await hub.ask(draft)).id, first.id, "accepted is still open")
    await hub.complete(first.id)
    const second = await hub.ask(draft)
    assert.notEqual(second.id, first.id)
    assert.equal((await hub.ask(draft)).id, second.id)
  }),

  claim("refuses a key for a different question and stores nothing", async (stage) => {
    const hub = await stage.hub()
    const first = await hub.ask(formDraft({ key: "k" }))
    await assertThrows("key_conflict", hub.ask(formDraft({ key: "k", message: "Something else?" })))
    await assertThrows("key_conflict", hub.ask(urlDraft({ key: "k" })))
    await assertThrows("key_conflict", hub.ask(formDraft({ key: "k", audience: person("carol") })))
    assert.deepEqual(await hub.list({ tenant: "acme", state: "all", limit: 10 }), [first])
    assert.equal((await hub.trail({ limit: 10 })).length, 1)
  }),

  claim("stores one question for five parallel asks with one key", async (stage) => {
    const hub = await stage.hub()
    const questions = await Promise.all(range(5).map(() => hub.ask(formDraft({ key: "k" }))))
    assert.equal(new Set(questions.map(({ id }) => id)).size, 1)
    assert.equal((await hub.list({ tenant: "acme", state: "all", limit: 10 })).length, 1)
    assert.equal((await hub.trail({ limit: 10 })).length, 1)
  }),

  verifies(
    "hub.key-asks-once",
    "stores one question for parallel asks with one key through two openings, held by both",
    async (stage) => {
      const hubs = [await stage.hub(), await stage.hub()]
      const questions = await Promise.all(range(10).map((index) => hubs[index % 2]!.ask(formDraft({ key: "k" }))))
      assert.equal(new Set(questions.map(({ id }) => id)).size, 1)
      const stored = await hubs[0]!.get(questions[0]!.id)
      assert.deepEqual([stored?.holders, stored?.revision], [2, 2])
      const kinds = (await hubs[0]!.trail({ limit: 10 })).map(({ kind }) => kind)
      assert.deepEqual(kinds, ["asked", "joined"])
    },
  ),

  claim("refuses one of two different questions that use the same key at the same time", async (stage) => {
    const hubs = [await stage.hub(), await stage.hub()]
    const results = await Promise.allSettled(
      hubs.map((hub, index) => hub.ask(formDraft({ key: "k", message: `Question ${index}?` }))),
    )
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"])
    assert.equal((await hubs[0]!.list({ tenant: "acme", state: "all", limit: 10 })).length, 1)
  }),

  claim("keeps the same key of different askers and tenants apart", async (stage) => {
    const hub = await stage.hub()
    const questions = await Promise.all([
      hub.ask(formDraft({ key: "k" })),
      hub.ask(formDraft({ key: "k", requester: { id: "another" } })),
      hub.ask(formDraft({ key: "k", audience: person("alice", { tenant: "globex" }) })),
      hub.ask(formDraft({ key: "K" })),
    ])
    assert.equal(new Set(questions.map(({ id }) => id)).size, 4)
  }),

  claim("returns the existing question for an insert with a taken key", async (stage) => {
    const storage = await stage.storage()
    const first = await insert(storage, record({ key: "k", keyReuse: "always" }))
    const second = record({ key: "k", keyReuse: "always" })
    const refusal = { stored: false, existing: first }
    assert.deepEqual(await storage.store.insert(second, entryOf(second), noLimits), refusal)
    assert.equal(await storage.store.get(second.id), undefined)
    assert.equal(await storage.trail.end(), 1)
  }),

  claim("stores one of 20 concurrent inserts with one key through two openings", async (stage) => {
    const storages = [await stage.storage(), await stage.storage()]
    const rivals = range(20).map(() => record({ key: "k", keyReuse: "open" }))
    const results = await Promise.all(
      rivals.map((first, index) => storages[index % 2]!.store.insert(first, entryOf(first), noLimits)),
    )
    const winner = rivals[results.findIndex(({ stored }) => stored)]!
    for (const result of results.filter(({ stored }) => !stored)) {
      assert.deepEqual(result, { stored: false, existing: winner })
    }
    assert.equal((await readAll(storages[0]!.trail)).length, 1)
  }),

  claim(
    "gives a freed key to an ask in the same turn as the settlement, or returns the question that had it",
    async (stage) => {
      const storage = await stage.storage()
      const first = await insert(storage, record({ key: "k", keyReuse: "open" }))
      const settled = completed(first, { note: "yes" })
      const second = record({ key: "k", keyReuse: "open" })
      const [isSettled, inserted] = await Promise.all([
        storage.store.replace(settled, entryOf(settled)),
        storage.store.insert(second, entryOf(second), noLimits),
      ])
      assert.equal(isSettled, true)
      if (!inserted.stored) assert.ok("existing" in inserted && inserted.existing.id === first.id)
      const third = record({ key: "k", keyReuse: "open" })
      const holder = inserted.stored ? { stored: false, existing: second } : { stored: true }
      assert.deepEqual(await storage.store.insert(third, entryOf(third), noLimits), holder)
    },
  ),
]
