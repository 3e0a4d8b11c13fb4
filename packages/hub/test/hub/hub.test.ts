// The hub's verbs, on memory, with a clock that the test moves.

import { createTestClock } from "@holdpoint/testing"
import { alice, bob, carol, formDraft, mallory, now, urlDraft } from "@holdpoint/testkit/fixtures"
import { settled, setUp } from "@holdpoint/testkit/hub/hub/setup"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, expectTypeOf } from "vitest"
import { z } from "zod"
import type { Outcome } from "../../src/core/elicitation.ts"
import type { Content } from "../../src/core/form.ts"
import { choice, form, yesNo } from "../../src/core/form.ts"
import type { Draft } from "../../src/core/question.ts"
import { createHub } from "../../src/hub/hub.ts"
import { createMemoryStorage } from "../../src/stores/memory.ts"

const yes = { by: alice, action: "accept", content: { ok: true } } as const

describe("asking and answering", () => {
  verifies("hub.answer-resumes-asker", "resumes every waiting caller with the content", async () => {
    const { hub } = setUp()
    const asked = await hub.ask(formDraft)
    const waits = [hub.wait(asked), hub.wait(asked.id), hub.wait(asked)]
    expect(await hub.answer(asked.id, yes)).toMatchObject({ ok: true, changed: true })
    expect(await Promise.all(waits)).toEqual(Array(3).fill({ status: "completed", content: { ok: true } }))
  })

  verifies("form.knows-its-content", "returns an outcome whose type follows from the form", async () => {
    const { hub } = setUp()
    const asked = await hub.ask({ ...formDraft, form: form({ env: choice(["a", "b"]), ok: yesNo() }) })
    const outcome = hub.wait(asked)
    expectTypeOf(outcome).resolves.toEqualTypeOf<Outcome<{ readonly env: "a" | "b"; readonly ok: boolean }>>()
    await hub.answer(asked.id, { by: alice, action: "accept", content: { env: "a", ok: true } })
    expect(await outcome).toEqual({ status: "completed", content: { env: "a", ok: true } })
  })

  verifies("form.knows-its-content", "returns content for a completed form and none for a link", async () => {
    const { hub } = setUp()
    const own = await hub.ask({ ...formDraft, form: form({ env: choice(["a", "b"]) }) })
    const zod = await hub.ask({ ...formDraft, form: z.object({ sure: z.boolean() }) })
    const json = await hub.ask({ ...formDraft, form: { type: "object", properties: { note: { type: "string" } } } })
    const link = await hub.ask(urlDraft)
    const either = await hub.ask(urlDraft as Draft)
    type Completed<T> = Extract<T, { status: "completed" }>
    const wait = {
      own: () => hub.wait(own),
      zod: () => hub.wait(zod),
      json: () => hub.wait(json),
      link: () => hub.wait(link),
      either: () => hub.wait(either),
      id: () => hub.wait(link.id),
    }
    type Waited = { [Way in keyof typeof wait]: Completed<Awaited<ReturnType<(typeof wait)[Way]>>>["content"] }
    expectTypeOf<Waited["own"]>().toEqualTypeOf<{ readonly env: "a" | "b" }>()
    expectTypeOf<Waited["zod"]>().toEqualTypeOf<{ sure: boolean }>()
    expectTypeOf<Waited["json"]>().toEqualTypeOf<Content>()
    expectTypeOf<Waited["link"]>().toEqualTypeOf<undefined>()
    expectTypeOf<Waited["either"]>().toEqualTypeOf<Content | undefined>()
    expectTypeOf<Waited["id"]>().toEqualTypeOf<Content | undefined>()
    await hub.answer(own.id, { by: alice, action: "accept", content: { env: "a" } })
    const outcome = await wait.own()
    expect(outcome.status === "completed" && outcome.content.env).toBe("a")
  })

  verifies("form.takes-standard-schemas", "accepts a zod schema as a form", async () => {
    const { hub } = setUp()
    const asked = await hub.ask({ ...formDraft, form: z.object({ sure: z.boolean() }) })
    expect(asked.mode === "form" && asked.requestedSchema.required).toEqual(["sure"])
  })

  verifies(
    "hub.settles-once",
    "lets exactly one of 20 concurrent answers win and tells the others how it ended",
    async () => {
      const { hub, trailOf } = setUp()
      const asked = await hub.ask({ ...formDraft, audience: { kind: "any", principals: [alice, bob] } })
      const outcome = hub.wait(asked)
      const answers = Array.from({ length: 20 }, (_, index) =>
        hub.answer(asked.id, { by: index % 2 ? alice : bob, action: "accept", content: { ok: index % 4 < 2 } }),
      )
      const results = await Promise.all(answers)
      const winners = results.filter((result) => result.ok && result.changed)
      expect(winners).toHaveLength(1)
      const { status } = await outcome
      for (const result of results)
        if (!result.ok) expect(result.refusal).toMatchObject({ code: "already_settled", ended: { status } })
      expect((await trailOf(asked.id)).filter(({ kind }) => kind === "completed")).toHaveLength(1)
    },
  )

  verifies(
    "hub.wait-after-the-end",
    "returns the outcome immediately to a caller that waits after the end",
    async () => {
      const { hub } = setUp()
      const asked = await hub.ask(formDraft)
      await hub.answer(asked.id, { by: alice, action: "decline" })
      expect(await hub.wait(asked)).toEqual({ status: "declined" })
    },
  )

  verifies("hub.asker-steps", "lets the asker complete, fail and cancel", async () => {
    const { hub } = setUp()
    const [done, broken, dropped] = await Promise.all([1, 2, 3].map(() => hub.ask(urlDraft)))
    for (const { id } of [done!, broken!]) await hub.answer(id, { by: alice, action: "accept" })
    await hub.complete(done!.id)
    await hub.fail(broken!.id, { code: "access_denied" })
    await hub.cancel(dropped!.id)
    expect(await Promise.all([hub.wait(done!), hub.wait(broken!), hub.wait(dropped!)])).toEqual([
      { status: "completed" },
      { status: "failed", reason: { code: "access_denied" } },
      { status: "cancelled", reason: { code: "asker_cancelled" } },
    ])
  })

  verifies("hub.unknown-id-refused", "refuses steps on an unknown id and rejects waiting for one", async () => {
    const { hub } = setUp()
    expect(await hub.answer("nothing", yes)).toMatchObject({ ok: false, refusal: { code: "not_found" } })
    expect(await hub.complete("nothing")).toMatchObject({ ok: false, refusal: { code: "not_found" } })
    await expect(hub.wait("nothing")).rejects.toMatchObject({ code: "not_found" })
    await expect(hub.watch({ id: "nothing" }).next()).rejects.toMatchObject({ code: "not_found" })
  })

  verifies("core.six-outcomes", "returns each of the six outcomes", async () => {
    const { hub, clock, another } = setUp()
    const asked = await Promise.all(
      [formDraft, formDraft, formDraft, formDraft, urlDraft].map((draft) => hub.ask(draft)),
    )
    const outcomes = asked.map((question) => hub.wait(question))
    const ids = asked.map(({ id }) => id) as [string, string, string, string, string]
    await hub.answer(ids[0], yes)
    await hub.answer(ids[1], { by: alice, action: "decline" })
    await hub.answer(ids[2], { by: alice, action: "cancel" })
    await hub.answer(ids[4], { by: alice, action: "accept" })
    await hub.fail(ids[4], { code: "broken" })
    await clock.advance(300_000)
    const nowhere = another({ outlets: [] })
    const all = [...(await Promise.all(outcomes)), await nowhere.wait(await nowhere.ask(formDraft))]
    expect(all.map(({ status }) => status)).toEqual([
      "completed",
      "declined",
      "cancelled",
      "expired",
      "failed",
      "unsupported",
    ])
  })
})

