// Limits on open questions are exact across all opened storages, and do not count settled or refused questions.

import assert from "node:assert/strict"
import type { Storage } from "@holdpoint/hub"
import type { FormElicitation } from "@holdpoint/hub/internal"
import type { Inserted } from "@holdpoint/hub/storage"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import { alice, assertThrows, bob, completed, entryOf, formDraft, insert, person, range, record } from "./samples.ts"

const perPerson = { perPerson: 20, perTenant: 1_000 }
const perTenant = { perPerson: 1_000, perTenant: 20 }

const insertAll = (
  storages: readonly Storage[],
  records: readonly FormElicitation[],
  limits: typeof perPerson,
): Promise<readonly Inserted[]> =>
  Promise.all(
    records.map((first, index) => storages[index % storages.length]!.store.insert(first, entryOf(first), { limits })),
  )

const countStored = (results: readonly Inserted[]): number => results.filter((result) => result.stored).length
const countRefused = (results: readonly Inserted[], limit: string): number =>
  results.filter((result) => "full" in result && result.full === limit).length

export const limits: readonly ContractCase[] = [
  verifies(
    "limit.per-person-and-tenant",
    "stores exactly 20 of 50 concurrent questions to one person, through two openings",
    async (stage) => {
      const storages = [await stage.storage(), await stage.storage()]
      const results = await insertAll(
        storages,
        range(50).map(() => record()),
        perPerson,
      )
      assert.deepEqual([countStored(results), countRefused(results, "person")], [20, 30])
      const open = await storages[1]!.store.list({ tenant: "acme", principal: alice, state: "open", limit: 100 })
      assert.equal(open.length, 20)
      assert.equal(await storages[0]!.trail.end(), 20)
    },
  ),

  claim("stores exactly 20 of 50 concurrent questions in one tenant, through two openings", async (stage) => {
    const storages = [await stage.storage(), await stage.storage()]
    const records = range(50).map((index) => record({ audience: { kind: "one", principal: person(`p${index}`) } }))
    const results = await insertAll(storages, records, perTenant)
    assert.deepEqual([countStored(results), countRefused(results, "tenant")], [20, 30])
    assert.equal((await storages[0]!.store.list({ tenant: "acme", state: "open", limit: 100 })).length, 20)
    const inOtherTenant = record({
      tenant: "globex",
      audience: { kind: "one", principal: person("x", { tenant: "globex" }) },
    })
    assert.deepEqual(await storages[0]!.store.insert(inOtherTenant, entryOf(inOtherTenant), { limits: perTenant }), {
      stored: true,
    })
  }),

  claim("counts a question to several people for each of them", async (stage) => {
    const storage = await stage.storage()
    const bothPeople = { kind: "any", principals: [alice, bob] } as const
    const results = await insertAll(
      [storage],
      range(25).map(() => record({ audience: bothPeople })),
      perPerson,
    )
    assert.equal(countStored(results), 20)
    for (const principal of [alice, bob]) {
      const [result] = await insertAll([storage], [record({ audience: { kind: "one", principal } })], perPerson)
      assert.deepEqual(result, { stored: false, full: "person" })
    }
    const [otherResult] = await insertAll(
      [storage],
      [record({ audience: { kind: "one", principal: person("c") } })],
      perPerson,
    )
    assert.deepEqual(otherResult, { stored: true })
  }),

  claim("counts questions to one person and to several together, even in one turn", async (stage) => {
    const storages = [await stage.storage(), await stage.storage()]
    const bothPeople = { kind: "any", principals: [alice, bob] } as const
    const onePerson = { kind: "one", principal: alice } as const
    const records = range(45).map((index) => record({ audience: index % 3 === 0 ? onePerson : bothPeople }))
    const results = await insertAll(storages, records, perPerson)
    assert.deepEqual([countStored(results), countRefused(results, "person")], [20, 25])
  }),

  claim("frees a place for each person when a question to several people is settled", async (stage) => {
    const storage = await stage.storage()
    const limits = { perPerson: 2, perTenant: 1_000 }
    const audience = { kind: "any", principals: [alice, bob] } as const
    const toOthers = range(9).map((index) => record({ audience: { kind: "one", principal: person(`p${index}`) } }))
    assert.equal(countStored(await insertAll([storage], toOthers, limits)), 9)
    for (const first of range(4).map(() => record({ audience }))) {
      assert.equal(countStored(await insertAll([storage], [first, record()], limits)), 2)
      const results = await insertAll([storage], [record(), record({ audience })], limits)
      assert.deepEqual([countStored(results), countRefused(results, "person")], [0, 2])
      for (const open of await storage.store.list({ tenant: "acme", principal: alice, state: "open", limit: 9 })) {
        const next = completed(open)
        assert.equal(await storage.store.replace(next, entryOf(next)), true)
      }
    }
  }),

  claim("enforces the limit of a tenant that was far below it when this process last counted", async (stage) => {
    const storages = [await stage.storage(), await stage.storage()]
    const ofPerson = (index: number) => record({ audience: { kind: "one", principal: person(`p${index}`) } })
    const firstQuestions = range(3).map(ofPerson)
    for (const first of firstQuestions) for (const storage of storages) await insertAll([storage], [first], perTenant)
    const others = await insertAll([storages[1]!], range(10).map(ofPerson), perTenant)
    assert.equal(countStored(others), 10)
    const results = await insertAll(storages, range(40).map(ofPerson), perTenant)
    assert.deepEqual([countStored(results), countRefused(results, "tenant")], [7, 33])
    const next = completed(firstQuestions[0]!)
    assert.equal(await storages[1]!.store.replace(next, entryOf(next)), true)
    assert.equal(countStored(await insertAll(storages, range(4).map(ofPerson), perTenant)), 1)
  }),

  claim("enforces the limit of a tenant when two processes far below it insert at the same time", async (stage) => {
    const storages = [await stage.storage(), await stage.storage()]
    const ofPerson = (index: number) => record({ audience: { kind: "one", principal: person(`p${index}`) } })
    for (const first of range(3).map(ofPerson))
      for (const storage of storages) await insertAll([storage], [first], perTenant)
    const results = await insertAll(storages, range(28).map(ofPerson), perTenant)
    assert.deepEqual([countStored(results), countRefused(results, "tenant")], [17, 11])
  }),

  claim("counts a question to a role for the tenant only", async (stage) => {
    const storage = await stage.storage()
    const role = { kind: "role", tenant: "acme", role: "admin" } as const
    const limits = { perPerson: 2, perTenant: 20 }
    const results = await insertAll(
      [storage],
      range(25).map(() => record({ audience: role })),
      limits,
    )
    assert.deepEqual([countStored(results), countRefused(results, "tenant")], [20, 5])
  }),

  claim("frees a place when a question is settled, and only then", async (stage) => {
    const storage = await stage.storage()
    const limitsOfOne = { perPerson: 1, perTenant: 1 }
    const first = await insert(storage, record())
    const joined = { ...first, revision: 2, holders: 2 }
    assert.equal(await storage.store.replace(joined, entryOf(joined, "joined")), true)
    assert.equal(countStored(await insertAll([storage], [record()], limitsOfOne)), 0)
    const settled = completed(joined)
    assert.equal(await storage.store.replace(settled, entryOf(settled)), true)
    assert.equal(countStored(await insertAll([storage], [record()], limitsOfOne)), 1)
    assert.equal(countStored(await insertAll([storage], [record()], limitsOfOne)), 0)
  }),

  claim("counts correctly after many concurrent questions were stored and settled", async (stage) => {
    const storages = [await stage.storage(), await stage.storage()]
    const openRecords: FormElicitation[] = []
    for (const round of range(4)) {
      const records = range(30).map(() => record())
      const results = await insertAll(storages, records, { perPerson: 60, perTenant: 60 })
      openRecords.push(...records.filter((_, index) => results[index]!.stored))
      const leaving = openRecords.splice(0, 12 + round).map((first) => completed(first))
      await Promise.all(leaving.map((next, index) => storages[index % 2]!.store.replace(next, entryOf(next))))
    }
    const open = await storages[0]!.store.list({ tenant: "acme", principal: alice, state: "open", limit: 1_000 })
    assert.equal(open.length, openRecords.length)
    const more = await insertAll(
      storages,
      range(80).map(() => record()),
      { perPerson: 70, perTenant: 1_000 },
    )
    assert.equal(countStored(more), 70 - openRecords.length)
  }),

  claim("tells an asker which limit is reached and leaves no trace of the question", async (stage) => {
    const hub = await stage.hub({ limits: { pendingPerPerson: 2, pendingPerTenant: 3 } })
    const [first] = [await hub.ask(formDraft()), await hub.ask(formDraft())]
    await assertThrows("too_many_for_person", hub.ask(formDraft({ key: "k" })))
    await hub.ask(formDraft({ audience: bob }))
    await assertThrows("too_many_for_tenant", hub.ask(formDraft({ audience: person("carol") })))
    assert.equal((await hub.list({ tenant: "acme", state: "all", limit: 10 })).length, 3)
    assert.equal((await hub.trail({ limit: 10 })).length, 3)
    await hub.answer(first.id, { by: alice, action: "decline" })
    assert.equal((await hub.ask(formDraft({ key: "k" }))).status, "pending")
  }),
]
