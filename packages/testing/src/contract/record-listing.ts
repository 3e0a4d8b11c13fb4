// Listing records: by owner, by due time, by the key that seals them; in order, in pages.

import assert from "node:assert/strict"
import type { KeptRecord, RecordQuery, Records, Retention, SealedRecord } from "@holdpoint/hub/storage"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import type { Sample } from "./record-samples.ts"
import { changed, otherSamples, sample, samples, sealedWith } from "./record-samples.ts"
import { range, readAll, start } from "./samples.ts"

const ids = (listed: readonly KeptRecord[]): readonly string[] => listed.map(({ id }) => id)
const idsInOrder = (listed: readonly KeptRecord[]): readonly string[] => ids(listed).toSorted()

async function insertAll(records: Records<Sample>, samplesToInsert: readonly Sample[]): Promise<readonly Sample[]> {
  assert.ok((await Promise.all(samplesToInsert.map((first) => records.insert(first)))).every(Boolean))
  return samplesToInsert
}

type Paged = Exclude<RecordQuery, { readonly dueBefore: number }>

async function pageThrough(records: Records<Sample>, query: Paged): Promise<readonly Sample[]> {
  const listed: Sample[] = []
  for (;;) {
    const last = listed.at(-1)
    const page = await records.list(last === undefined ? query : { ...query, afterId: last.id })
    assert.ok(page.length <= query.limit)
    // Also makes a storage that repeats pages fail instead of looping endlessly.
    assert.ok(last === undefined || page.every(({ id }) => id !== last.id), "no record is on two pages")
    listed.push(...page)
    if (page.length < query.limit) return listed
  }
}

/** Lists the sealed records of the contract's own kinds: a storage may hold other sealed records, such as its keys. */
async function listSealed(retention: Retention, notWith: string, limit = 100): Promise<readonly SealedRecord[]> {
  const listed: SealedRecord[] = []
  for (;;) {
    const last = listed.at(-1)
    const page = await retention.sealed({ notWith, limit, after: last })
    assert.ok(
      last === undefined ||
        !page.some((candidate) => candidate.record.id === last.record.id && candidate.kind === last.kind),
    )
    listed.push(...page)
    if (page.length < limit) return listed.filter(({ kind }) => kind === samples.name || kind === otherSamples.name)
  }
}

const toSealed = (kind: string, inserted: readonly Sample[]): readonly SealedRecord[] =>
  inserted
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((record) => ({ kind, record: record as SealedRecord["record"] }))