describe("keys", () => {
  const keyed = { ...formDraft, key: "release 42" }

  verifies("hub.key-asks-once", "let five parallel calls share one question, and all five continue", async () => {
    const { hub, storage } = setUp()
    const asked = await Promise.all(Array.from({ length: 5 }, () => hub.ask(keyed)))
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1)
    const outcomes = asked.map((question) => hub.wait(question))
    await hub.answer(asked[0]!.id, yes)
    expect(await Promise.all(outcomes)).toEqual(Array(5).fill({ status: "completed", content: { ok: true } }))
    expect(await storage.store.list({ tenant: "acme", state: "all", limit: 10 })).toHaveLength(1)
  })

  verifies("hub.key-asks-once", "find the question of a process that died, and its answer", async () => {
    const { hub, another } = setUp()
    const asked = await hub.ask(keyed)
    await hub.close()
    const second = another()
    const again = await second.ask(keyed)
    expect(again.id).toBe(asked.id)
    const outcome = second.wait(again)
    await second.answer(asked.id, yes)
    expect(await outcome).toMatchObject({ status: "completed" })
    expect(await second.wait(await second.ask(keyed))).toMatchObject({ status: "completed" })
  })

  verifies("hub.key-conflict", "are refused when they name another question", async () => {
    const { hub } = setUp()
    await hub.ask(keyed)
    await expect(hub.ask({ ...keyed, message: "Delete everything?" })).rejects.toMatchObject({ code: "key_conflict" })
    await expect(hub.ask({ ...keyed, requester: { id: "another" }, message: "Other?" })).resolves.toBeDefined()
  })

  verifies("hub.key-reuse-when-open", "with reuse “open” are free again once the question is settled", async () => {
    const { hub } = setUp()
    const consent = { ...urlDraft, key: "connect nextcloud", keyReuse: "open" } as const
    const first = await hub.ask(consent)
    expect((await hub.ask(consent)).id).toBe(first.id)
    await hub.answer(first.id, { by: alice, action: "decline" })
    expect((await hub.ask(consent)).id).not.toBe(first.id)
  })
})

