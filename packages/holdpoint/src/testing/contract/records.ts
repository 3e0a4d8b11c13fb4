// Records: written by compare-and-set, each write in one step with the trail entry that tells of it.

import assert from "node:assert/strict"
import type { KeptRecord, Records } from "../../ports/records.ts"
import type { Storage } from "../../ports/storage.ts"
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
  preference,
  revocation,
  sealedWith,
  session,
  signIn,
  tellOf,
} from "./record-samples.ts"
import { entryOf, heard, insert, noLimits, range, readAll, record, start } from "./samples.ts"

/** A record's life: stored, changed, gone. */
async function live<R extends KeptRecord>(records: Records<R>, first: R, changes: Partial<R>): Promise<void> {
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
  claim(
    "gives back a record of every kind with every member it has, until it is removed",
    async (stage) => {
      const storage = await stage.storage()
      await live(storage.connections, connection(), { status: "revoked" })
      await live(storage.flows, flow(), { status: "finished", connection: "c", reason: { code: "x", message: "y" } })
      await live(storage.signIns, signIn(), { to: "elsewhere" })
      await live(storage.sessions, session(), { claim: "q", seenAt: start + 9 })
      await live(storage.dataKeys, dataKey(), { purpose: "canary" })
      await live(storage.revocations, revocation(), { attempts: 3 })
      await live(storage.calls, call(), { round: 2, lease: { holder: "node 2", until: start + 2 } })
      await live(storage.clientSessions, clientSession(), { prompts: [], isEnded: true })
      await live(storage.artifacts, artifact(), { consumedAt: start + 9, expiresAt: start + 10 })
      await live(storage.preferences, preference(), { value: "never", setAt: start + 9 })
      assert.deepEqual(await readAll(storage.trail), [], "nothing was to be told")
    },
    { verifies: ["store.keeps-everything"] },
  ),

  claim("keeps kinds of records apart although they have one id", async (stage) => {
    const { connections, sessions, flows } = await stage.storage()
    const [kept, other] = [connection({ id: "1" }), session({ id: "1" })]
    assert.deepEqual(await Promise.all([connections.insert(kept), sessions.insert(other)]), [true, true])
    assert.deepEqual(await connections.get("1"), kept)
    assert.deepEqual(await sessions.get("1"), other)
    assert.equal(await flows.get("1"), undefined)
    assert.equal(await sessions.remove(other), true)
    assert.deepEqual(await connections.get("1"), kept)
  }),

  claim("stores a record once: a taken id changes nothing and tells nothing", async (stage) => {
    const storage = await stage.storage()
    const first = connection()
    assert.equal(await storage.connections.insert(first, tellOf(first)), true)
    const second = { ...first, provider: "mail" }
    assert.equal(await storage.connections.insert(second, tellOf(second)), false)
    const foreign = { ...first, tenant: "globex" }
    assert.equal(await storage.connections.insert(foreign, tellOf(foreign)), false)
    assert.deepEqual(await storage.connections.get(first.id), first)
    assert.equal(await count(storage), 1)
  }),

  claim(
    "changes and removes a record only from the version that is stored",
    async (stage) => {
      const storage = await stage.storage()
      const { connections } = storage
      const first = connection()
      const unknown = [connections.replace(first, tellOf(first)), connections.remove(first, tellOf(first))]
      assert.deepEqual(await Promise.all(unknown), [false, false], "there is nothing yet")
      await connections.insert(first)
      const [second, third] = [changed(first), changed(changed(first))]
      assert.equal(await connections.replace(first, tellOf(first)), false)
      assert.equal(await connections.replace(third, tellOf(third)), false)
      assert.equal(await connections.remove(second, tellOf(second)), false)
      assert.deepEqual(await connections.get(first.id), first)
      assert.equal(await connections.replace(second, tellOf(second)), true)
      assert.equal(await connections.remove(first, tellOf(first)), false)
      assert.equal(await connections.remove(second, tellOf(second, "disconnected")), true)
      assert.equal(await connections.replace(third, tellOf(third)), false)
      assert.equal(await connections.insert(first, tellOf(first)), true, "the id is free again")
      const kinds = (await readAll(storage.trail)).map(({ kind }) => kind)
      assert.deepEqual(kinds, ["connected", "disconnected", "connected"])
    },
    { verifies: ["store.compare-and-set"] },
  ),

  claim(
    "lets exactly one of 20 concurrent changes, inserts and removals win, and tells of that one only",
    async (stage) => {
      const storages = [await stage.storage(), await stage.storage()]
      const at = (index: number): Storage => storages[index % 2]!
      const race = async (write: (index: number) => Promise<boolean>): Promise<number> => {
        const results = await Promise.all(range(20).map(write))
        assert.equal(results.filter(Boolean).length, 1)
        return results.indexOf(true)
      }
      const first = connection()
      const owner = (index: number) => ({ kind: "project", tenant: "acme", project: `${index}` }) as const
      const made = (index: number) => ({ ...first, owner: owner(index) })
      const inserted = await race((index) => at(index).connections.insert(made(index), tellOf(first, "connected")))
      const next = (index: number) => changed(made(index))
      const replaced = await race((index) => at(index).connections.replace(next(index), tellOf(first, "refreshed")))
      assert.notEqual(inserted, -1)
      assert.deepEqual(await at(0).connections.get(first.id), next(replaced))
      const last = next(replaced)
      await race((index) => at(index).connections.remove(last, tellOf(first, "disconnected")))
      const kinds = (await readAll(at(0).trail)).map(({ kind }) => kind)
      assert.deepEqual(kinds, ["connected", "refreshed", "disconnected"])
    },
    { verifies: ["store.compare-and-set", "trail.records-every-step"] },
  ),

  claim("lets a change or a removal win, never both", async (stage) => {
    const [here, there] = [await stage.storage(), await stage.storage()]
    for (const _ of range(10)) {
      const first = session()
      await here.sessions.insert(first)
      const next = changed(first)
      const [isChanged, isRemoved] = await Promise.all([
        here.sessions.replace(next, tellOf(next, "signed_in")),
        there.sessions.remove(first, tellOf(first, "signed_out")),
      ])
      assert.notEqual(isChanged, isRemoved)
      assert.deepEqual(await here.sessions.get(first.id), isChanged ? next : undefined)
      const told = (await readAll(here.trail, { id: first.id })).map(({ kind }) => kind)
      assert.deepEqual(told, [isChanged ? "signed_in" : "signed_out"])
    }
  }),

  claim(
    "tells listeners of both openings what records tell, in the order of the trail",
    async (stage) => {
      const [here, there] = [await stage.storage(), await stage.storage()]
      const told = [here, there].map(({ trail }) => heard(trail, (entries) => entries.length === 40))
      await Promise.all(
        range(10).map(async (index) => {
          const { connections, store } = [here, there][index % 2]!
          const first = connection()
          await connections.insert(first, tellOf(first))
          const next = changed(first)
          const question = record()
          await Promise.all([
            connections.replace(next, tellOf(next, "refreshed")),
            connections.replace(next, tellOf(next, "reauth_needed")),
            store.insert(question, entryOf(question), noLimits),
          ])
          await connections.remove(next, tellOf(next, "disconnected"))
        }),
      )
      const entries = await readAll(here.trail)
      assert.equal(entries.filter(({ kind }) => kind === "reauth_needed").length, 0)
      assert.deepEqual(await Promise.all(told), [entries, entries])
    },
    { verifies: ["trail.complete-in-order", "store.wakes-processes"] },
  ),

  claim("tells what an entry says, also when it is about something else than the record", async (stage) => {
    const storage = await stage.storage()
    const question = await insert(storage, record())
    const kept = revocation()
    const facts = { provider: "calendar", owner: kept.owner, version: 3, scopes: ["a"] }
    const entry = { ...tellOf(kept, "disconnected"), id: kept.connection, detail: { connection: facts } }
    assert.equal(await storage.revocations.insert(kept, entry), true)
    const shown = { ...entryOf(question, "shown"), revision: 7 }
    assert.equal(await storage.revocations.remove(kept, shown), true)
    assert.deepEqual((await readAll(storage.trail)).slice(1), [
      { ...entry, position: 2 },
      { ...shown, position: 3 },
    ])
  }),

  claim(
    "takes records through a restart",
    async (stage) => {
      const storage = await stage.storage()
      const [first, gone, key] = [connection(), session(), dataKey()]
      const next = changed(first, { status: "needs_reauth" })
      await Promise.all([
        storage.connections.insert(first),
        storage.sessions.insert(gone),
        storage.dataKeys.insert(key),
      ])
      await Promise.all([storage.connections.replace(next, tellOf(next)), storage.sessions.remove(gone)])
      await stage.restart()
      const again = await stage.storage()
      assert.deepEqual(await again.connections.get(first.id), next)
      assert.equal(await again.sessions.get(gone.id), undefined)
      assert.deepEqual(await again.dataKeys.list({ tenant: "acme", owner: "answers", limit: 9 }), [key])
      assert.equal(await again.connections.replace(changed(first)), false)
      assert.equal(await again.connections.replace(changed(next)), true)
      assert.equal(await count(again), 1)
    },
    { verifies: ["store.keeps-everything"] },
  ),

  claim(
    "keeps whatever characters a record and its owner hold",
    async (stage) => {
      const { connections } = await stage.storage()
      const odd = ["'; DROP TABLE x --", '"\\', "é漢👍", "%_", "\u202e", "a\nb\tc", "$1", "ﬀ\ue000", " ", "$procedure$"]
      const made = odd.map((id) =>
        connection({
          id,
          tenant: `of ${id}`,
          owner: { kind: "person", tenant: `of ${id}`, issuer: id, subject: `${id}\0\ud800` },
          account: { id: "\0", name: "\ud800" },
          sealed: sealedWith(id, { [id]: id }),
        }),
      )
      assert.deepEqual(
        await Promise.all(made.map((first) => connections.insert(first, tellOf(first)))),
        made.map(() => true),
      )
      for (const first of made) {
        assert.deepEqual(await connections.get(first.id), first)
        assert.deepEqual(await connections.list({ tenant: first.tenant, limit: 9 }), [first])
      }
    },
    { verifies: ["store.keeps-everything"] },
  ),

  claim(
    "does not let text that cannot be stored anywhere harm what is read and written beside it",
    async (stage) => {
      const { connections } = await stage.storage()
      const good = connection()
      await connections.insert(good)
      for (const text of ["a\0b", "\ud800"]) {
        assert.deepEqual(await Promise.all([connections.get(text), connections.get(good.id)]), [undefined, good])
        assert.deepEqual(await connections.list({ tenant: text, limit: 9 }), [])
        assert.deepEqual(await connections.list({ tenant: "acme", owner: text, limit: 9 }), [])
        const [bad, neighbour] = [connection({ tenant: text }), connection()]
        const [, stored] = await Promise.allSettled([connections.insert(bad), connections.insert(neighbour)])
        assert.deepEqual(stored, { status: "fulfilled", value: true })
        assert.deepEqual(await connections.get(neighbour.id), neighbour)
      }
    },
    { verifies: ["store.batches-writes"] },
  ),

  claim(
    "stores, changes and reads 1,000 records of all kinds in one turn",
    async (stage) => {
      const storage = await stage.storage()
      const { connections, sessions, revocations } = storage
      const made = range(1_000).map((index) => connection({ provider: `${index}` }))
      const others = made.slice(0, 100).map(() => [session(), revocation()] as const)
      const inserted = await Promise.all([
        ...made.map((first) => connections.insert(first, tellOf(first))),
        ...others.map(([one]) => sessions.insert(one, tellOf(one, "signed_in"))),
        ...others.map(([, other]) => revocations.insert(other)),
      ])
      assert.ok(inserted.every(Boolean))
      const next = made.map((first) => changed(first))
      assert.ok((await Promise.all(next.map((one) => connections.replace(one, tellOf(one))))).every(Boolean))
      assert.deepEqual(await Promise.all(next.map(({ id }) => connections.get(id))), next)
      assert.equal(await count(storage), 2_100)
    },
    { verifies: ["store.batches-writes"] },
  ),
]