export const recordListing: readonly ContractCase[] = [
  claim("lists a tenant's records and an owner's, and none of another tenant", async (stage) => {
    const records = (await stage.storage()).records(samples)
    const { owner: _, ...unowned } = sample()
    const [ofAlice, ofBob, ofGlobex] = await insertAll(records, [
      sample(),
      sample({ owner: "bob" }),
      sample({ tenant: "globex" }),
      unowned,
    ])
    const list = async (query: { tenant: string; owner?: string }) => ids(await records.list({ ...query, limit: 9 }))
    assert.deepEqual(await list({ tenant: "acme" }), idsInOrder([ofAlice!, ofBob!, unowned]))
    assert.deepEqual(await list({ tenant: "acme", owner: "alice" }), [ofAlice!.id])
    assert.deepEqual(await list({ tenant: "acme", owner: "bob" }), [ofBob!.id])
    assert.deepEqual(await list({ tenant: "globex", owner: "alice" }), [ofGlobex!.id])
    assert.deepEqual(await list({ tenant: "globex", owner: "bob" }), [])
    assert.deepEqual(await list({ tenant: "initech" }), [])
    assert.deepEqual(await list({ tenant: "acme", owner: "" }), [])
  }),

  claim("pages through records in order of id, without gap or repetition", async (stage) => {
    const records = (await stage.storage()).records(samples)
    const inserted = await insertAll(
      records,
      range(40).map((index) => sample({ owner: index % 2 === 0 ? "alice" : "bob" })),
    )
    await insertAll(records, [sample({ tenant: "globex" })])
    const even = inserted.filter((_, index) => index % 2 === 0)
    for (const limit of [1, 7, 40]) {
      const listed = async (query: Paged) => ids(await pageThrough(records, query))
      assert.deepEqual(await listed({ tenant: "acme", limit }), idsInOrder(inserted))
      assert.deepEqual(await listed({ tenant: "acme", owner: "alice", limit }), idsInOrder(even))
    }
  }),

  claim("continues after the last record of a page even if it was removed since", async (stage) => {
    const records = (await stage.storage()).records(samples)
    const inserted = await insertAll(
      records,
      range(6).map(() => sample()),
    )
    const [last] = (await records.list({ tenant: "acme", limit: 3 })).slice(-1)
    await records.remove(last!)
    const remaining = await records.list({ tenant: "acme", afterId: last!.id, limit: 9 })
    assert.deepEqual(ids(remaining), idsInOrder(inserted).slice(3))
  }),

  claim("orders ids by their characters only, whatever collation the database uses", async (stage) => {
    const records = (await stage.storage()).records(samples)
    const names = ["a", "B", "_b", "-c", "Z", "1", "é", "aa", "a-b", "ab", "A"]
    await insertAll(
      records,
      names.map((id) => sample({ id })),
    )
    assert.deepEqual(ids(await pageThrough(records, { tenant: "acme", limit: 2 })), names.toSorted())
  }),

  verifies("store.due-in-order", "lists the due records of all tenants, soonest first", async (stage) => {
    const records = (await stage.storage()).records(samples)
    const times = [30, 10, 20, 0, 40]
    await insertAll(
      records,
      times.map((offset) => sample({ id: `f${offset}`, tenant: `t${offset}`, dueAt: start + offset })),
    )
    await insertAll(records, [sample(), sample({ expiresAt: start })])
    const due = async (now: number, limit = 9) => ids(await records.list({ dueBefore: start + now, limit }))
    assert.deepEqual(await due(-1), [])
    assert.deepEqual(await due(0), ["f0"])
    assert.deepEqual(await due(29), ["f0", "f10", "f20"])
    assert.deepEqual(await due(30, 2), ["f0", "f10"])
    assert.deepEqual(await due(Number.MAX_SAFE_INTEGER - start), ["f0", "f10", "f20", "f30", "f40"])
  }),

  claim("lists records that are due at the same moment in order of id", async (stage) => {
    const records = (await stage.storage()).records(samples)
    const inserted = await insertAll(
      records,
      range(20).map(() => sample({ dueAt: start })),
    )
    const query = { dueBefore: start, limit: 20 }
    assert.deepEqual(ids(await records.list(query)), idsInOrder(inserted))
    assert.deepEqual(ids(await records.list({ ...query, limit: 5 })), idsInOrder(inserted).slice(0, 5))
  }),

  claim("pages through due records, even if many are due at the same moment", async (stage) => {
    const records = (await stage.storage()).records(samples)
    const inserted = await insertAll(
      records,
      range(30).map((index) => sample({ dueAt: start + Math.floor(index / 12) })),
    )
    const inOrder = inserted.toSorted((a, b) => a.dueAt! - b.dueAt! || (a.id < b.id ? -1 : 1))
    for (const limit of [1, 7, 12]) {
      const listed: Sample[] = []
      for (let page = await records.list({ dueBefore: start + 9, limit }); page.length > 0; ) {
        listed.push(...page)
        assert.ok(listed.length <= inserted.length, "no record is on two pages")
        const { dueAt = 0, id } = listed.at(-1)!
        page = await records.list({ dueBefore: start + 9, after: { dueAt, id }, limit })
      }
      assert.deepEqual(ids(listed), ids(inOrder))
    }
  }),

  claim("finds a changed record by its new values, and not by its old ones", async (stage) => {
    const storage = await stage.storage()
    const records = storage.records(samples)
    const sealedWithout = async (key: string) =>
      (await listSealed(storage.retention, key)).map(({ record }) => record.id)
    const first = sample({ dueAt: start + 5 })
    await insertAll(records, [first])
    assert.deepEqual([await sealedWithout("k1"), await sealedWithout("k2")], [[], [first.id]])
    const next = changed(first, { sealed: sealedWith("k2"), owner: "bob", dueAt: start + 50 })
    assert.equal(await records.replace(next), true)
    assert.deepEqual([await sealedWithout("k1"), await sealedWithout("k2")], [[first.id], []])
    assert.deepEqual(await records.list({ tenant: "acme", owner: "alice", limit: 9 }), [])
    assert.deepEqual(await records.list({ dueBefore: start + 49, limit: 9 }), [])
    assert.deepEqual(await records.list({ dueBefore: start + 50, limit: 9 }), [next])
    const { sealed: _, dueAt: __, owner: ___, ...withoutOptional }: Sample = changed(next)
    assert.equal(await records.replace(withoutOptional), true)
    assert.deepEqual([await sealedWithout("k1"), await sealedWithout("k2")], [[], []], "nothing is sealed any more")
    assert.deepEqual(await records.list({ dueBefore: start + 50, limit: 9 }), [])
    assert.deepEqual(await records.list({ tenant: "acme", owner: "bob", limit: 9 }), [])
    await records.remove(withoutOptional)
    assert.deepEqual(await records.list({ tenant: "acme", limit: 9 }), [])
  }),

  claim("pages through records sealed with another key, of every kind and tenant", async (stage) => {
    const { retention, records } = await stage.storage()
    const { sealed: _, ...open } = sample()
    const inserted = range(24).map((index) => sample({ tenant: `t${index % 5}`, sealed: sealedWith(`k${index % 3}`) }))
    await insertAll(records(samples), [...inserted, open])
    await insertAll(records(otherSamples), [...inserted.slice(0, 12), sample({ sealed: sealedWith("k0") })])
    const isOld = ({ sealed }: Sample): boolean => sealed?.keyId !== "k0"
    const expected = [
      ...toSealed(otherSamples.name, inserted.slice(0, 12).filter(isOld)),
      ...toSealed(samples.name, inserted.filter(isOld)),
    ]
    for (const limit of [1, 7, 100]) assert.deepEqual(await listSealed(retention, "k0", limit), expected)
    assert.equal((await listSealed(retention, "")).length, inserted.length + 13, "no key has an empty id")
  }),

  verifies(
    "store.compare-and-set",
    "reseals a record only if it is unchanged since it was read, and changes nothing else in it",
    async (stage) => {
      const storage = await stage.storage()
      const sampleRecords = storage.records(samples)
      const inserted = await insertAll(
        sampleRecords,
        range(3).map((index) => sample({ dueAt: start + index, expiresAt: start + 100 })),
      )
      const sameIdSample = sample({ id: inserted[0]!.id })
      await insertAll(storage.records(otherSamples), [sameIdSample])
      const sealedRecords = toSealed(samples.name, inserted)
      const resealed = sealedRecords.map(({ kind, record }) => ({
        kind,
        record: changed(record, { sealed: sealedWith("k2") }),
      }))
      const busy = changed(inserted[1]!, { body: "meanwhile" })
      await sampleRecords.replace(busy)
      assert.equal(await storage.retention.reseal(resealed), 2)
      assert.equal(await storage.retention.reseal(resealed), 0)
      assert.deepEqual(await sampleRecords.get(busy.id), busy, "who was faster is not overwritten")
      assert.deepEqual(
        await storage.records(otherSamples).get(sameIdSample.id),
        sameIdSample,
        "nor is another kind's of that id",
      )
      const due = await sampleRecords.list({ dueBefore: start + 9, limit: 9 })
      assert.deepEqual(ids(due), ids(inserted))
      assert.deepEqual(due[0], changed(inserted[0]!, { sealed: sealedWith("k2") }))
      assert.equal((await sampleRecords.list({ tenant: "acme", owner: "alice", limit: 9 })).length, 3)
      assert.deepEqual(ids((await listSealed(storage.retention, "k2")).map(({ record }) => record)), [
        sameIdSample.id,
        busy.id,
      ])
      assert.deepEqual(await readAll(storage.trail), [], "nothing is told")
    },
  ),
]
