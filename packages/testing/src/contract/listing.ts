// Listing: what a person may answer, in order, in pages without gaps or repetitions.

import assert from "node:assert/strict"
import type { Elicitation, ListQuery, Storage } from "@holdpoint/hub"
import type { Store } from "@holdpoint/hub/storage"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import { alice, bob, completed, entryOf, insert, noLimits, person, range, record, start } from "./samples.ts"

const ids = (questions: readonly Elicitation[]): readonly string[] => questions.map(({ id }) => id)
const sorted = (questions: readonly Elicitation[]): readonly string[] => ids(questions).toSorted()

async function listAll(store: Store, query: Omit<ListQuery, "limit" | "after">, limit: number) {
  const questions: Elicitation[] = []
  for (;;) {
    const last = questions.at(-1)
    const after = last === undefined ? {} : { after: { createdAt: last.createdAt, id: last.id } }
    const page = await store.list({ ...query, ...after, limit })
    assert.ok(page.length <= limit)
    questions.push(...page)
    if (page.length < limit) return questions
  }
}

/** Inserts forty questions within three milliseconds, to alice alone and to two people. */
function insertForty(storage: Storage) {
  const audiences = [
    { kind: "one", principal: alice },
    { kind: "any", principals: [bob, alice] },
  ] as const
  const records = range(40).map((index) => record({ createdAt: start + (index % 3), audience: audiences[index % 2]! }))
  return Promise.all(records.map((record) => insert(storage, record)))
}

