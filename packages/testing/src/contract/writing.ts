// Compare-and-set, and concurrent writes.

import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import type { NewEntry } from "@holdpoint/hub/storage"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import {
  alice,
  bob,
  completed,
  entryOf,
  insert,
  noLimits,
  range,
  readAll,
  record,
  start,
  urlRecord,
  withChanges,
} from "./samples.ts"

export const writing: readonly ContractCase[] = [
  verifies("store.keeps-everything", "returns a form question with every member it can have", async (stage) => {
    const storage = await stage.storage()
    const first = await insert(
      storage,
      record({
        audience: { kind: "any", principals: [alice, bob] },
        requester: { id: "publisher", name: "The publisher" },
        client: { name: "client", version: "1.2.3" },
        context: { trigger: "mcp_elicitation", depth: 3, isUrgent: true },
        parent: "task-1",
        key: "key-1",
        keyReuse: "open",
      }),
    )
    assert.deepEqual(await storage.store.get(first.id), first)
    const next = withChanges(first, {
      status: "declined",
      holders: 3,
      settledAt: start + 1,
      answeredBy: alice,
      answeredVia: "inbox",
      reason: { code: "no", message: "Not today." },
    })
    assert.equal(await storage.store.replace(next, entryOf(next)), true)
    assert.deepEqual(await storage.store.get(first.id), next)
  }),

  verifies(
    ["store.keeps-everything", "hub.growing"],
    "returns a growing question in its latest form, under its key",
    async (stage) => {
      const storage = await stage.storage()
      const key = { key: "k", keyReuse: "open", grows: true } as const
      const first = await insert(storage, urlRecord({ ...key, context: { trigger: "approval", wants: "a" } }))
      const widened = withChanges(first, {
        message: "May I have a and b?",
        context: { trigger: "approval", wants: "a b" },
      })
      assert.equal(await storage.store.replace(widened, entryOf(widened, "widened")), true)
      assert.deepEqual(await storage.store.get(first.id), widened)
      const rival = withChanges(first, { message: "Too late" })
      assert.equal(await storage.store.replace(rival, entryOf(rival, "widened")), false)
      const accepted = withChanges(widened, { status: "accepted", acceptedAt: start + 1, grows: false })
      assert.equal(await storage.store.replace(accepted, entryOf(accepted)), true)
      assert.deepEqual(await storage.store.get(first.id), accepted)
      const second = urlRecord(key)
      const inserted = await storage.store.insert(second, entryOf(second), noLimits)
      assert.deepEqual(inserted, { stored: false, existing: accepted })
    },
  ),

  claim("returns a url question with every member it can have", async (stage) => {
    const storage = await stage.storage()
    const first = await insert(storage, urlRecord({ audience: { kind: "role", tenant: "acme", role: "admin" } }))
    const next = withChanges(first, {
      status: "accepted",
      openedAt: start + 1,
      verifiedAt: start + 2,
      acceptedAt: start + 3,
      expiresAt: start + 4,
      answeredBy: bob,
    })
    assert.equal(await storage.store.replace(next, entryOf(next)), true)
    assert.deepEqual(await storage.store.get(first.id), next)
  }),

  claim("returns undefined for an unknown id", async (stage) => {
    const { store } = await stage.storage()
    assert.equal(await store.get(randomUUID()), undefined)
    assert.equal(await store.get(""), undefined)
    assert.equal(await store.get("' OR 1=1 --"), undefined)
  }),

  claim("shows a write to other openings of the storage", async (stage) => {
    const [firstOpening, secondOpening] = [await stage.storage(), await stage.storage()]
    const first = await insert(firstOpening, record())
    assert.deepEqual(await secondOpening.store.get(first.id), first)
    const next = completed(first, { note: "yes" })
    assert.equal(await secondOpening.store.replace(next, entryOf(next)), true)
    assert.deepEqual(await firstOpening.store.get(first.id), next)
  }),

  verifies(
    "store.compare-and-set",
    "returns false and changes nothing unless the stored revision is the one before",
    async (stage) => {
      const storage = await stage.storage()
      const first = await insert(storage, record())
      const second = withChanges(first, { holders: 2 })
      assert.equal(await storage.store.replace(second, entryOf(second)), true)
      for (const revision of [1, 2, 4, 100]) {
        const wrongWrite = { ...completed(second, { note: "wrong" }), revision }
        assert.equal(await storage.store.replace(wrongWrite, entryOf(wrongWrite)), false, `revision ${revision} on 2`)
      }
      assert.deepEqual(await storage.store.get(first.id), second)
      assert.equal((await readAll(storage.trail)).length, 2)
      assert.equal((await storage.store.list({ tenant: "acme", principal: alice, state: "open", limit: 9 })).length, 1)
    },
  ),

  claim("returns false when it replaces an unknown question, and stores nothing", async (stage) => {
    const storage = await stage.storage()
    const unknown = completed(record())
    assert.equal(await storage.store.replace(unknown, entryOf(unknown)), false)
    assert.equal(await storage.store.get(unknown.id), undefined)
    assert.equal(await storage.trail.end(), 0)
  }),

  verifies(
    "store.compare-and-set",
    "lets one of 50 concurrent replacements win, through two openings",
    async (stage) => {
      const storages = [await stage.storage(), await stage.storage()]
      const first = await insert(storages[0]!, record())
      const rivals = range(50).map((index) => completed(first, { note: `rival ${index}` }))
      const areStored = await Promise.all(
        rivals.map((rival, index) => storages[index % 2]!.store.replace(rival, entryOf(rival))),
      )
      assert.equal(areStored.filter(Boolean).length, 1)
      for (const { store } of storages) assert.deepEqual(await store.get(first.id), rivals[areStored.indexOf(true)])
      assert.equal((await readAll(storages[1]!.trail)).length, 2)
    },
  ),

  claim("applies several steps of one question in one turn in their order", async (stage) => {
    const storage = await stage.storage()
    const first = record()
    const second = withChanges(first, { holders: 2 })
    const rival = withChanges(first, { holders: 9 })
    const third = completed(second, { note: "done" })
    const results = await Promise.all([
      storage.store.insert(first, entryOf(first), noLimits),
      storage.store.replace(second, entryOf(second, "joined")),
      storage.store.replace(rival, entryOf(rival, "joined")),
      storage.store.replace(third, entryOf(third)),
    ])
    assert.deepEqual(results, [{ stored: true }, true, false, true])
    assert.deepEqual(await storage.store.get(first.id), third)
    assert.deepEqual(
      (await readAll(storage.trail)).map(({ revision }) => revision),
      [1, 2, 3],
    )
  }),

  verifies(
    "store.batches-writes",
    "stores 600 questions of one turn and then settles all of them in one turn",
    async (stage) => {
      const storage = await stage.storage()
      const questions = await Promise.all(range(600).map(() => insert(storage, record())))
      const answers = questions.map((first, index) => completed(first, { note: String(index) }))
      const settled = await Promise.all(answers.map((next) => storage.store.replace(next, entryOf(next))))
      assert.ok(settled.every(Boolean))
      assert.deepEqual(await Promise.all(answers.map(({ id }) => storage.store.get(id))), answers)
      const entries = await readAll(storage.trail)
      assert.equal(new Set(entries.map(({ id, revision }) => `${id} ${revision}`)).size, 1_200)
      assert.equal(entries.length, 1_200)
    },
  ),

  verifies("store.batches-writes", "does not let a write that it cannot store fail its neighbours", async (stage) => {
    const storage = await stage.storage()
    const neighbours = range(10).map(() => record())
    const [questionsBefore, questionsAfter] = [neighbours.slice(0, 5), neighbours.slice(5)]
    const unstorableEntry = { ...entryOf(record()), kind: null, at: null } as unknown as NewEntry
    const results = await Promise.allSettled([
      ...questionsBefore.map((first) => insert(storage, first)),
      storage.trail.append(unstorableEntry),
      ...questionsAfter.map((first) => insert(storage, first)),
    ])
    const otherResults = results.filter((_, index) => index !== 5)
    assert.deepEqual(
      otherResults.map(({ status }) => status),
      otherResults.map(() => "fulfilled"),
    )
    const stored = (await readAll(storage.trail)).filter(({ id }) => neighbours.some((first) => first.id === id))
    assert.deepEqual(stored.map(({ id }) => id).toSorted(), neighbours.map(({ id }) => id).toSorted())
  }),

  claim("finishes pending writes before it closes", async (stage) => {
    const storage = await stage.storage()
    const questions = range(20).map(() => record())
    const inserted = questions.map((first) => insert(storage, first))
    await stage.restart()
    await Promise.all(inserted)
    const { store } = await stage.storage()
    for (const first of questions) assert.deepEqual(await store.get(first.id), first)
  }),
]
