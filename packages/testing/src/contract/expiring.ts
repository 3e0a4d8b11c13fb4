// Records that expire: retention removes them without knowing their kind, when they expire and not before.

import assert from "node:assert/strict"
import type { Storage } from "@holdpoint/hub"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import { changed, otherSamples, sample, samples } from "./record-samples.ts"
import { day, minute, range, readAll, start } from "./samples.ts"

const storedIds = async ({ records }: Storage): Promise<readonly (readonly string[])[]> => {
  const listed = [samples, otherSamples].map((kind) => records(kind).list({ tenant: "acme", limit: 1_000 }))
  return (await Promise.all(listed)).map((listedRecords) => listedRecords.map(({ id }) => id))
}

/** Deletes the records that expire at or before `recordExpiresBy`, and nothing else. Returns their number. */
const forget = async ({ retention }: Storage, recordExpiresBy: number): Promise<number> => {
  const neverCutoffs = { contentReadBefore: 0, contentSettledBefore: 0, questionSettledBefore: 0 }
  return (await retention.forget({ ...neverCutoffs, recordExpiresBy })).records
}

export const expiring: readonly ContractCase[] = [
  claim("removes records of every kind when they expire, not before, without a trail entry", async (stage) => {
    const storage = await stage.storage()
    const hub = await stage.hub({ storage })
    for (const kind of [samples, otherSamples]) {
      await storage.records(kind).insert(sample({ id: "later", expiresAt: start + 2 * minute }))
      await storage.records(kind).insert(sample({ id: "sooner", expiresAt: start + minute }))
      await storage.records(kind).insert(sample({ id: "never", dueAt: start }))
    }
    stage.clock.set(start + minute - 1)
    assert.equal((await hub.sweep()).recordsForgotten, 0)
    stage.clock.set(start + minute)
    assert.equal((await hub.sweep()).recordsForgotten, 2)
    assert.deepEqual(await storedIds(storage), [
      ["later", "never"],
      ["later", "never"],
    ])
    stage.clock.set(start + day)
    assert.equal((await hub.sweep()).recordsForgotten, 2)
    assert.deepEqual(await storedIds(storage), [["never"], ["never"]])
    assert.deepEqual(await readAll(storage.trail), [], "no entry is written")
  }),

  claim("removes expired records of a kind that this opening does not know", async (stage) => {
    const storage = await stage.storage()
    await storage.records(samples).insert(sample({ expiresAt: start }))
    const there = await stage.storage()
    assert.equal(await forget(there, start), 1)
    assert.deepEqual(await storedIds(storage), [[], []])
  }),

  claim("never removes a record without an expiry", async (stage) => {
    const storage = await stage.storage()
    await storage.records(samples).insert(sample({ id: "endless" }))
    assert.equal(await forget(storage, Number.MAX_SAFE_INTEGER), 0)
    assert.deepEqual(await storedIds(storage), [["endless"], []])
  }),

  verifies(
    "store.compare-and-set",
    "keeps a record whose expiry was extended, and removes one whose expiry was shortened",
    async (stage) => {
      const storage = await stage.storage()
      const records = storage.records(samples)
      const [prolonged, shortened] = [sample({ expiresAt: start }), sample({ expiresAt: start + day })]
      await Promise.all([records.insert(prolonged), records.insert(shortened)])
      await records.replace(changed(prolonged, { expiresAt: start + day }))
      await records.replace(changed(shortened, { expiresAt: start }))
      assert.equal(await forget(storage, start), 1)
      assert.deepEqual(await storedIds(storage), [[prolonged.id], []])
    },
  ),

  claim("removes many pages of records in two concurrent runs, each record once", async (stage) => {
    const [firstOpening, secondOpening] = [await stage.storage(), await stage.storage()]
    const records = range(2_300).map((index) => sample({ expiresAt: start + (index < 2_260 ? 0 : 1) }))
    assert.ok((await Promise.all(records.map((first) => firstOpening.records(samples).insert(first)))).every(Boolean))
    const counts = await Promise.all([forget(firstOpening, start), forget(secondOpening, start)])
    // Either run may stop at a page that the other one has just deleted.
    assert.equal(counts[0] + counts[1] + (await forget(firstOpening, start)), 2_260)
    assert.equal((await storedIds(secondOpening))[0]?.length, 40)
  }),
]
