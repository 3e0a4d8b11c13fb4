// Listing records: by owner, by time, by the key they are sealed with; in order, in pages.

import assert from "node:assert/strict"
import type { Connection, Owner } from "../../core/connection.ts"
import { ownerKey, toOwner } from "../../core/connection.ts"
import type { KeptRecord, RecordQuery, Records } from "../../ports/records.ts"
import type { ContractCase } from "./case.ts"
import { claim } from "./case.ts"
import {
  artifact,
  call,
  changed,
  clientSession,
  connection,
  dataKey,
  flow,
  revocation,
  sealedWith,
  session,
  signIn,
} from "./record-samples.ts"
import { alice, bob, person, range, start } from "./samples.ts"

const ids = (found: readonly KeptRecord[]): readonly string[] => found.map(({ id }) => id)
const idsInOrder = (found: readonly KeptRecord[]): readonly string[] => ids(found).toSorted()
const ofAlice = ownerKey(toOwner(alice))

async function insertAll<R extends KeptRecord>(records: Records<R>, made: readonly R[]): Promise<readonly R[]> {
  assert.ok((await Promise.all(made.map((first) => records.insert(first)))).every(Boolean))
  return made
}

type Paged = Exclude<RecordQuery, { readonly dueBefore: number }>

async function pageThrough<R extends KeptRecord>(records: Records<R>, query: Paged): Promise<readonly R[]> {
  const found: R[] = []
  for (;;) {
    const last = found.at(-1)
    const page = await records.list(last === undefined ? query : { ...query, afterId: last.id })
    assert.ok(page.length <= query.limit)
    // Also lets a storage that repeats itself fail instead of going on for ever.
    assert.ok(last === undefined || page.every(({ id }) => id !== last.id), "no record is on two pages")
    found.push(...page)
    if (page.length < query.limit) return found
  }
}

