// Deadlines: any running process finds what is due, in order, and each question expires once.

import assert from "node:assert/strict"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import {
  alice,
  completed,
  elicitationOf,
  entryOf,
  formDraft,
  insert,
  minute,
  range,
  record,
  start,
  urlDraft,
  urlRecord,
  withChanges,
} from "./samples.ts"

export const deadlines: readonly ContractCase[] = [
  verifies(
    "store.due-in-order",
    "lists the questions due at or before now, soonest first, and the next deadline",
    async (stage) => {
      const storage = await stage.storage()
      for (const offset of [50, 10, 30, 20, 40]) await insert(storage, record({ expiresAt: start + offset }))
      const due = async (now: number) => {
        const { overdue, next } = await storage.store.due(start + now, 100)
        return { overdue: overdue.map(({ expiresAt }) => expiresAt - start), next: next && next - start }
      }
      assert.deepEqual(await due(9), { overdue: [], next: 10 })
      assert.deepEqual(await due(10), { overdue: [10], next: 20 })
      assert.deepEqual(await due(35), { overdue: [10, 20, 30], next: 40 })
      assert.deepEqual(await due(50), { overdue: [10, 20, 30, 40, 50], next: undefined })
      assert.deepEqual(await due(9), { overdue: [], next: 10 }, "looking changes nothing")
    },
  ),

  claim("returns the soonest of many due questions, and the rest once those are settled", async (stage) => {
    const storage = await stage.storage()
    for (const offset of range(10)) await insert(storage, record({ expiresAt: start + offset }))
    const first = await storage.store.due(start + 100, 4)
    assert.deepEqual(
      first.overdue.map(({ expiresAt }) => expiresAt - start),
      [0, 1, 2, 3],
    )
    assert.ok(first.next !== undefined && first.next <= start + 4, "the next deadline is not later than what was left")
    for (const record of first.overdue) {
      const next = withChanges(record, { status: "expired", settledAt: start + 100 })
      await storage.store.replace(next, entryOf(next))
    }
    const { overdue, next } = await storage.store.due(start + 100, 100)
    assert.deepEqual([overdue.length, overdue[0]?.expiresAt, next], [6, start + 4, undefined])
  }),

  claim("uses the newest deadline of a question, earlier or later than the first", async (stage) => {
    const storage = await stage.storage()
    for (const [from, to] of [
      [10, 100],
      [100, 10],
    ] as const) {
      const first = await insert(storage, urlRecord({ expiresAt: start + from }))
      const next = withChanges(first, { status: "accepted", acceptedAt: start, expiresAt: start + to })
      await storage.store.replace(next, entryOf(next))
      const { overdue, next: soonest } = await storage.store.due(start + 50, 10)
      assert.deepEqual(
        overdue.map(({ id }) => id),
        to === 10 ? [first.id] : [],
      )
      assert.equal(soonest, start + 100)
    }
  }),

  claim("never lists settled questions as due", async (stage) => {
    const storage = await stage.storage()
    for (const settled of await Promise.all(range(5).map(async () => completed(await insert(storage, record()))))) {
      await storage.store.replace(settled, entryOf(settled))
    }
    assert.deepEqual(await storage.store.due(start + 10 * minute, 10), { overdue: [], next: undefined })
  }),

  verifies(
    "hub.sweeps-what-the-dead-left",
    "expires at the next start the questions that became due while no process ran",
    async (stage) => {
      const asker = await stage.hub()
      const { id } = await asker.ask(formDraft({ lifetimeMs: minute }))
      const consent = await asker.ask(urlDraft({ lifetimeMs: minute }))
      await asker.answer(consent.id, { by: alice, action: "accept" })
      const later = await asker.ask(formDraft({ lifetimeMs: 10 * minute }))
      await stage.restart()
      stage.clock.set(start + 5 * minute)
      const hub = await stage.hub()
      assert.deepEqual(await hub.wait(id), { status: "expired" })
      assert.deepEqual(await hub.wait(consent.id), { status: "expired" })
      const expired = await hub.get(id)
      assert.deepEqual([expired?.settledAt, expired?.revision], [start + 5 * minute, 2])
      assert.equal((await hub.get(later.id))?.status, "pending")
    },
  ),

  claim("expires a question at its deadline even if no caller reads it", async (stage) => {
    const hub = await stage.hub()
    const { id } = await hub.ask(formDraft({ lifetimeMs: minute }))
    const outcome = hub.wait(id)
    await stage.clock.advance(minute)
    assert.deepEqual(await outcome, { status: "expired" })
  }),

  claim("expires each of 600 overdue questions once even if two hubs sweep", async (stage) => {
    const hubs = [await stage.hub(), await stage.hub()]
    const storage = await stage.storage()
    await Promise.all(range(600).map(() => insert(storage, record({ expiresAt: start + minute }))))
    stage.clock.set(start + minute)
    const swept = await Promise.all(hubs.map((hub) => hub.sweep()))
    assert.equal(
      swept.reduce((sum, { expired }) => sum + expired, 0),
      600,
    )
    assert.equal(await storage.trail.end(), 1_200)
    assert.deepEqual(await storage.store.list({ tenant: "acme", state: "open", limit: 10 }), [])
  }),

  claim("does not expire a question early when the clock was set back, but does at its deadline", async (stage) => {
    const hub = await stage.hub()
    const { id, expiresAt } = await hub.ask(formDraft({ lifetimeMs: minute }))
    stage.clock.set(start - 30 * minute)
    assert.equal((await hub.sweep()).expired, 0)
    assert.equal((await hub.get(id))?.status, "pending")
    stage.clock.set(expiresAt - 1)
    assert.equal((await hub.sweep()).expired, 0)
    stage.clock.set(expiresAt)
    assert.equal((await hub.sweep()).expired, 1)
    assert.deepEqual(await hub.wait(id), { status: "expired" })
  }),

  claim("uses the deadline of the flow for a consent that a person has begun", async (stage) => {
    const hub = await stage.hub()
    const { id } = await hub.ask(urlDraft({ lifetimeMs: minute }))
    await hub.answer(id, { by: alice, action: "accept", expiresAt: start + 20 * minute })
    stage.clock.set(start + 10 * minute)
    assert.equal((await hub.sweep()).expired, 0)
    assert.equal(elicitationOf(await hub.complete(id)).status, "completed")
  }),
]
