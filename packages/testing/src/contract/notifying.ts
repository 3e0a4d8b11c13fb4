// Notifications: listeners hear of commits through this and other openings of the storage, without polling.

import assert from "node:assert/strict"
import type { Entry, Hub, WatchEvent, WatchScope } from "@holdpoint/hub"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import {
  alice,
  bob,
  completed,
  elicitationOf,
  entryOf,
  formDraft,
  insert,
  range,
  readAll,
  record,
  start,
  urlDraft,
  waitForEntries,
} from "./samples.ts"

async function watched(hub: Hub, scope: WatchScope, count = Number.POSITIVE_INFINITY): Promise<readonly WatchEvent[]> {
  const events: WatchEvent[] = []
  for await (const event of hub.watch(scope)) {
    events.push(event)
    if (events.length >= count) break
  }
  return events
}

export const notifying: readonly ContractCase[] = [
  claim("notifies a listener of commits of its own opening, entry by entry", async (stage) => {
    const storage = await stage.storage()
    const notified = waitForEntries(storage.trail, (entries) => entries.length === 3)
    const first = await insert(storage, record())
    await storage.trail.append({ id: first.id, tenant: "acme", kind: "shown", at: start, detail: { via: "inbox" } })
    const next = completed(first, { note: "yes" })
    await storage.store.replace(next, entryOf(next))
    assert.deepEqual(await notified, await readAll(storage.trail))
  }),

  claim("notifies a listener of commits of another opening, entry by entry", async (stage) => {
    const [firstOpening, secondOpening] = [await stage.storage(), await stage.storage()]
    const notified = waitForEntries(firstOpening.trail, (entries) => entries.length === 40)
    for (const _ of range(4)) {
      const questions = await Promise.all(range(5).map(() => insert(secondOpening, record())))
      await Promise.all(
        questions.map((first) => secondOpening.store.replace(completed(first), entryOf(completed(first)))),
      )
    }
    assert.deepEqual(await notified, await readAll(firstOpening.trail))
  }),

  claim("notifies every listener of everything while both openings write concurrently", async (stage) => {
    const storages = [await stage.storage(), await stage.storage()]
    const notified = storages.map(({ trail }) => waitForEntries(trail, (entries) => entries.length === 100))
    await Promise.all(
      range(10).map(async (index) => {
        for (const _ of range(10)) await insert(storages[index % 2]!, record())
      }),
    )
    const all = await readAll(storages[0]!.trail)
    for (const entries of await Promise.all(notified)) assert.deepEqual(entries, all)
  }),

  claim("does not notify a listener of a compare-and-set that lost", async (stage) => {
    const storage = await stage.storage()
    const first = await insert(storage, record())
    const end = await storage.trail.end()
    const notified = waitForEntries(storage.trail, (entries) => entries.some(({ kind }) => kind === "shown"))
    const wrongRevision = { ...completed(first), revision: 7 }
    await storage.store.replace(wrongRevision, entryOf(wrongRevision))
    await storage.trail.append({ id: first.id, tenant: "acme", kind: "shown", at: start, detail: {} })
    const laterEntries = (await notified).filter(({ position }) => position > end)
    assert.deepEqual(
      laterEntries.map(({ kind }) => kind),
      ["shown"],
    )
  }),

  claim("does not notify a listener that has unsubscribed", async (stage) => {
    const storage = await stage.storage()
    const lateEntries: Entry[] = []
    const stop = storage.trail.subscribe((entries) => lateEntries.push(...entries))
    stop()
    const notified = waitForEntries(storage.trail, (entries) => entries.length > 0)
    await insert(storage, record())
    await notified
    assert.deepEqual(lateEntries, [])
  }),

  verifies("store.wakes-processes", "wakes a wait in one hub after an answer in another, 20 times", async (stage) => {
    const [asker, answerer] = [await stage.hub(), await stage.hub()]
    for (const round of range(20)) {
      const question = await asker.ask(formDraft())
      const outcome = asker.wait(question)
      const note = `round ${round}`
      elicitationOf(await answerer.answer(question.id, { by: alice, action: "accept", content: { note } }))
      assert.deepEqual(await outcome, { status: "completed", content: { note } })
    }
  }),

  claim("wakes all waiters, in any hub, with the same outcome", async (stage) => {
    const hubs = [await stage.hub(), await stage.hub(), await stage.hub()]
    const question = await hubs[0]!.ask(formDraft())
    const outcomes = range(9).map((index) => hubs[index % 3]!.wait(question.id))
    await hubs[1]!.answer(question.id, { by: alice, action: "decline", reason: { code: "no" } })
    for (const outcome of await Promise.all(outcomes)) {
      assert.deepEqual(outcome, { status: "declined", reason: { code: "no" } })
    }
  }),

  claim("lets a watch in one hub see every step made in another, once and in order", async (stage) => {
    const [watcher, actor] = [await stage.hub(), await stage.hub()]
    const { id } = await actor.ask(urlDraft())
    const watchedEntries = watched(watcher, { id })
    await actor.open(id)
    await actor.answer(id, { by: bob, action: "decline" })
    await actor.open(id, { by: alice })
    await actor.answer(id, { by: alice, action: "accept" })
    await actor.complete(id)
    const events = await watchedEntries
    assert.deepEqual(
      events.map(({ revision, kind }) => [revision, kind]),
      [
        [1, "asked"],
        [2, "opened"],
        [3, "opened"],
        [4, "accepted"],
        [5, "completed"],
      ],
    )
  }),

  verifies(
    "hub.watch-resumes",
    "lets a watch resume where another stopped, without gaps or repetitions",
    async (stage) => {
      const [firstHub, secondHub] = [await stage.hub(), await stage.hub()]
      const asks = range(6).map(() => firstHub.ask(formDraft()))
      const questions = await Promise.all(asks)
      const first = await watched(firstHub, { principal: alice, afterPosition: 0 }, 4)
      for (const { id } of questions) await secondHub.answer(id, { by: alice, action: "decline" })
      const remaining = await watched(secondHub, { principal: alice, afterPosition: first.at(-1)!.position }, 8)
      const entries = await firstHub.trail({ limit: 100 })
      assert.deepEqual([...first, ...remaining], entries)
    },
  ),

  claim("shows a watch of a tenant or person no refusals and no events of others", async (stage) => {
    const hub = await stage.hub()
    const ofAlice = await hub.ask(formDraft())
    const shared = await hub.ask(formDraft({ audience: { kind: "any", principals: [alice, bob] } }))
    const questionForBob = await hub.ask(formDraft({ audience: bob }))
    await hub.answer(ofAlice.id, { by: bob, action: "decline" })
    await hub.answer(questionForBob.id, { by: bob, action: "decline" })
    await hub.answer(ofAlice.id, { by: alice, action: "decline" })
    const ids = async (scope: WatchScope, count: number) => (await watched(hub, scope, count)).map(({ id }) => id)
    assert.deepEqual(await ids({ principal: alice, afterPosition: 0 }, 3), [ofAlice.id, shared.id, ofAlice.id])
    assert.deepEqual(await ids({ principal: bob, afterPosition: 0 }, 3), [
      shared.id,
      questionForBob.id,
      questionForBob.id,
    ])
    assert.equal((await ids({ tenant: "acme", afterPosition: 0 }, 5)).length, 5)
  }),

  verifies(
    "hub.watch-resumes",
    "lets a watch of a parent see every step of its questions, made in another hub, and nothing else",
    async (stage) => {
      const [firstHub, secondHub] = [await stage.hub(), await stage.hub()]
      const first = await secondHub.ask(formDraft({ parent: "call 1" }))
      const scope = { tenant: "acme", parent: "call 1", afterPosition: 0 }
      const watchedEntries = watched(firstHub, scope, 4)
      await secondHub.ask(formDraft({ parent: "call 2" }))
      await secondHub.ask(formDraft())
      await secondHub.answer(first.id, { by: alice, action: "decline" })
      const second = await secondHub.ask(formDraft({ parent: "call 1" }))
      await secondHub.answer(second.id, { by: bob, action: "decline" })
      await secondHub.cancel(second.id)
      const events = await watchedEntries
      assert.deepEqual(
        events.map(({ id, kind, parent }) => [id, kind, parent]),
        [
          [first.id, "asked", "call 1"],
          [first.id, "declined", "call 1"],
          [second.id, "asked", "call 1"],
          [second.id, "cancelled", "call 1"],
        ],
      )
      const remaining = await watched(firstHub, { ...scope, afterPosition: events[1]!.position }, 2)
      assert.deepEqual(remaining, events.slice(2))
      const entries = await firstHub.trail({ tenant: "acme", parent: "call 1", limit: 9 })
      assert.deepEqual(
        entries.map(({ kind }) => kind),
        ["asked", "declined", "asked", "refused", "cancelled"],
      )
    },
  ),
]
