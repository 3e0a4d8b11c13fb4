// Records: written by compare-and-set, each write in one step with its trail entry.

import assert from "node:assert/strict"
import type { Records } from "../../ports/records.ts"
import type { Storage } from "../../ports/storage.ts"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import type { Sample } from "./record-samples.ts"
import { changed, others, sample, samples, sealedWith, tellOf } from "./record-samples.ts"
import { assertThrows, entryOf, heard, insert, noLimits, range, readAll, record, start } from "./samples.ts"

/** Stores, changes and removes a record. */
async function live(records: Records<Sample>, first: Sample, changes: Partial<Sample>): Promise<void> {
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
    const kept = storage.records(samples)
    await live(kept, sample({ owner: "bob", dueAt: start, expiresAt: start + 1 }), { body: [], dueAt: start + 9 })
    await live(kept, { id: "bare", tenant: "", version: 1, body: "" }, { body: 0, owner: "somebody" })
    await live(storage.records(others), sample(), { sealed: sealedWith("k2", {}) })
    assert.deepEqual(await readAll(storage.trail), [], "nothing was to be told")
  }),

  claim("keeps kinds of records apart although they have one id", async (stage) => {
    const storage = await stage.storage()
    const [here, there] = [storage.records(samples), storage.records(others)]
    const [kept, other] = [sample({ id: "1" }), sample({ id: "1", owner: "bob", dueAt: start })]
    assert.deepEqual(await Promise.all([here.insert(kept), there.insert(other)]), [true, true])
    assert.deepEqual([await here.get("1"), await there.get("1")], [kept, other])
    assert.deepEqual(await here.list({ tenant: "acme", limit: 9 }), [kept])
    assert.deepEqual(await there.list({ tenant: "acme", owner: "alice", limit: 9 }), [])
    assert.deepEqual(await here.list({ dueBefore: start, limit: 9 }), [])
    assert.equal(await there.remove(other), true)
    assert.deepEqual(await here.get("1"), kept)
  }),

  claim("returns the same records for the same kind, and refuses a second kind with its name", async (stage) => {
    const storage = await stage.storage()
    assert.equal(storage.records(samples), storage.records(samples))
    await assertThrows("invalid_config", (async () => storage.records({ ...samples }))())
    assert.notEqual(storage.records(others), storage.records(samples))
  }),

  claim("stores a record once: a taken id changes nothing and adds no trail entry", async (stage) => {
    const storage = await stage.storage()
    const kept = storage.records(samples)
    const first = sample()
    assert.equal(await kept.insert(first, tellOf(first)), true)
    const second = { ...first, body: "another" }
    assert.equal(await kept.insert(second, tellOf(second)), false)
    const foreign = { ...first, tenant: "globex" }
    assert.equal(await kept.insert(foreign, tellOf(foreign)), false)
    assert.deepEqual(await kept.get(first.id), first)
    assert.equal(await count(storage), 1)
  }),

  verifies(
    "store.compare-and-set",
    "changes and removes a record only from the version that is stored",
    async (stage) => {
      const storage = await stage.storage()
      const kept = storage.records(samples)
      const first = sample()
      const unknown = [kept.replace(first, tellOf(first)), kept.remove(first, tellOf(first))]
      assert.deepEqual(await Promise.all(unknown), [false, false], "there is nothing yet")
      await kept.insert(first)
      const [second, third] = [changed(first), changed(changed(first))]
      assert.equal(await kept.replace(first, tellOf(first)), false)
      assert.equal(await kept.replace(third, tellOf(third)), false)
      assert.equal(await kept.remove(second, tellOf(second)), false)
      assert.deepEqual(await kept.get(first.id), first)
      assert.equal(await kept.replace(second, tellOf(second)), true)
      assert.equal(await kept.remove(first, tellOf(first)), false)
      assert.equal(await kept.remove(second, tellOf(second, "disconnected")), true)
      assert.equal(await kept.replace(third, tellOf(third)), false)
      assert.equal(await kept.insert(first, tellOf(first)), true, "the id is free again")
      const kinds = (await readAll(storage.trail)).map(({ kind }) => kind)
      assert.deepEqual(kinds, ["connected", "disconnected", "connected"])
    },
  ),

  verifies(
    ["store.compare-and-set", "trail.records-every-step"],
    "lets exactly one of 20 concurrent changes, inserts and removals win, and tells of that one only",
    async (stage) => {
      const storages = [await stage.storage(), await stage.storage()]
      const at = (index: number): Records<Sample> => storages[index % 2]!.records(samples)
      const race = async (write: (index: number) => Promise<boolean>): Promise<number> => {
        const results = await Promise.all(range(20).map(write))
        assert.equal(results.filter(Boolean).length, 1)
        return results.indexOf(true)
      }
      const first = sample()
      const made = (index: number) => ({ ...first, owner: `${index}` })
      const inserted = await race((index) => at(index).insert(made(index), tellOf(first, "connected")))
      const next = (index: number) => changed(made(index))
      const replaced = await race((index) => at(index).replace(next(index), tellOf(first, "refreshed")))
      assert.notEqual(inserted, -1)
      assert.deepEqual(await at(0).get(first.id), next(replaced))
      const last = next(replaced)
      await race((index) => at(index).remove(last, tellOf(first, "disconnected")))
      const kinds = (await readAll(storages[0]!.trail)).map(({ kind }) => kind)
      assert.deepEqual(kinds, ["connected", "refreshed", "disconnected"])
    },
  ),

  claim("lets a change or a removal win, never both", async (stage) => {
    const [here, there] = [await stage.storage(), await stage.storage()]
    for (const _ of range(10)) {
      const first = sample()
      await here.records(samples).insert(first)
      const next = changed(first)
      const [isChanged, isRemoved] = await Promise.all([
        here.records(samples).replace(next, tellOf(next, "signed_in")),
        there.records(samples).remove(first, tellOf(first, "signed_out")),
      ])
      assert.notEqual(isChanged, isRemoved)
      assert.deepEqual(await here.records(samples).get(first.id), isChanged ? next : undefined)
      const told = (await readAll(here.trail, { id: first.id })).map(({ kind }) => kind)
      assert.deepEqual(told, [isChanged ? "signed_in" : "signed_out"])
    }
  }),

  verifies(
    ["trail.complete-in-order", "store.wakes-processes"],
    "notifies listeners of both openings of record entries, in the order of the trail",
    async (stage) => {
      const [here, there] = [await stage.storage(), await stage.storage()]
      const told = [here, there].map(({ trail }) => heard(trail, (entries) => entries.length === 40))
      await Promise.all(
        range(10).map(async (index) => {
          const storage = [here, there][index % 2]!
          const kept = storage.records(samples)
          const first = sample()
          await kept.insert(first, tellOf(first))
          const next = changed(first)
          const question = record()
          await Promise.all([
            kept.replace(next, tellOf(next, "refreshed")),
            kept.replace(next, tellOf(next, "reauth_needed")),
            storage.store.insert(question, entryOf(question), noLimits),
          ])
          await kept.remove(next, tellOf(next, "disconnected"))
        }),
      )
      const entries = await readAll(here.trail)
      assert.equal(entries.filter(({ kind }) => kind === "reauth_needed").length, 0)
      assert.deepEqual(await Promise.all(told), [entries, entries])
    },
  ),

  claim("notifies of the entry as given, even if it is about something else than the record", async (stage) => {
    const storage = await stage.storage()
    const question = await insert(storage, record())
    const kept = sample()
    const owner = { kind: "project", tenant: "acme", project: "site" } as const
    const facts = { provider: "calendar", owner, version: 3, scopes: ["a"] }
    const entry = { ...tellOf(kept, "disconnected"), id: "another", detail: { connection: facts } }
    assert.equal(await storage.records(samples).insert(kept, entry), true)
    const shown = { ...entryOf(question, "shown"), revision: 7 }
    assert.equal(await storage.records(samples).remove(kept, shown), true)
    assert.deepEqual((await readAll(storage.trail)).slice(1), [
      { ...entry, position: 2 },
      { ...shown, position: 3 },
    ])
  }),

  verifies("store.keeps-everything", "takes records through a restart", async (stage) => {
    const storage = await stage.storage()
    const [first, gone, other] = [sample(), sample(), sample({ owner: "bob", dueAt: start })]
    const next = changed(first, { body: "changed" })
    const kept = storage.records(samples)
    await Promise.all([kept.insert(first), kept.insert(gone), storage.records(others).insert(other)])
    await Promise.all([kept.replace(next, tellOf(next)), kept.remove(gone)])
    await stage.restart()
    const again = await stage.storage()
    assert.deepEqual(await again.records(samples).list({ tenant: "acme", limit: 9 }), [next])
    assert.deepEqual(await again.records(others).list({ tenant: "acme", owner: "bob", limit: 9 }), [other])
    assert.deepEqual(await again.records(others).list({ dueBefore: start, limit: 9 }), [other])
    assert.equal(await again.records(samples).replace(changed(first)), false)
    assert.equal(await again.records(samples).replace(changed(next)), true)
    assert.equal(await count(again), 1)
  }),

  verifies("store.keeps-everything", "keeps whatever characters a record and its owner hold", async (stage) => {
    const kept = (await stage.storage()).records(samples)
    const odd = ["'; DROP TABLE x --", '"\\', "é漢👍", "%_", "\u202e", "a\nb\tc", "$1", "ﬀ\ue000", " ", "$procedure$"]
    const made = odd.map((id) =>
      sample({
        id,
        tenant: `of ${id}`,
        owner: `by ${id}`,
        body: `${id}\0\ud800`,
        sealed: sealedWith(id, { [id]: id }),
      }),
    )
    assert.deepEqual(
      await Promise.all(made.map((first) => kept.insert(first, tellOf(first)))),
      made.map(() => true),
    )
    for (const first of made) {
      assert.deepEqual(await kept.get(first.id), first)
      assert.deepEqual(await kept.list({ tenant: first.tenant, limit: 9 }), [first])
      assert.deepEqual(await kept.list({ tenant: first.tenant, owner: `by ${first.id}`, limit: 9 }), [first])
    }
  }),

  verifies(
    "store.batches-writes",
    "isolates reads and writes from concurrent text that cannot be stored",
    async (stage) => {
      const kept = (await stage.storage()).records(samples)
      const good = sample()
      await kept.insert(good)
      for (const text of ["a\0b", "\ud800"]) {
        assert.deepEqual(await Promise.all([kept.get(text), kept.get(good.id)]), [undefined, good])
        assert.deepEqual(await kept.list({ tenant: text, limit: 9 }), [])
        assert.deepEqual(await kept.list({ tenant: "acme", owner: text, limit: 9 }), [])
        const [bad, neighbour] = [sample({ tenant: text }), sample()]
        const [, stored] = await Promise.allSettled([kept.insert(bad), kept.insert(neighbour)])
        assert.deepEqual(stored, { status: "fulfilled", value: true })
        assert.deepEqual(await kept.get(neighbour.id), neighbour)
      }
    },
  ),

  verifies(
    "store.batches-writes",
    "stores, changes and reads 1,000 records of two kinds in one turn",
    async (stage) => {
      const storage = await stage.storage()
      const [kept, beside] = [storage.records(samples), storage.records(others)]
      const made = range(1_000).map((index) => sample({ body: index }))
      const inserted = await Promise.all([
        ...made.map((first) => kept.insert(first, tellOf(first))),
        ...made.slice(0, 100).map((first) => beside.insert(first, tellOf(first, "signed_in"))),
        ...range(100).map(() => beside.insert(sample())),
      ])
      assert.ok(inserted.every(Boolean))
      const next = made.map((first) => changed(first))
      assert.ok((await Promise.all(next.map((one) => kept.replace(one, tellOf(one))))).every(Boolean))
      assert.deepEqual(await Promise.all(next.map(({ id }) => kept.get(id))), next)
      assert.equal(await count(storage), 2_100)
    },
  ),
]