describe("deadlines", () => {
  verifies("hub.expires-by-itself", "expire each question when it is due, in order", async () => {
    const { hub, clock } = setUp()
    const ends: string[] = []
    for (const seconds of [30, 10, 20]) {
      const asked = await hub.ask({ ...formDraft, lifetimeMs: seconds * 1_000 })
      void hub.wait(asked).then(({ status }) => ends.push(`${seconds} ${status}`))
    }
    await clock.advance(9_999)
    expect(ends).toEqual([])
    await clock.advance(20_100)
    expect(ends).toEqual(["10 expired", "20 expired", "30 expired"])
  })

  verifies(
    "hub.sweeps-what-the-dead-left",
    "of a process that died are enforced by another running process, or by the next one to start",
    async () => {
      const { hub, clock, another, storage } = setUp()
      const other = another()
      const asked = await hub.ask({ ...formDraft, lifetimeMs: 5_000 })
      await settled(clock)
      await hub.close()
      await clock.advance(5_100)
      expect((await storage.store.get(asked.id))?.status).toBe("expired")
      const left = await other.ask({ ...formDraft, lifetimeMs: 5_000 })
      await other.close()
      await clock.advance(60_000)
      expect((await storage.store.get(left.id))?.status).toBe("pending")
      another()
      await settled(clock)
      expect((await storage.store.get(left.id))?.status).toBe("expired")
    },
  )

  verifies(
    "core.late-answer-refused",
    "settle an unswept question as expired when a late answer arrives, and refuse the answer",
    async () => {
      const { hub, clock, storage } = setUp()
      const asked = await hub.ask({ ...formDraft, lifetimeMs: 5_000 })
      clock.set(asked.expiresAt)
      expect(await hub.answer(asked.id, yes)).toMatchObject({
        ok: false,
        refusal: { code: "expired", ended: { status: "expired" } },
      })
      expect((await storage.store.get(asked.id))?.status).toBe("expired")
    },
  )

  verifies("core.accept-moves-deadline", "move when a verified person begins the flow", async () => {
    const { hub, clock } = setUp()
    const asked = await hub.ask({ ...urlDraft, lifetimeMs: 5_000 })
    const outcome = hub.wait(asked)
    await hub.answer(asked.id, { by: alice, action: "accept", expiresAt: clock.now() + 600_000 })
    await clock.advance(599_000)
    expect(await hub.complete(asked.id)).toMatchObject({ ok: true })
    expect(await outcome).toEqual({ status: "completed" })
  })

  verifies("core.accept-moves-deadline", "cannot be moved beyond the longest lifetime of a question", async () => {
    const { hub, clock } = setUp()
    const asked = await hub.ask(urlDraft)
    for (const expiresAt of [clock.now() + 8 * 24 * 3_600_000, Number.NaN, Number.POSITIVE_INFINITY]) {
      const result = await hub.answer(asked.id, { by: alice, action: "accept", expiresAt })
      expect(result).toMatchObject({ ok: false, refusal: { code: "invalid_answer" } })
    }
    expect((await hub.get(asked.id))?.status).toBe("pending")
  })

  verifies(
    "store.missed-wake-costs-latency",
    "find a question that was settled elsewhere, even if the notification was lost",
    async () => {
      const storage = createMemoryStorage()
      const deaf = { ...storage, trail: { ...storage.trail, subscribe: () => () => {} } }
      const { hub, clock } = setUp({ storage: deaf })
      const asked = await hub.ask({ ...formDraft, lifetimeMs: 5_000 })
      const outcome = hub.wait(asked)
      await createHub({ storage, outlets: [], runtime: clock }).answer(asked.id, yes)
      await clock.advance(5_100)
      expect(await outcome).toEqual({ status: "completed", content: { ok: true } })
    },
  )

  verifies("core.clock-set-back", "are kept when the clock is set back", async () => {
    const passed = createTestClock(now)
    let setBackMs = 0
    // Timers of a machine use elapsed time, even if its clock is set back.
    const { hub, another } = setUp({ runtime: { ...passed, now: () => passed.now() - setBackMs } })
    const asked = await hub.ask({ ...formDraft, lifetimeMs: 5_000 })
    const outcome = hub.wait(asked)
    const gone = another()
    const left = await gone.ask({ ...formDraft, lifetimeMs: 5_500 })
    await gone.close()
    const statuses = async () => [(await hub.get(asked.id))?.status, (await hub.get(left.id))?.status]
    setBackMs = 3_600_000
    await passed.advance(6_000)
    expect(await statuses()).toEqual(["pending", "pending"])
    await passed.advance(3_600_000)
    expect(await outcome).toEqual({ status: "expired" })
    expect(await statuses()).toEqual(["expired", "expired"])
  })
})