export const listing: readonly ContractCase[] = [
  claim(
    "lists for a person only questions to them, to several people including them, and to their roles",
    async (stage) => {
      const storage = await stage.storage()
      const admin = person("alice", { roles: ["admin", "editor"] })
      const ofAlice = await insert(storage, record())
      const shared = await insert(storage, record({ audience: { kind: "any", principals: [bob, alice] } }))
      const role = await insert(storage, record({ audience: { kind: "role", tenant: "acme", role: "editor" } }))
      await insert(storage, record({ audience: { kind: "one", principal: bob } }))
      await insert(storage, record({ audience: { kind: "role", tenant: "acme", role: "owner" } }))
      await insert(
        storage,
        record({ audience: { kind: "one", principal: person("alice", { issuer: "https://other" }) } }),
      )
      const there = person("alice", { tenant: "globex" })
      const ofOtherTenant = await insert(
        storage,
        record({ tenant: "globex", audience: { kind: "one", principal: there } }),
      )
      for (const state of ["open", "all"] as const) {
        const query = { tenant: "acme", state, limit: 100 }
        assert.deepEqual(
          sorted(await storage.store.list({ ...query, principal: admin })),
          sorted([ofAlice, shared, role]),
        )
        assert.deepEqual(sorted(await storage.store.list({ ...query, principal: alice })), sorted([ofAlice, shared]))
        assert.deepEqual(await storage.store.list({ ...query, principal: there }), [])
        assert.deepEqual(await storage.store.list({ ...query, tenant: "globex", principal: alice }), [])
        assert.deepEqual(ids(await storage.store.list({ ...query, tenant: "globex", principal: there })), [
          ofOtherTenant.id,
        ])
      }
    },
  ),

  claim("lists the questions of a parent, for a tenant and for a person, and no others", async (stage) => {
    const storage = await stage.storage()
    const bobOnly = { kind: "one", principal: bob } as const
    const records = range(4).map((index) => record({ parent: "call 1", createdAt: start + index }))
    const [first, second, third, fourth] = records
    for (const record of records) await insert(storage, record)
    const questionForBob = await insert(storage, record({ parent: "call 1", audience: bobOnly, createdAt: start + 9 }))
    await insert(storage, record({ parent: "call 2" }))
    await insert(storage, record())
    const there = person("alice", { tenant: "globex" })
    const ofOtherTenant = record({ tenant: "globex", parent: "call 1", audience: { kind: "one", principal: there } })
    await insert(storage, ofOtherTenant)
    const settled = completed(second!)
    await storage.store.replace(settled, entryOf(settled))
    const list = async (query: Partial<ListQuery>) =>
      ids(await storage.store.list({ tenant: "acme", parent: "call 1", state: "all", limit: 9, ...query }))
    assert.deepEqual(await list({}), [...ids(records), questionForBob.id])
    assert.deepEqual(await list({ principal: alice }), ids(records))
    assert.deepEqual(await list({ principal: bob, state: "open" }), [questionForBob.id])
    assert.deepEqual(await list({ state: "open", principal: alice }), ids([first!, third!, fourth!]))
    assert.deepEqual(await list({ state: "settled" }), [second!.id])
    assert.deepEqual(await list({ order: "newest", limit: 2 }), [questionForBob.id, fourth!.id])
    const after = { createdAt: fourth!.createdAt, id: fourth!.id }
    assert.deepEqual(await list({ order: "newest", after, limit: 2 }), [third!.id, second!.id])
    assert.deepEqual(await list({ tenant: "globex" }), [ofOtherTenant.id])
    assert.deepEqual(await list({ parent: "call" }), [])
  }),

  claim("lists a question once, however many of a person's roles and names it is addressed to", async (stage) => {
    const storage = await stage.storage()
    const shared = await insert(storage, record({ audience: { kind: "any", principals: [alice, bob, person("c")] } }))
    const query = { tenant: "acme", principal: person("alice", { roles: ["a", "b"] }), limit: 10 } as const
    assert.deepEqual(ids(await storage.store.list({ ...query, state: "open" })), [shared.id])
    assert.deepEqual(ids(await storage.store.list({ ...query, state: "all" })), [shared.id])
  }),

  claim("does not confuse people whose issuer and subject are equal only when joined", async (stage) => {
    const storage = await stage.storage()
    const one = person('a","b', { issuer: "x" })
    const other = person("b", { issuer: 'x","a' })
    const stored = await insert(storage, record({ audience: { kind: "one", principal: one } }))
    const query = { tenant: "acme", state: "open", limit: 10 } as const
    assert.deepEqual(ids(await storage.store.list({ ...query, principal: one })), [stored.id])
    assert.deepEqual(await storage.store.list({ ...query, principal: other }), [])
    const role = person("z", { roles: ["x"] })
    assert.deepEqual(await storage.store.list({ ...query, principal: role }), [])
  }),

  verifies(
    "store.lists-by-audience",
    "lists open and settled questions separately, for a tenant and for a person",
    async (stage) => {
      const storage = await stage.storage()
      const [open, answered] = [await insert(storage, record()), await insert(storage, record())]
      const shared = await insert(storage, record({ audience: { kind: "any", principals: [alice, bob] } }))
      for (const next of [completed(answered), completed(shared)]) await storage.store.replace(next, entryOf(next))
      for (const filter of [{}, { principal: alice }]) {
        const list = (state: ListQuery["state"]) => storage.store.list({ tenant: "acme", ...filter, state, limit: 10 })
        assert.deepEqual(sorted(await list("open")), sorted([open]))
        assert.deepEqual(sorted(await list("settled")), sorted([answered, shared]))
        assert.deepEqual(sorted(await list("all")), sorted([open, answered, shared]))
      }
    },
  ),

  claim("lists oldest first, whatever the order of asking", async (stage) => {
    const storage = await stage.storage()
    for (const offset of [30, 10, 20, 0, 40]) await insert(storage, record({ createdAt: start + offset }))
    for (const filter of [{}, { principal: alice }]) {
      const questions = await storage.store.list({ tenant: "acme", ...filter, state: "open", limit: 3 })
      assert.deepEqual(
        questions.map(({ createdAt }) => createdAt - start),
        [0, 10, 20],
      )
    }
  }),

  claim("pages through questions asked in the same millisecond without gap or repetition", async (stage) => {
    const storage = await stage.storage()
    const records = await insertForty(storage)
    for (const filter of [{}, { principal: alice }]) {
      for (const limit of [1, 7, 40]) {
        const questions = await listAll(storage.store, { tenant: "acme", ...filter, state: "open" }, limit)
        assert.equal(questions.length, 40)
        assert.deepEqual(sorted(questions), sorted(records))
        assert.deepEqual(
          questions,
          questions.toSorted((a, b) => a.createdAt - b.createdAt),
        )
      }
    }
  }),

  claim("lists newest first on request, and pages towards the oldest", async (stage) => {
    const storage = await stage.storage()
    const records = await insertForty(storage)
    for (const settled of records.slice(0, 20).map((first) => completed(first))) {
      await storage.store.replace(settled, entryOf(settled))
    }
    for (const filter of [{}, { principal: alice }]) {
      for (const state of ["open", "settled", "all"] as const) {
        const query = { tenant: "acme", ...filter, state }
        const oldest = ids(await storage.store.list({ ...query, limit: 40 }))
        assert.equal(oldest.length, state === "all" ? 40 : 20)
        assert.deepEqual(ids(await storage.store.list({ ...query, order: "oldest", limit: 40 })), oldest)
        for (const limit of [1, 7, 40]) {
          const questions = await listAll(storage.store, { ...query, order: "newest" }, limit)
          assert.deepEqual(ids(questions), oldest.toReversed())
        }
      }
    }
  }),

  claim("continues after the last question of a page even if it was settled since", async (stage) => {
    const storage = await stage.storage()
    const records = await Promise.all(range(6).map((index) => insert(storage, record({ createdAt: start + index }))))
    const query = { tenant: "acme", principal: alice, state: "open", limit: 3 } as const
    const last = (await storage.store.list(query)).at(-1)!
    const settled = completed(last as (typeof records)[number])
    await storage.store.replace(settled, entryOf(settled))
    const after = { createdAt: last.createdAt, id: last.id }
    assert.deepEqual(ids(await storage.store.list({ ...query, after })), ids(records.slice(3)))
  }),

  verifies("store.lists-by-audience", "lists, pages and counts 10,000 open questions", async (stage) => {
    const storage = await stage.storage()
    const people = range(100).map((index) => person(`person ${index}`))
    const records = range(10_000).map((index) =>
      record({
        createdAt: start + Math.floor(index / 7),
        audience: { kind: "one", principal: people[index % 100]! },
      }),
    )
    const narrow = { limits: { perPerson: 100, perTenant: 10_000 } }
    // The first hundred are inserted first: until a storage has counted a tenant once, it may count for each insert.
    for (const batch of [records.slice(0, 100), records.slice(100)]) {
      const results = await Promise.all(batch.map((record) => storage.store.insert(record, entryOf(record), narrow)))
      assert.ok(results.every(({ stored }) => stored))
    }
    const questions = await listAll(storage.store, { tenant: "acme", state: "open" }, 2_500)
    assert.equal(new Set(ids(questions)).size, 10_000)
    assert.deepEqual(questions[0], records.slice(0, 7).toSorted((a, b) => (a.id < b.id ? -1 : 1))[0])
    const questionsOfOne = await listAll(storage.store, { tenant: "acme", principal: people[42]!, state: "open" }, 30)
    assert.deepEqual(sorted(questionsOfOne), sorted(records.filter((_, index) => index % 100 === 42)))
    const more = record({ audience: { kind: "one", principal: people[0]! } })
    assert.deepEqual(await storage.store.insert(more, entryOf(more), narrow), { stored: false, full: "tenant" })
    const widerLimits = { limits: { perPerson: 100, perTenant: 20_000 } }
    assert.deepEqual(await storage.store.insert(more, entryOf(more), widerLimits), { stored: false, full: "person" })
    assert.deepEqual(await storage.store.insert(more, entryOf(more), noLimits), { stored: true })
    assert.equal(await storage.trail.end(), 10_001)
  }),
]
