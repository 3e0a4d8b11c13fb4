// Records: written by compare-and-set, each write in one step with its trail entry.

import assert from "node:assert/strict"
import type { Storage } from "@holdpoint/hub"
import type { Records } from "@holdpoint/hub/storage"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import type { Sample } from "./record-samples.ts"
import { changed, entryFor, otherSamples, sample, samples, sealedWith } from "./record-samples.ts"
import { assertThrows, entryOf, insert, noLimits, range, readAll, record, start, waitForEntries } from "./samples.ts"

/** Stores, changes and removes a record. */
async function runThroughLife(records: Records<Sample>, first: Sample, changes: Partial<Sample>): Promise<void> {
  assert.equal(await records.insert(first), true)
  assert.deepEqual(await records.get(first.id), first)
  const next = changed(first, changes)
  assert.equal(await records.replace(next), true)
  assert.deepEqual(await records.get(first.id), next)
  assert.equal(await records.remove(next), true)
  assert.equal(await records.get(first.id), undefined)
}

async function count({ trail }: Storage): Promise<number> {
  return (await readAll(trail)).length
}

export const records: readonly ContractCase[] = [
  verifies("store.keeps-everything", "returns a record with every member, until it is removed", async (stage) => {
    const storage = await stage.storage()
    const records = storage.records(samples)
    await runThroughLife(records, sample({ owner: "bob", dueAt: start, expiresAt: start + 1 }), {
      body: [],
      dueAt: start + 9,
    })
    await runThroughLife(records, { id: "bare", tenant: "", version: 1, body: "" }, { body: 0, owner: "somebody" })
    await runThroughLife(storage.records(otherSamples), sample(), { sealed: sealedWith("k2", {}) })
    assert.deepEqual(await readAll(storage.trail), [], "nothing was to be told")
  }),

  claim("keeps records of different kinds apart even if their ids are equal", async (stage) => {
    const storage = await stage.storage()
    const [sampleRecords, otherRecords] = [storage.records(samples), storage.records(otherSamples)]
    const [first, other] = [sample({ id: "1" }), sample({ id: "1", owner: "bob", dueAt: start })]
    assert.deepEqual(await Promise.all([sampleRecords.insert(first), otherRecords.insert(other)]), [true, true])
    assert.deepEqual([await sampleRecords.get("1"), await otherRecords.get("1")], [first, other])
    assert.deepEqual(await sampleRecords.list({ tenant: "acme", limit: 9 }), [first])
    assert.deepEqual(await otherRecords.list({ tenant: "acme", owner: "alice", limit: 9 }), [])
    assert.deepEqual(await sampleRecords.list({ dueBefore: start, limit: 9 }), [])
    assert.equal(await otherRecords.remove(other), true)
    assert.deepEqual(await sampleRecords.get("1"), first)
  }),

  claim("returns the same records for the same kind, and refuses a second kind with its name", async (stage) => {
    const storage = await stage.storage()
    assert.equal(storage.records(samples), storage.records(samples))
    await assertThrows("invalid_config", (async () => storage.records({ ...samples }))())
    assert.notEqual(storage.records(otherSamples), storage.records(samples))
  }),

  claim("stores a record once: a taken id changes nothing and adds no trail entry", async (stage) => {
    const storage = await stage.storage()
    const records = storage.records(samples)
    const first = sample()
    assert.equal(await records.insert(first, entryFor(first)), true)
    const second = { ...first, body: "another" }
    assert.equal(await records.insert(second, entryFor(second)), false)
    const foreign = { ...first, tenant: "globex" }
    assert.equal(await records.insert(foreign, entryFor(foreign)), false)
    assert.deepEqual(await records.get(first.id), first)
    assert.equal(await count(storage), 1)
  }),

  verifies(
    "store.compare-and-set",
    "changes and removes a record only from the version that is stored",
    async (stage) => {
      const storage = await stage.storage()
      const records = storage.records(samples)
      const first = sample()
      const unknown = [records.replace(first, entryFor(first)), records.remove(first, entryFor(first))]
      assert.deepEqual(await Promise.all(unknown), [false, false], "there is nothing yet")
      await records.insert(first)
      const [second, third] = [changed(first), changed(changed(first))]
      assert.equal(await records.replace(first, entryFor(first)), false)
      assert.equal(await records.replace(third, entryFor(third)), false)
      assert.equal(await records.remove(second, entryFor(second)), false)
      assert.deepEqual(await records.get(first.id), first)
      assert.equal(await records.replace(second, entryFor(second)), true)
      assert.equal(await records.remove(first, entryFor(first)), false)
      assert.equal(await records.remove(second, entryFor(second, "disconnected")), true)
      assert.equal(await records.replace(third, entryFor(third)), false)
      assert.equal(await records.insert(first, entryFor(first)), true, "the id is free again")
      const kinds = (await readAll(storage.trail)).map(({ kind }) => kind)
      assert.deepEqual(kinds, ["connected", "disconnected", "connected"])
    },
  ),

  verifies(
    ["store.compare-and-set", "trail.records-every-step"],
    "lets exactly one of 20 concurrent changes, inserts and removals win, with the only trail entry",
    async (stage) => {
      const storages = [await stage.storage(), await stage.storage()]
      const recordsOf = (index: number): Records<Sample> => storages[index % 2]!.records(samples)
      const countSuccesses = async (write: (index: number) => Promise<boolean>): Promise<number> => {
        const results = await Promise.all(range(20).map(write))
        assert.equal(results.filter(Boolean).length, 1)
        return results.indexOf(true)
      }
      const first = sample()
      const sampleOf = (index: number) => ({ ...first, owner: `${index}` })
      const inserted = await countSuccesses((index) =>
        recordsOf(index).insert(sampleOf(index), entryFor(first, "connected")),
      )
      const next = (index: number) => changed(sampleOf(index))
      const replaced = await countSuccesses((index) =>
        recordsOf(index).replace(next(index), entryFor(first, "refreshed")),
      )
      assert.notEqual(inserted, -1)
      assert.deepEqual(await recordsOf(0).get(first.id), next(replaced))
      const last = next(replaced)
      await countSuccesses((index) => recordsOf(index).remove(last, entryFor(first, "disconnected")))
      const kinds = (await readAll(storages[0]!.trail)).map(({ kind }) => kind)
      assert.deepEqual(kinds, ["connected", "refreshed", "disconnected"])
    },
  ),

  claim("lets a change or a removal win, never both", async (stage) => {
    const [firstOpening, secondOpening] = [await stage.storage(), await stage.storage()]
    for (const _ of range(10)) {
      const first = sample()
      await firstOpening.records(samples).insert(first)
      const next = changed(first)
      const [isChanged, isRemoved] = await Promise.all([
        firstOpening.records(samples).replace(next, entryFor(next, "signed_in")),
        secondOpening.records(samples).remove(first, entryFor(first, "signed_out")),
      ])
      assert.notEqual(isChanged, isRemoved)
      assert.deepEqual(await firstOpening.records(samples).get(first.id), isChanged ? next : undefined)
      const kinds = (await readAll(firstOpening.trail, { id: first.id })).map(({ kind }) => kind)
      assert.deepEqual(kinds, [isChanged ? "signed_in" : "signed_out"])
    }
  }),

  verifies(
    ["trail.complete-in-order", "store.wakes-processes"],
    "notifies listeners in both openings of the entries about records, in the order of the trail",
    async (stage) => {
      const [firstOpening, secondOpening] = [await stage.storage(), await stage.storage()]
      const notifications = [firstOpening, secondOpening].map(({ trail }) =>
        waitForEntries(trail, (entries) => entries.length === 40),
      )
      await Promise.all(
        range(10).map(async (index) => {
          const storage = [firstOpening, secondOpening][index % 2]!
          const records = storage.records(samples)
          const first = sample()
          await records.insert(first, entryFor(first))
          const next = changed(first)
          const question = record()
          await Promise.all([
            records.replace(next, entryFor(next, "refreshed")),
            records.replace(next, entryFor(next, "reauth_needed")),
            storage.store.insert(question, entryOf(question), noLimits),
          ])
          await records.remove(next, entryFor(next, "disconnected"))
        }),
      )
      const entries = await readAll(firstOpening.trail)
      assert.equal(entries.filter(({ kind }) => kind === "reauth_needed").length, 0)
      assert.deepEqual(await Promise.all(notifications), [entries, entries])
    },
  ),

  claim("adds the given trail entry unchanged, even if it is about something other than the record", async (stage) => {
    const storage = await stage.storage()
    const question = await insert(storage, record())
    const stored = sample()
    const owner = { kind: "project", tenant: "acme", project: "site" } as const
    const facts = { provider: "calendar", owner, version: 3, scopes: ["a"] }
    const entry = { ...entryFor(stored, "disconnected"), id: "another", detail: { connection: facts } }
    assert.equal(await storage.records(samples).insert(stored, entry), true)
    const shownEntry = { ...entryOf(question, "shown"), revision: 7 }
    assert.equal(await storage.records(samples).remove(stored, shownEntry), true)
    assert.deepEqual((await readAll(storage.trail)).slice(1), [
      { ...entry, position: 2 },
      { ...shownEntry, position: 3 },
    ])
  }),

  verifies("store.keeps-everything", "keeps records across a restart", async (stage) => {
    const storage = await stage.storage()
    const [first, removed, other] = [sample(), sample(), sample({ owner: "bob", dueAt: start })]
    const next = changed(first, { body: "changed" })
    const records = storage.records(samples)
    await Promise.all([records.insert(first), records.insert(removed), storage.records(otherSamples).insert(other)])
    await Promise.all([records.replace(next, entryFor(next)), records.remove(removed)])
    await stage.restart()
    const reopened = await stage.storage()
    assert.deepEqual(await reopened.records(samples).list({ tenant: "acme", limit: 9 }), [next])
    assert.deepEqual(await reopened.records(otherSamples).list({ tenant: "acme", owner: "bob", limit: 9 }), [other])
    assert.deepEqual(await reopened.records(otherSamples).list({ dueBefore: start, limit: 9 }), [other])
    assert.equal(await reopened.records(samples).replace(changed(first)), false)
    assert.equal(await reopened.records(samples).replace(changed(next)), true)
    assert.equal(await count(reopened), 1)
  }),

  verifies("store.keeps-everything", "keeps any characters in a record and its owner", async (stage) => {
    const records = (await stage.storage()).records(samples)
    const oddTexts = [
      "'; DROP TABLE x --",
      '"\\',
      "é漢👍",
      "%_",
      "\u202e",
      "a\nb\tc",
      "$1",
      "ﬀ\ue000",
      " ",
      "$procedure$",
    ]
    const firsts = oddTexts.map((id) =>
      sample({
        id,
        tenant: `of ${id}`,
        owner: `by ${id}`,
        body: `${id}\0\ud800`,
        sealed: sealedWith(id, { [id]: id }),
      }),
    )
    assert.deepEqual(
      await Promise.all(firsts.map((first) => records.insert(first, entryFor(first)))),
      firsts.map(() => true),
    )
    for (const first of firsts) {
      assert.deepEqual(await records.get(first.id), first)
      assert.deepEqual(await records.list({ tenant: first.tenant, limit: 9 }), [first])
      assert.deepEqual(await records.list({ tenant: first.tenant, owner: `by ${first.id}`, limit: 9 }), [first])
    }
  }),

  verifies(
    "store.batches-writes",
    "isolates reads and writes from concurrent text that cannot be stored",
    async (stage) => {
      const records = (await stage.storage()).records(samples)
      const storable = sample()
      await records.insert(storable)
      for (const text of ["a\0b", "\ud800"]) {
        assert.deepEqual(await Promise.all([records.get(text), records.get(storable.id)]), [undefined, storable])
        assert.deepEqual(await records.list({ tenant: text, limit: 9 }), [])
        assert.deepEqual(await records.list({ tenant: "acme", owner: text, limit: 9 }), [])
        const [unstorable, neighbour] = [sample({ tenant: text }), sample()]
        const [, stored] = await Promise.allSettled([records.insert(unstorable), records.insert(neighbour)])
        assert.deepEqual(stored, { status: "fulfilled", value: true })
        assert.deepEqual(await records.get(neighbour.id), neighbour)
      }
    },
  ),

  verifies(
    "store.batches-writes",
    "stores, changes and reads 1,000 records of two kinds in one turn",
    async (stage) => {
      const storage = await stage.storage()
      const [records, otherRecords] = [storage.records(samples), storage.records(otherSamples)]
      const samplesToInsert = range(1_000).map((index) => sample({ body: index }))
      const inserted = await Promise.all([
        ...samplesToInsert.map((first) => records.insert(first, entryFor(first))),
        ...samplesToInsert.slice(0, 100).map((first) => otherRecords.insert(first, entryFor(first, "signed_in"))),
        ...range(100).map(() => otherRecords.insert(sample())),
      ])
      assert.ok(inserted.every(Boolean))
      const changedRecords = samplesToInsert.map((first) => changed(first))
      assert.ok(
        (await Promise.all(changedRecords.map((record) => records.replace(record, entryFor(record))))).every(Boolean),
      )
      assert.deepEqual(await Promise.all(changedRecords.map(({ id }) => records.get(id))), changedRecords)
      assert.equal(await count(storage), 2_100)
    },
  ),
]