describe("limits", () => {
  verifies(
    "limit.per-person-and-tenant",
    "are 20 open questions for each person and 10,000 for each tenant by default",
    async () => {
      const { hub } = setUp()
      const askAll = (count: number, subject: string) =>
        Promise.all(
          Array.from({ length: count }, (_none, at) =>
            hub.ask({ ...formDraft, requester: { id: `asker ${at % 2}` }, audience: { ...alice, subject } }),
          ),
        )
      for (let index = 0; index < 500; index++) {
        await askAll(20, `p${index}`)
        if (index === 0) await expect(askAll(1, "p0")).rejects.toMatchObject({ code: "too_many_for_person" })
      }
      await expect(askAll(1, "one more")).rejects.toMatchObject({ code: "too_many_for_tenant" })
    },
  )

  verifies(
    "limit.per-person-and-tenant",
    "apply to each person and each tenant, and settling a question frees its place",
    async () => {
      const { hub } = setUp({ limits: { pendingPerPerson: 2, pendingPerTenant: 3 } })
      const [first] = await Promise.all([hub.ask(formDraft), hub.ask(formDraft)])
      await expect(hub.ask(formDraft)).rejects.toMatchObject({ code: "too_many_for_person", retryable: true })
      await hub.ask({ ...formDraft, audience: bob })
      await expect(hub.ask({ ...formDraft, audience: carol })).rejects.toMatchObject({ code: "too_many_for_tenant" })
      await expect(hub.ask({ ...formDraft, audience: mallory })).resolves.toBeDefined()
      await hub.answer(first!.id, yes)
      await expect(hub.ask(formDraft)).resolves.toBeDefined()
    },
  )

  verifies(
    "limit.per-person-and-tenant",
    "are 20 for a person by default and still allow an idempotent ask",
    async () => {
      const { hub } = setUp()
      const draftOf = (index: number) => ({ ...formDraft, key: `k${index}`, requester: { id: `asker ${index % 2}` } })
      for (let index = 0; index < 20; index++) await hub.ask(draftOf(index))
      await expect(hub.ask(formDraft)).rejects.toMatchObject({ code: "too_many_for_person" })
      await expect(hub.ask(draftOf(3))).resolves.toMatchObject({ key: "k3" })
    },
  )
})

describe("closing", () => {
  verifies("hub.close-leaves-questions", "ends the waits of this process and leaves every question open", async () => {
    const { hub, storage, clock } = setUp()
    const asked = await hub.ask(formDraft)
    const outcome = hub.wait(asked)
    const following = hub.watch({ tenant: "acme" }).next()
    await settled(clock)
    await hub.close()
    await expect(outcome).rejects.toMatchObject({ code: "closed" })
    await expect(following).rejects.toMatchObject({ code: "closed" })
    await expect(hub.ask(formDraft)).rejects.toMatchObject({ code: "closed" })
    expect((await storage.store.get(asked.id))?.status).toBe("pending")
  })
})
