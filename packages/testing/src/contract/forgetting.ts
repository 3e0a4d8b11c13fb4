// Retention: answers are deleted soon after they were read, questions later, the trail never; open questions stay.

import assert from "node:assert/strict"
import type { Hub } from "@holdpoint/hub"
import { confirmForm } from "@holdpoint/hub/forms"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import {
  alice,
  bob,
  completed,
  day,
  entryOf,
  formDraft,
  insert,
  minute,
  noLimits,
  readAll,
  record,
  start,
} from "./samples.ts"

async function answered(hub: Hub, key?: string): Promise<string> {
  const { id } = await hub.ask(formDraft(key === undefined ? {} : { key }))
  await hub.answer(id, { by: alice, action: "accept", content: { note: "yes" } })
  return id
}

const noCutoffs = { contentReadBefore: 0, contentSettledBefore: 0, questionSettledBefore: 0, recordExpiresBy: 0 }

export const forgetting: readonly ContractCase[] = [
  verifies(
    "retention.content-then-record",
    "deletes an answer a minute after it was read, and not before",
    async (stage) => {
      const hub = await stage.hub()
      const id = await answered(hub)
      assert.deepEqual(await hub.wait(id), { status: "completed", content: { note: "yes" } })
      stage.clock.set(start + minute)
      assert.equal((await hub.sweep()).contentsForgotten, 0)
      assert.deepEqual(await hub.wait(id), { status: "completed", content: { note: "yes" } })
      stage.clock.set(start + minute + 1)
      assert.equal((await hub.sweep()).contentsForgotten, 1)
      await assert.rejects(hub.wait(id), { code: "content_gone" })
    },
  ),

  claim("deletes an unread answer after a day, and not before", async (stage) => {
    const hub = await stage.hub()
    const id = await answered(hub)
    stage.clock.set(start + day)
    assert.equal((await hub.sweep()).contentsForgotten, 0)
    assert.deepEqual((await hub.get(id))?.content, { note: "yes" })
    stage.clock.set(start + day + 1)
    assert.equal((await hub.sweep()).contentsForgotten, 1)
    const { content, ...rest } = (await hub.get(id))!
    assert.deepEqual([content, rest.status, rest.revision, rest.answeredBy], [undefined, "completed", 2, alice])
    assert.equal((await hub.sweep()).contentsForgotten, 0)
  }),

  verifies(
    "retention.yes-or-no-stays",
    "keeps the yes or no of a confirmation after its content was deleted",
    async (stage) => {
      for (const answer of ["yes", "no"] as const) {
        const hub = await stage.hub()
        const form = confirmForm({ yes: "Delete it", no: "Keep it" })
        const { id } = await hub.ask({ form, message: "Delete the note?", audience: alice, requester: { id: "notes" } })
        await hub.answer(id, { by: alice, action: "accept", content: { confirmed: answer } })
        await hub.wait(id)
        assert.equal((await hub.get(id))?.said, answer)
        await stage.clock.advance(minute + 1)
        assert.equal((await hub.sweep()).contentsForgotten, 1)
        await stage.restart()
        const stored = (await (await stage.hub()).get(id))!
        assert.deepEqual([stored.content, stored.said, stored.status], [undefined, answer, "completed"])
      }
      const other = await answered(await stage.hub())
      assert.equal("said" in (await (await stage.hub()).get(other))!, false)
    },
  ),

  claim("still knows after a restart that an answer was read", async (stage) => {
    const hub = await stage.hub()
    const id = await answered(hub)
    await hub.wait(id)
    await stage.restart()
    stage.clock.set(start + 2 * minute)
    const next = await stage.hub()
    assert.equal((await next.sweep()).contentsForgotten, 1)
    await assert.rejects(next.wait(id), { code: "content_gone" })
  }),

  claim("deletes a question 30 days after it was settled and keeps its trail", async (stage) => {
    const hub = await stage.hub()
    const id = await answered(hub, "k")
    const storage = await stage.storage()
    const trailBefore = await readAll(storage.trail)
    stage.clock.set(start + 30 * day)
    assert.equal((await hub.sweep()).questionsForgotten, 0)
    stage.clock.set(start + 30 * day + 1)
    assert.equal((await hub.sweep()).questionsForgotten, 1)
    assert.equal(await hub.get(id), undefined)
    assert.deepEqual(await hub.list({ tenant: "acme", principal: alice, state: "all", limit: 10 }), [])
    assert.deepEqual(await readAll(storage.trail), trailBefore)
    const result = await hub.answer(id, { by: alice, action: "decline" })
    assert.equal(!result.ok && result.refusal.code, "not_found")
  }),

  claim("frees the key of a question that it deletes", async (stage) => {
    const hub = await stage.hub()
    const id = await answered(hub, "k")
    stage.clock.set(start + 31 * day)
    await hub.sweep()
    const repeated = await hub.ask(formDraft({ key: "k" }))
    assert.notEqual(repeated.id, id)
    assert.equal((await hub.ask(formDraft({ key: "k" }))).id, repeated.id)
  }),

  claim("never deletes an open question, and its limits still count correctly afterwards", async (stage) => {
    const storage = await stage.storage()
    const open = await insert(storage, record({ audience: { kind: "any", principals: [alice, bob] } }))
    const settled = completed(await insert(storage, record()), { note: "yes" })
    await storage.store.replace(settled, entryOf(settled))
    const farFuture = start + 1_000 * day
    const cutoffs = {
      contentReadBefore: farFuture,
      contentSettledBefore: farFuture,
      questionSettledBefore: farFuture,
      recordExpiresBy: farFuture,
    }
    assert.deepEqual((await storage.retention.forget(cutoffs)).questions, 1)
    assert.deepEqual(await storage.store.get(open.id), open)
    assert.deepEqual(await storage.store.list({ tenant: "acme", principal: bob, state: "open", limit: 10 }), [open])
    const next = record()
    const limitsOfTwo = { limits: { perPerson: 2, perTenant: 2 } }
    assert.deepEqual(await storage.store.insert(next, entryOf(next), limitsOfTwo), { stored: true })
    assert.deepEqual(await storage.store.insert(record(), entryOf(record()), limitsOfTwo), {
      stored: false,
      full: "tenant",
    })
  }),

  claim("deletes only what is older than each cutoff, and returns the counts", async (stage) => {
    const storage = await stage.storage()
    const settle = async (offset: number) => {
      const next = completed(await insert(storage, record()), { note: "yes" }, start + offset)
      await storage.store.replace(next, entryOf(next))
      return next.id
    }
    const [first, second, third] = [await settle(10), await settle(20), await settle(30)]
    const { store, retention } = storage
    assert.deepEqual(await retention.forget(noCutoffs), { contents: 0, questions: 0, records: 0 })
    retention.noteRead(third, start + 40)
    assert.deepEqual(await retention.forget({ ...noCutoffs, contentReadBefore: start + 40 }), {
      contents: 0,
      questions: 0,
      records: 0,
    })
    assert.deepEqual(await retention.forget({ ...noCutoffs, contentReadBefore: start + 41 }), {
      contents: 1,
      questions: 0,
      records: 0,
    })
    assert.deepEqual(await retention.forget({ ...noCutoffs, contentSettledBefore: start + 20 }), {
      contents: 1,
      questions: 0,
      records: 0,
    })
    const contents = await Promise.all([first, second, third].map(async (id) => (await store.get(id))?.content))
    assert.deepEqual(contents, [undefined, { note: "yes" }, undefined])
    assert.deepEqual(await retention.forget({ ...noCutoffs, questionSettledBefore: start + 30 }), {
      contents: 0,
      questions: 2,
      records: 0,
    })
    assert.deepEqual(
      (await store.list({ tenant: "acme", state: "all", limit: 10 })).map(({ id }) => id),
      [third],
    )
    assert.deepEqual(await store.insert(record(), entryOf(record()), noLimits), { stored: true })
  }),
]