export const recordListing: readonly ContractCase[] = [
  claim("lists a tenant's records and an owner's, and nothing of another tenant", async (stage) => {
    const { connections } = await stage.storage()
    const project: Owner = { kind: "project", tenant: "acme", project: "site" }
    const there = person("alice", { tenant: "globex" })
    const [mine, hers, shared, foreign] = await insertAll(connections, [
      connection(),
      connection({ owner: toOwner(bob) }),
      connection({ owner: project }),
      connection({ tenant: "globex", owner: toOwner(there) }),
    ])
    const list = async (query: { tenant: string; owner?: string }) =>
      ids(await connections.list({ ...query, limit: 9 }))
    assert.deepEqual(await list({ tenant: "acme" }), idsInOrder([mine!, hers!, shared!]))
    assert.deepEqual(await list({ tenant: "acme", owner: ofAlice }), [mine!.id])
    assert.deepEqual(await list({ tenant: "acme", owner: ownerKey(project) }), [shared!.id])
    assert.deepEqual(await list({ tenant: "globex", owner: ofAlice }), [foreign!.id])
    assert.deepEqual(await list({ tenant: "globex", owner: ownerKey(project) }), [])
    assert.deepEqual(await list({ tenant: "initech" }), [])
    assert.deepEqual(await list({ tenant: "", owner: "" }), [])
  }),

  claim("files every kind under what it is looked for by", async (stage) => {
    const storage = await stage.storage()
    const [attempt, entering, here, key, undoing] = [flow(), signIn(), session(), dataKey(), revocation()]
    await insertAll(storage.flows, [attempt, flow()])
    await insertAll(storage.signIns, [entering])
    await insertAll(storage.sessions, [here, session({ principal: bob })])
    await insertAll(storage.dataKeys, [key, dataKey({ purpose: "canary" })])
    await insertAll(storage.revocations, [undoing, revocation({ owner: toOwner(bob) })])
    const [waiting, client, code] = [call(), clientSession(), artifact()]
    await insertAll(storage.calls, [waiting, call({ owner: "somebody else" })])
    await insertAll(storage.clientSessions, [client])
    await insertAll(storage.artifacts, [code, artifact({ group: "grant 2" })])
    const query = (owner: string) => ({ tenant: "acme", owner, limit: 9 })
    assert.deepEqual(await storage.flows.list(query(attempt.elicitation)), [attempt])
    assert.deepEqual(await storage.signIns.list(query("")), [entering])
    assert.deepEqual(await storage.sessions.list(query(ofAlice)), [here])
    assert.deepEqual(await storage.dataKeys.list(query("answers")), [key])
    assert.deepEqual(await storage.revocations.list(query(ofAlice)), [undoing])
    assert.deepEqual(await storage.calls.list(query(ofAlice)), [waiting])
    assert.deepEqual(await storage.clientSessions.list(query("")), [client])
    assert.deepEqual(await storage.artifacts.list(query("grant 1")), [code])
  }),

  claim("pages through records in order of id, without gap or repetition", async (stage) => {
    const { connections } = await stage.storage()
    const made = range(40).map((index) =>
      connection({ owner: toOwner(index % 2 === 0 ? alice : bob), sealed: sealedWith(`k${index % 3}`) }),
    )
    await insertAll(connections, made)
    await insertAll(connections, [connection({ tenant: "globex" })])
    const even = made.filter((_, index) => index % 2 === 0)
    const old = made.filter((_, index) => index % 3 > 0)
    for (const limit of [1, 7, 40]) {
      const listed = async (query: Paged) => ids(await pageThrough(connections, query))
      assert.deepEqual(await listed({ tenant: "acme", limit }), idsInOrder(made))
      assert.deepEqual(await listed({ tenant: "acme", owner: ofAlice, limit }), idsInOrder(even))
      const oldIds = new Set(ids(old))
      const stale = await listed({ notSealedWith: "k0", limit })
      assert.deepEqual(
        stale.filter((id) => oldIds.has(id)),
        idsInOrder(old),
      )
      assert.equal(stale.length, old.length + 1, "of every tenant")
    }
  }),

  claim("goes on behind the last of a page although that one is gone by now", async (stage) => {
    const { connections } = await stage.storage()
    const made = await insertAll(
      connections,
      range(6).map(() => connection()),
    )
    const [last] = (await connections.list({ tenant: "acme", limit: 3 })).slice(-1)
    await connections.remove(last!)
    const rest = await connections.list({ tenant: "acme", afterId: last!.id, limit: 9 })
    assert.deepEqual(ids(rest), idsInOrder(made).slice(3))
  }),

  claim("orders ids by their letters alone, whatever language the database speaks", async (stage) => {
    const { connections } = await stage.storage()
    const names = ["a", "B", "_b", "-c", "Z", "1", "é", "aa", "a-b", "ab", "A"]
    await insertAll(
      connections,
      names.map((id) => connection({ id })),
    )
    assert.deepEqual(ids(await pageThrough(connections, { tenant: "acme", limit: 2 })), names.toSorted())
  }),

  claim(
    "lists what is due, soonest first, over all tenants",
    async (stage) => {
      const storage = await stage.storage()
      const times = [30, 10, 20, 0, 40]
      const made = times.map((offset) => flow({ id: `f${offset}`, tenant: `t${offset}`, dueAt: start + offset }))
      await insertAll(storage.flows, made)
      const due = async (now: number, limit = 9) => ids(await storage.flows.list({ dueBefore: start + now, limit }))
      assert.deepEqual(await due(-1), [])
      assert.deepEqual(await due(0), ["f0"])
      assert.deepEqual(await due(29), ["f0", "f10", "f20"])
      assert.deepEqual(await due(30, 2), ["f0", "f10"])
      assert.deepEqual(await due(1_000), ["f0", "f10", "f20", "f30", "f40"])
      await insertAll(storage.connections, [connection({ expiresAt: start })])
      await insertAll(storage.dataKeys, [dataKey()])
      const never = { dueBefore: Number.MAX_SAFE_INTEGER, limit: 9 }
      assert.deepEqual(await storage.connections.list(never), [], "a connection is never due")
      assert.deepEqual(await storage.dataKeys.list(never), [], "nor is a key")
      const [old, undoing, entering] = [session(), revocation(), signIn()]
      await insertAll(storage.sessions, [old])
      await insertAll(storage.revocations, [undoing])
      await insertAll(storage.signIns, [entering])
      const ends = { dueBefore: old.expiresAt, limit: 9 }
      assert.deepEqual(await storage.sessions.list(ends), [old])
      assert.deepEqual(await storage.revocations.list(ends), [undoing])
      assert.deepEqual(await storage.signIns.list(ends), [entering])
    },
    { verifies: ["store.due-in-order"] },
  ),

  claim("gives records that are due at the same moment in order of id", async (stage) => {
    const { sessions } = await stage.storage()
    const made = await insertAll(
      sessions,
      range(20).map(() => session()),
    )
    const query = { dueBefore: start + 10_000_000, limit: 20 }
    assert.deepEqual(ids(await sessions.list(query)), idsInOrder(made))
    assert.deepEqual(ids(await sessions.list({ ...query, limit: 5 })), idsInOrder(made).slice(0, 5))
  }),

  claim("finds a changed record by what it is now, and no longer by what it was", async (stage) => {
    const { connections, flows } = await stage.storage()
    const first = connection()
    await insertAll(connections, [first])
    const notSealedWith = async (key: string) => ids(await connections.list({ notSealedWith: key, limit: 9 }))
    assert.deepEqual([await notSealedWith("k1"), await notSealedWith("k2")], [[], [first.id]])
    const rewrapped = changed(first, { sealed: sealedWith("k2"), owner: toOwner(bob) })
    assert.equal(await connections.replace(rewrapped), true)
    assert.deepEqual([await notSealedWith("k1"), await notSealedWith("k2")], [[first.id], []])
    assert.deepEqual(await connections.list({ tenant: "acme", owner: ofAlice, limit: 9 }), [])
    const { sealed: _, ...shredded }: Connection = changed(rewrapped)
    assert.equal(await connections.replace(shredded), true)
    assert.deepEqual([await notSealedWith("k1"), await notSealedWith("k2")], [[], []], "nothing is sealed any more")
    const attempt = flow({ dueAt: start + 5 })
    await insertAll(flows, [attempt])
    await flows.replace(changed(attempt, { dueAt: start + 50 }))
    assert.deepEqual(await flows.list({ dueBefore: start + 49, limit: 9 }), [])
    assert.equal((await flows.list({ dueBefore: start + 50, limit: 9 })).length, 1)
    await connections.remove(shredded)
    assert.deepEqual(await connections.list({ tenant: "acme", limit: 9 }), [])
  }),
]
