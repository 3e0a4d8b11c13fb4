// What the trail records, and what retention deletes.

import { form, text } from "@holdpoint/hub"
import { alice, bob, formDraft, urlDraft } from "@holdpoint/testkit/fixtures"
import { settled, setUp } from "@holdpoint/testkit/hub/hub/setup"
import { artifact, call, clientSession } from "@holdpoint/testkit/records"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { callKind } from "../../../../packages/calls/src/records.ts"
import { clientSessionKind } from "../../../../packages/mcp/src/server/records.ts"
import { artifactKind } from "../../../../packages/server/src/identity/authorization/records.ts"

const canary = "canary-7f3a-do-not-store"

describe("the trail", () => {
  verifies(
    "trail.records-every-step",
    "records the asker, the audience and the question, and every step with its actor and time",
    async () => {
      const { hub, trailOf, clock } = setUp()
      const asked = await hub.ask({ ...urlDraft, client: { name: "Inspector", version: "2" } })
      await hub.open(asked.id, { by: alice })
      await clock.advance(1_000)
      await hub.answer(asked.id, { by: alice, action: "accept", via: "page" })
      await hub.complete(asked.id)
      const entries = await trailOf(asked.id)
      expect(entries.map(({ kind, revision, status }) => [kind, revision, status])).toEqual([
        ["asked", 1, "pending"],
        ["opened", 2, "pending"],
        ["accepted", 3, "accepted"],
        ["completed", 4, "completed"],
      ])
      expect(entries[0]?.detail).toMatchObject({
        audience: { kind: "one", principal: alice },
        question: {
          message: urlDraft.message,
          requester: urlDraft.requester,
          client: { name: "Inspector" },
          mode: "url",
        },
      })
      expect(entries[2]).toMatchObject({ at: entries[0]!.at + 1_000, detail: { by: alice, via: "page" } })
    },
  )

  verifies(
    "trail.records-refusals",
    "records every refused attempt with its reason, also by other people and on unknown ids",
    async () => {
      const { hub, trailOf } = setUp()
      const asked = await hub.ask(formDraft)
      await hub.answer(asked.id, { by: bob, action: "accept", content: { ok: true }, via: "inbox" })
      await hub.answer(asked.id, { by: alice, action: "accept", content: { ok: "maybe" } })
      await hub.complete(asked.id)
      await hub.answer(asked.id, { by: alice, action: "decline" })
      await hub.answer(asked.id, { by: alice, action: "accept", content: { ok: true } })
      await hub.answer("00000000-0000-4000-8000-000000000000", { by: bob, action: "decline" })
      const refused = (await trailOf(asked.id)).filter(({ kind }) => kind === "refused")
      expect(refused.map(({ detail }) => [detail.message, detail.code, detail.by?.subject])).toEqual([
        ["accept", "not_addressee", "bob"],
        ["accept", "invalid_answer", "alice"],
        ["complete", "wrong_mode", undefined],
        ["accept", "already_settled", "alice"],
      ])
      const [unknown] = await trailOf("00000000-0000-4000-8000-000000000000")
      expect(unknown).toMatchObject({ kind: "refused", tenant: "acme", detail: { code: "not_found" } })
    },
  )

  verifies("trail.holds-no-content", "never contains the content of an answer, accepted or refused", async () => {
    const { hub, storage } = setUp()
    const asked = await hub.ask({ ...formDraft, form: form({ note: text({ maxLength: 30 }) }) })
    await hub.answer(asked.id, { by: alice, action: "accept", content: { note: canary.repeat(3) } })
    await hub.answer(asked.id, { by: alice, action: "accept", content: { [canary]: 1 } })
    await hub.answer(asked.id, { by: bob, action: "accept", content: { note: canary } })
    await hub.answer(asked.id, { by: alice, action: "accept", content: { note: canary } })
    await hub.answer(canary.repeat(9), { by: alice, action: "accept", content: { note: canary } })
    expect(JSON.stringify(await storage.trail.read({ limit: 1_000 }))).not.toContain(canary)
  })
})

describe("retention", () => {
  const text30 = { ...formDraft, form: form({ note: text() }) }

  verifies(
    "retention.content-then-record",
    "deletes content soon after it is read, or after a day unread, and the record after 30 days",
    async () => {
      const { hub, clock } = setUp()
      const [read, unread] = [await hub.ask(text30), await hub.ask(text30)]
      const outcome = hub.wait(read)
      for (const { id } of [read, unread])
        await hub.answer(id, { by: alice, action: "accept", content: { note: canary } })
      expect(await outcome).toEqual({ status: "completed", content: { note: canary } })
      const contents = async () =>
        [await hub.get(read.id), await hub.get(unread.id)].map((record) => record?.content?.note)
      await clock.advance(59_000)
      expect(await contents()).toEqual([canary, canary])
      await clock.advance(3_000)
      expect(await contents()).toEqual([undefined, canary])
      await expect(hub.wait(read)).rejects.toMatchObject({ code: "content_gone", retryable: false })
      await clock.advance(24 * 3_600_000)
      expect(await contents()).toEqual([undefined, undefined])
      await clock.advance(30 * 24 * 3_600_000)
      expect(await hub.get(read.id)).toBeUndefined()
    },
  )

  verifies("retention.spares-open-and-trail", "never deletes open questions or the trail", async () => {
    const { hub, clock, trailOf } = setUp({ retention: { recordMs: 1_000, contentMs: 1_000 } })
    const open = await hub.ask({ ...text30, lifetimeMs: 600_000 })
    const gone = await hub.ask(text30)
    await hub.answer(gone.id, { by: alice, action: "decline" })
    await clock.advance(5_000)
    await settled(clock)
    expect(await hub.sweep()).toEqual({ expired: 0, contentsForgotten: 0, questionsForgotten: 1, recordsForgotten: 0 })
    expect([await hub.get(open.id), await hub.get(gone.id)]).toMatchObject([{ status: "pending" }, undefined])
    expect((await trailOf(gone.id)).map(({ kind }) => kind)).toEqual(["asked", "declined"])
  })

  it("removes expired calls, client sessions and artifacts within an hour", async () => {
    const { storage, clock, reports } = setUp()
    const hour = 3_600_000
    const expiresAt = clock.now() + hour
    const [over, open] = [call({ expiresAt }), call({ expiresAt: expiresAt + 1 })]
    await Promise.all([storage.records(callKind).insert(over), storage.records(callKind).insert(open)])
    await storage.records(clientSessionKind).insert(clientSession({ id: "c", expiresAt }))
    await storage.records(artifactKind).insert(artifact({ id: "a", expiresAt }))
    const left = () =>
      Promise.all([
        storage.records(callKind).get(over.id),
        storage.records(callKind).get(open.id),
        storage.records(clientSessionKind).get("c"),
        storage.records(artifactKind).get("a"),
      ])
    await clock.advance(hour - 1)
    expect(await left()).not.toContain(undefined)
    await clock.advance(1)
    expect(await left()).toEqual([undefined, open, undefined, undefined])
    await clock.advance(hour)
    expect((await left())[1]).toBeUndefined()
    expect(reports).toEqual([])
  })
})
