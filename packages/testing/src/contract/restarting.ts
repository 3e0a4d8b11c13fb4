// Restarts between any two steps, and questions that several processes hold at once.

import assert from "node:assert/strict"
import type { Hub } from "@holdpoint/hub"
import { isSettled } from "@holdpoint/hub"
import type { ContractCase, Stage } from "./case.ts"
import { claim, verifies } from "./case.ts"
import { alice, elicitationOf, formDraft, insert, readAll, record, urlDraft } from "./samples.ts"

/** Returns a new hub on a storage that was closed and opened again. */
async function restarted(stage: Stage): Promise<Hub> {
  await stage.restart()
  return stage.hub()
}

/** Stops waiting for a question, and resolves when the hub has stored that its asker gave up. */
async function giveUp(hub: Hub, id: string): Promise<void> {
  const revisionBefore = (await hub.get(id))?.revision ?? 0
  const stop = new AbortController()
  const outcome = hub.wait(id, { signal: stop.signal })
  stop.abort(new Error("gone"))
  await assert.rejects(outcome, /gone/)
  for await (const { revision } of hub.watch({ id, afterRevision: revisionBefore }))
    if (revision > revisionBefore) break
}

export const restarting: readonly ContractCase[] = [
  verifies(
    "hub.ask-is-durable",
    "keeps a form across restarts between asking, answering and reading",
    async (stage) => {
      const question = await (await stage.hub()).ask(formDraft({ key: "k", parent: "call-1" }))
      const restartedHub = await restarted(stage)
      assert.deepEqual(await restartedHub.get(question.id), question)
      const answered = elicitationOf(
        await restartedHub.answer(question.id, { by: alice, action: "accept", content: { note: "yes" } }),
      )
      const hub = await restarted(stage)
      assert.deepEqual(await hub.get(question.id), answered)
      assert.deepEqual(await hub.wait(question.id), { status: "completed", content: { note: "yes" } })
    },
  ),

  verifies("hub.ask-is-durable", "keeps a url question across a restart between any two steps", async (stage) => {
    const { id } = await (await stage.hub()).ask(urlDraft())
    elicitationOf(await (await restarted(stage)).open(id))
    elicitationOf(await (await restarted(stage)).open(id, { by: alice }))
    elicitationOf(await (await restarted(stage)).answer(id, { by: alice, action: "accept" }))
    elicitationOf(await (await restarted(stage)).complete(id))
    const hub = await restarted(stage)
    assert.deepEqual(await hub.wait(id), { status: "completed" })
    const entries = await hub.trail({ id, limit: 10 })
    assert.deepEqual(
      entries.map(({ revision }) => revision),
      [1, 2, 3, 4, 5],
    )
  }),

  claim("keeps a failed, a declined and a cancelled question across a restart", async (stage) => {
    const hub = await stage.hub()
    const failed = await hub.ask(urlDraft())
    const declined = await hub.ask(formDraft())
    const cancelled = await hub.ask(formDraft())
    elicitationOf(await (await restarted(stage)).answer(failed.id, { by: alice, action: "accept" }))
    const secondHub = await restarted(stage)
    elicitationOf(await secondHub.fail(failed.id, { code: "provider_error", message: "No." }))
    elicitationOf(await secondHub.answer(declined.id, { by: alice, action: "decline" }))
    elicitationOf(await secondHub.cancel(cancelled.id, { code: "asker_cancelled" }))
    const last = await restarted(stage)
    assert.deepEqual(await last.wait(failed.id), {
      status: "failed",
      reason: { code: "provider_error", message: "No." },
    })
    assert.deepEqual(await last.wait(declined.id), { status: "declined" })
    assert.deepEqual(await last.wait(cancelled.id), { status: "cancelled", reason: { code: "asker_cancelled" } })
  }),

  claim("accepts the same answer again after a restart, and changes nothing", async (stage) => {
    const { id } = await (await stage.hub()).ask(formDraft())
    const answer = { by: alice, action: "accept", content: { note: "yes" } } as const
    const first = elicitationOf(await (await restarted(stage)).answer(id, answer))
    const repeated = await (await restarted(stage)).answer(id, answer)
    assert.deepEqual(repeated, { ok: true, changed: false, elicitation: first })
  }),

  claim("leaves every question open when a hub closes, and lets the next one wait for it", async (stage) => {
    const hub = await stage.hub()
    const question = await hub.ask(formDraft())
    const outcome = hub.wait(question)
    await Promise.all([assert.rejects(outcome, { code: "closed" }), hub.close()])
    const nextHub = await restarted(stage)
    assert.deepEqual(await nextHub.get(question.id), question)
    const laterWait = nextHub.wait(question.id)
    await nextHub.answer(question.id, { by: alice, action: "decline" })
    assert.deepEqual(await laterWait, { status: "declined" })
  }),

  claim("keeps limits and keys after being opened again", async (stage) => {
    const storageBefore = await stage.storage()
    const first = await insert(storageBefore, record({ key: "k", keyReuse: "always" }))
    await stage.restart()
    const { store } = await stage.storage()
    const second = record({ key: "k", keyReuse: "always" })
    const limitsOfOne = { limits: { perPerson: 1, perTenant: 9 } }
    const entry = { id: second.id, tenant: "acme", kind: "asked", at: 0, detail: {} } as const
    assert.deepEqual(await store.insert(second, entry, limitsOfOne), { stored: false, existing: first })
    assert.deepEqual(await store.insert(record(), entry, limitsOfOne), { stored: false, full: "person" })
  }),

  claim("ends a question that two hubs hold only when both have given up", async (stage) => {
    const hubs = [await stage.hub(), await stage.hub()] as const
    const draft = formDraft({ key: "k" })
    const { id } = await hubs[0].ask(draft)
    assert.equal((await hubs[1].ask(draft)).holders, 2)
    await giveUp(hubs[0], id)
    const remaining = await hubs[1].get(id)
    assert.deepEqual([remaining?.status, remaining?.holders], ["pending", 1])
    await giveUp(hubs[1], id)
    const ended = await hubs[0].get(id)
    assert.deepEqual([ended?.status, ended?.reason?.code], ["cancelled", "asker_gone"])
    const entries = await readAll((await stage.storage()).trail)
    assert.deepEqual(
      entries.map(({ kind, revision }) => [kind, revision]),
      [
        ["asked", 1],
        ["joined", 2],
        ["released", 3],
        ["cancelled", 4],
      ],
    )
  }),

  claim("never ends a consent that a person has begun because its callers gave up", async (stage) => {
    const hub = await stage.hub()
    const { id } = await hub.ask(urlDraft())
    await hub.open(id)
    await giveUp(hub, id)
    const remaining = await hub.get(id)
    assert.ok(remaining !== undefined && !isSettled(remaining.status))
    assert.equal(remaining.holders, 0)
    elicitationOf(await hub.answer(id, { by: alice, action: "accept" }))
    elicitationOf(await hub.complete(id))
  }),
]
