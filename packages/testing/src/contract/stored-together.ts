// Records stored together with a question: in one step with it, and not at all without it.

import assert from "node:assert/strict"
import type { Storage } from "@holdpoint/hub"
import type { NewRecord } from "@holdpoint/hub/storage"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import { changed, otherSamples, sample, samples } from "./record-samples.ts"
import { assertThrows, completed, entryOf, noLimits, range, readAll, record, start } from "./samples.ts"

const ids = async (storage: Storage): Promise<readonly string[]> =>
  (await storage.records(samples).list({ tenant: "acme", limit: 1_000 })).map(({ id }) => id)

const besideOf = (id: string): readonly NewRecord[] => [{ kind: samples, record: sample({ id }) }]

export const storedTogether: readonly ContractCase[] = [
  verifies(
    "store.keeps-everything",
    "stores records of several kinds with a question, which are found by owner",
    async (stage) => {
      const storage = await stage.storage()
      const first = record()
      const [firstRecord, secondRecord] = [sample({ owner: first.id, dueAt: start }), sample({ expiresAt: start })]
      const beside = [
        { kind: samples, record: firstRecord },
        { kind: otherSamples, record: secondRecord },
      ]
      assert.deepEqual(await storage.store.insert(first, entryOf(first), { ...noLimits, beside }), { stored: true })
      await stage.restart()
      const reopened = await stage.storage()
      assert.deepEqual(await reopened.store.get(first.id), first)
      assert.deepEqual(await reopened.records(samples).list({ tenant: "acme", owner: first.id, limit: 9 }), [
        firstRecord,
      ])
      assert.deepEqual(await reopened.records(samples).list({ dueBefore: start, limit: 9 }), [firstRecord])
      assert.deepEqual(await reopened.records(otherSamples).get(secondRecord.id), secondRecord)
      assert.equal((await readAll(reopened.trail)).length, 1, "nothing is told of them")
      assert.equal(await reopened.records(samples).replace(changed(firstRecord)), true)
    },
  ),

  claim("stores no records with a question whose key or id is taken", async (stage) => {
    const storage = await stage.storage()
    const first = record({ key: "k", keyReuse: "open" })
    await storage.store.insert(first, entryOf(first), { ...noLimits, beside: besideOf("of the first") })
    const second = record({ key: "k", keyReuse: "open" })
    for (const lateQuestion of [second, { ...first, key: "another" }]) {
      const inserted = await storage.store.insert(lateQuestion, entryOf(lateQuestion), {
        ...noLimits,
        beside: besideOf("late"),
      })
      assert.deepEqual(inserted, { stored: false, existing: first })
    }
    assert.deepEqual(await ids(storage), ["of the first"])
    await storage.store.replace(completed(first), entryOf(completed(first)))
    await storage.store.insert(second, entryOf(second), { ...noLimits, beside: besideOf("of the second") })
    assert.deepEqual(await ids(storage), ["of the first", "of the second"])
  }),

  claim("stores no records with a question that exceeds a limit", async (stage) => {
    const storage = await stage.storage()
    const limitsOfOne = { limits: { perPerson: 1, perTenant: 9 } }
    const records = range(5).map(() => record())
    const results = await Promise.all(
      records.map((first, index) =>
        storage.store.insert(first, entryOf(first), { ...limitsOfOne, beside: besideOf(`${index}`) }),
      ),
    )
    assert.deepEqual(await ids(storage), [`${results.findIndex(({ stored }) => stored)}`])
  }),

  verifies(
    "store.compare-and-set",
    "stores only the winner's records when 20 callers in two processes ask the same",
    async (stage) => {
      const storages = [await stage.storage(), await stage.storage()]
      const rivals = range(20).map(() => record({ key: "k", keyReuse: "open" }))
      const results = await Promise.all(
        rivals.map((first, index) =>
          storages[index % 2]!.store.insert(first, entryOf(first), { ...noLimits, beside: besideOf(first.id) }),
        ),
      )
      const winner = rivals[results.findIndex(({ stored }) => stored)]!
      assert.deepEqual(await ids(storages[0]!), [winner.id])
    },
  ),

  claim("keeps an existing record with the same id, and stores the question", async (stage) => {
    const storage = await stage.storage()
    const existing = sample({ id: "taken", owner: "bob" })
    await storage.records(samples).insert(existing)
    const first = record()
    const options = { ...noLimits, beside: [...besideOf("taken"), ...besideOf("free")] }
    assert.deepEqual(await storage.store.insert(first, entryOf(first), options), { stored: true })
    assert.deepEqual(await storage.records(samples).get("taken"), existing)
    assert.deepEqual(await ids(storage), ["free", "taken"])
  }),

  claim("refuses a second kind with the same name, and stores nothing", async (stage) => {
    const storage = await stage.storage()
    storage.records(samples)
    const first = record()
    const sameNameKind = { kind: { ...samples }, record: sample() }
    await assertThrows(
      "invalid_config",
      storage.store.insert(first, entryOf(first), { ...noLimits, beside: [sameNameKind] }),
    )
    assert.equal(await storage.store.get(first.id), undefined)
  }),

  verifies(
    "store.batches-writes",
    "stores 200 questions with three records each in one turn, beside other writes of records",
    async (stage) => {
      const storage = await stage.storage()
      const records = range(200).map(() => record({ audience: { kind: "role", tenant: "acme", role: "admin" } }))
      const stored = await Promise.all([
        ...records.map((first, index) => {
          const beside = range(3).flatMap((number) => besideOf(`${index} ${number}`))
          return storage.store.insert(first, entryOf(first), { ...noLimits, beside })
        }),
        ...range(100).map((index) => storage.records(samples).insert(sample({ id: `single ${index}` }))),
      ])
      assert.ok(stored.every((result) => result === true || (typeof result === "object" && result.stored)))
      assert.equal((await ids(storage)).length, 700)
    },
  ),
]
