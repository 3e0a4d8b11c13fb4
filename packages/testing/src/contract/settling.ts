// A question is settled exactly once, even by concurrent attempts, and the losers change nothing.

import assert from "node:assert/strict"
import { isSettled } from "@holdpoint/hub"
import type { ContractCase } from "./case.ts"
import { claim, verifies } from "./case.ts"
import {
  alice,
  bob,
  elicitationOf,
  formDraft,
  minute,
  person,
  range,
  readAll,
  refusalOf,
  start,
  urlDraft,
} from "./samples.ts"

const twenty = range(20).map((index) => person(`person ${index}`))

export const settling: readonly ContractCase[] = [
  claim("lets exactly one of 20 concurrent answers win and tells the other 19 how it ended", async (stage) => {
    const hub = await stage.hub()
    const { id } = await hub.ask(formDraft({ audience: { kind: "any", principals: twenty } }))
    const results = await Promise.all(
      twenty.map((by) => hub.answer(id, { by, action: "accept", content: { note: by.subject } })),
    )
    const winners = results.filter((result) => result.ok)
    assert.equal(winners.length, 1)
    const wonQuestion = elicitationOf(winners[0]!)
    assert.deepEqual(wonQuestion.content, { note: wonQuestion.answeredBy?.subject })
    for (const result of results.filter(({ ok }) => !ok)) {
      const { code, ended } = refusalOf(result)
      assert.equal(code, "already_settled")
      assert.deepEqual(ended, { status: "completed", at: start, by: wonQuestion.answeredBy })
    }
    assert.deepEqual(await hub.get(id), wonQuestion)
    const kinds = (await hub.trail({ id, limit: 100 })).map(({ kind }) => kind)
    assert.deepEqual(kinds.toSorted(), ["asked", "completed", ...range(19).map(() => "refused")])
  }),

  verifies(
    "hub.settles-once",
    "lets exactly one of 20 concurrent answers win when they come through two openings",
    async (stage) => {
      const hubs = [await stage.hub(), await stage.hub()]
      const { id } = await hubs[0]!.ask(formDraft({ audience: { kind: "any", principals: twenty } }))
      const results = await Promise.all(
        twenty.map((by, index) => hubs[index % 2]!.answer(id, { by, action: "accept", content: { note: by.subject } })),
      )
      const wonQuestions = results.filter((result) => result.ok).map(elicitationOf)
      assert.equal(wonQuestions.length, 1)
      for (const hub of hubs) assert.deepEqual(await hub.get(id), wonQuestions[0])
      assert.equal((await hubs[1]!.trail({ id, afterRevision: 1, limit: 100 })).length, 1)
    },
  ),

  claim("lets one of complete, fail, decline and cancel win when all arrive at the same time", async (stage) => {
    const hubs = [await stage.hub(), await stage.hub()] as const
    const { id } = await hubs[0].ask(urlDraft())
    elicitationOf(await hubs[1].answer(id, { by: alice, action: "accept" }))
    const results = await Promise.all([
      hubs[0].complete(id),
      hubs[1].fail(id, { code: "provider_error" }),
      hubs[0].answer(id, { by: alice, action: "decline" }),
      hubs[1].cancel(id),
    ])
    const wonQuestions = results.filter((result) => result.ok).map(elicitationOf)
    assert.equal(wonQuestions.length, 1)
    assert.deepEqual(await hubs[1].get(id), wonQuestions[0])
    for (const result of results.filter(({ ok }) => !ok))
      assert.equal(refusalOf(result).ended?.status, wonQuestions[0]?.status)
    const settlements = (await hubs[0].trail({ id, limit: 100 })).filter(
      ({ revision, status }) => revision !== undefined && status !== undefined && isSettled(status),
    )
    assert.equal(settlements.length, 1)
  }),

  claim("refuses a second answer, says how it ended and changes nothing", async (stage) => {
    const hub = await stage.hub()
    const { id } = await hub.ask(formDraft())
    const wonQuestion = elicitationOf(await hub.answer(id, { by: alice, action: "decline", reason: { code: "no" } }))
    const refusal = refusalOf(await hub.answer(id, { by: alice, action: "accept", content: { note: "yes" } }))
    assert.equal(refusal.code, "already_settled")
    assert.deepEqual(refusal.ended, { status: "declined", at: start, by: alice, reason: { code: "no" } })
    assert.deepEqual(await hub.get(id), wonQuestion)
  }),

  claim("accepts the same answer by the same person again, and changes nothing", async (stage) => {
    const hub = await stage.hub()
    const { id } = await hub.ask(formDraft())
    const answer = { by: alice, action: "accept", content: { note: "yes" } } as const
    const first = await hub.answer(id, answer)
    const repeated = await hub.answer(id, answer)
    assert.deepEqual(repeated, { ok: true, changed: false, elicitation: elicitationOf(first) })
    assert.equal((await hub.trail({ id, limit: 10 })).length, 2)
  }),

  claim("refuses a stranger without revealing the state, and records the attempt", async (stage) => {
    const hub = await stage.hub()
    const { id } = await hub.ask(formDraft())
    const questionBefore = await hub.get(id)
    const refusal = refusalOf(await hub.answer(id, { by: bob, action: "accept", content: { note: "mine" } }))
    assert.equal(refusal.code, "not_addressee")
    assert.equal(refusal.status, undefined)
    assert.deepEqual(await hub.get(id), questionBefore)
    const [, attempt] = await hub.trail({ id, limit: 10 })
    assert.deepEqual([attempt?.kind, attempt?.detail.by, attempt?.revision], ["refused", bob, undefined])
  }),

  claim("keeps a form open after an answer that does not fit", async (stage) => {
    const hub = await stage.hub()
    const question = await hub.ask(formDraft())
    const refusal = refusalOf(await hub.answer(question.id, { by: alice, action: "accept", content: { nota: 1 } }))
    assert.equal(refusal.code, "invalid_answer")
    assert.deepEqual(await hub.get(question.id), question)
    elicitationOf(await hub.answer(question.id, { by: alice, action: "accept", content: { note: "fits" } }))
  }),

  claim("accepts an answer a millisecond before the deadline", async (stage) => {
    const hub = await stage.hub()
    const { id } = await hub.ask(formDraft({ lifetimeMs: minute }))
    stage.clock.set(start + minute - 1)
    elicitationOf(await hub.answer(id, { by: alice, action: "accept", content: { note: "in time" } }))
  }),

  claim("refuses an answer exactly at the deadline as late and settles the question as expired", async (stage) => {
    const hub = await stage.hub()
    const { id } = await hub.ask(formDraft({ lifetimeMs: minute }))
    stage.clock.set(start + minute)
    const refusal = refusalOf(await hub.answer(id, { by: alice, action: "accept", content: { note: "late" } }))
    assert.equal(refusal.code, "expired")
    assert.deepEqual(refusal.ended, { status: "expired", at: start + minute })
    const settled = await hub.get(id)
    assert.deepEqual([settled?.status, settled?.content], ["expired", undefined])
    assert.deepEqual(await hub.wait(id), { status: "expired" })
  }),

  claim("never lets a question end before it began when the clock was set back", async (stage) => {
    const hub = await stage.hub()
    const { id } = await hub.ask(formDraft())
    stage.clock.set(start - 10 * minute)
    const settled = elicitationOf(await hub.answer(id, { by: alice, action: "accept", content: { note: "yes" } }))
    assert.equal(settled.settledAt, settled.createdAt)
    const laterQuestion = await hub.ask(formDraft())
    const order = (await readAll((await stage.storage()).trail)).map(({ id: entryId, kind }) => [entryId, kind])
    assert.deepEqual(order, [
      [id, "asked"],
      [id, "completed"],
      [laterQuestion.id, "asked"],
    ])
  }),
]
