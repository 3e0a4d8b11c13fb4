// What calls that wait for people need of a storage: one request at a time works on a call, whichever process serves it,
// and what nobody came back for is forgotten.

import assert from "node:assert/strict"
import { sweepCalls } from "../../hub/sweep-calls.ts"
import type { Artifact } from "../../ports/calls.ts"
import type { KeptRecord, Records } from "../../ports/records.ts"
import type { Storage } from "../../ports/storage.ts"
import type { ContractCase } from "./case.ts"
import { claim } from "./case.ts"
import { artifact, call, changed, clientSession, session } from "./record-samples.ts"
import { day, minute, range, readAll, start } from "./samples.ts"

/** One of each kind. */
async function insertEach(storage: Storage, id: string, expiresAt: number): Promise<void> {
  const inserted = await Promise.all([
    storage.calls.insert(call({ id, expiresAt })),
    storage.clientSessions.insert(clientSession({ id, expiresAt })),
    storage.artifacts.insert(artifact({ id, expiresAt })),
  ])
  assert.deepEqual(inserted, [true, true, true])
}

async function kept({ calls, clientSessions, artifacts }: Storage): Promise<readonly (readonly string[])[]> {
  const listed = [calls, clientSessions, artifacts].map((records) => records.list({ tenant: "acme", limit: 1_000 }))
  return (await Promise.all(listed)).map((found) => found.map(({ id }) => id))
}

/** The same records, of which each is prolonged right after it was found to be due. */
function prolonging<R extends KeptRecord & { readonly expiresAt?: number }>(records: Records<R>): Records<R> {
  return {
    ...records,
    async list(query) {
      const found = await records.list(query)
      const later = found.map((one) => ({ ...one, version: one.version + 1, expiresAt: start + day }))
      assert.ok((await Promise.all(later.map((next) => records.replace(next)))).every(Boolean))
      return found
    },
  }
}

export const calls: readonly ContractCase[] = [
  claim(
    "lets exactly one of 20 requests at two processes work on a call",
    async (stage) => {
      const storages = [await stage.storage(), await stage.storage()]
      const { lease: _, ...first } = call()
      await storages[0]!.calls.insert(first)
      const taken = range(20).map((index) => ({ ...changed(first), lease: { holder: `${index}`, until: start + 1 } }))
      const won = await Promise.all(taken.map((next, index) => storages[index % 2]!.calls.replace(next)))
      assert.equal(won.filter(Boolean).length, 1)
      assert.deepEqual(await storages[1]!.calls.get(first.id), taken[won.indexOf(true)])
    },
    { verifies: ["store.compare-and-set"] },
  ),

  claim(
    "takes calls, clients' sessions and artifacts through a restart",
    async (stage) => {
      const storage = await stage.storage()
      const [waiting, client, code] = [call(), clientSession(), artifact()]
      const next = changed(waiting, { round: 2 })
      await Promise.all([
        storage.calls.insert(waiting),
        storage.clientSessions.insert(client),
        storage.artifacts.insert(code),
      ])
      await storage.calls.replace(next)
      await stage.restart()
      const again = await stage.storage()
      assert.deepEqual(await again.calls.get(waiting.id), next)
      assert.deepEqual(await again.clientSessions.get(client.id), client)
      assert.deepEqual(await again.artifacts.get(code.id), code)
      assert.equal(await again.calls.replace(changed(waiting)), false, "the round that is over stays over")
    },
    { verifies: ["store.keeps-everything"] },
  ),

  claim("forgets calls, clients' sessions and artifacts when their time is over, and not before", async (stage) => {
    const storage = await stage.storage()
    const hub = await stage.hub({ storage })
    await insertEach(storage, "later", start + 2 * minute)
    await insertEach(storage, "sooner", start + minute)
    await storage.sessions.insert(session())
    stage.clock.set(start + minute - 1)
    assert.equal((await hub.sweep()).callsForgotten, 0)
    stage.clock.set(start + minute)
    assert.equal((await hub.sweep()).callsForgotten, 3)
    assert.deepEqual(await kept(storage), [["later"], ["later"], ["later"]])
    stage.clock.set(start + day)
    assert.equal((await hub.sweep()).callsForgotten, 3)
    assert.deepEqual(await kept(storage), [[], [], []])
    assert.equal((await storage.sessions.list({ tenant: "acme", limit: 9 })).length, 1, "people's sessions are others'")
    assert.deepEqual(await readAll(storage.trail), [], "nobody is told")
  }),

  claim("never forgets an artifact that has no end", async (stage) => {
    const storage = await stage.storage()
    const { expiresAt: _, ...endless }: Artifact = artifact()
    await storage.artifacts.insert(endless)
    assert.equal(await sweepCalls(storage, Number.MAX_SAFE_INTEGER), 0)
    assert.deepEqual(await storage.artifacts.get(endless.id), endless)
  }),

  claim(
    "spares what is prolonged while it is being forgotten",
    async (stage) => {
      const storage = await stage.storage()
      await insertEach(storage, "1", start)
      const { calls, clientSessions, artifacts } = storage
      const meanwhile = {
        calls: prolonging(calls),
        clientSessions: prolonging(clientSessions),
        artifacts: prolonging(artifacts),
      }
      assert.equal(await sweepCalls(meanwhile, start), 0)
      assert.deepEqual(await kept(storage), [["1"], ["1"], ["1"]])
      assert.equal((await calls.get("1"))?.expiresAt, start + day)
    },
    { verifies: ["store.compare-and-set"] },
  ),

  claim("forgets many pages at once, each record by one of the two that do it", async (stage) => {
    const [here, there] = [await stage.storage(), await stage.storage()]
    const made = range(600).map((index) => call({ expiresAt: start + (index < 560 ? 0 : 1) }))
    assert.ok((await Promise.all(made.map((first) => here.calls.insert(first)))).every(Boolean))
    const counts = await Promise.all([sweepCalls(here, start), sweepCalls(there, start)])
    // Either may stop at a page that the other has just done.
    const rest = await sweepCalls(here, start)
    assert.equal(counts[0] + counts[1] + rest, 560)
    assert.equal((await here.calls.list({ tenant: "acme", limit: 1_000 })).length, 40)
  }),
]
