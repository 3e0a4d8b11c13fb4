// Watching questions across disconnections.

import { alice, bob, carol, formDraft, mallory, urlDraft } from "@holdpoint/testkit/fixtures"
import { settled, setUp } from "@holdpoint/testkit/hub/hub/setup"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect } from "vitest"
import type { Hub } from "../../src/hub/hub.ts"
import type { WatchEvent, WatchScope } from "../../src/hub/watch.ts"

async function take(hub: Hub, scope: WatchScope, count: number): Promise<readonly WatchEvent[]> {
  const events: WatchEvent[] = []
  for await (const event of hub.watch(scope)) {
    events.push(event)
    if (events.length === count) break
  }
  return events
}

const kinds = (events: readonly WatchEvent[]): readonly string[] =>
  events.map(({ kind, revision }) => `${revision} ${kind}`)

describe("watching one question", () => {
  verifies("hub.watch-resumes", "shows every step from the start and ends with the question", async () => {
    const { hub } = setUp()
    const asked = await hub.ask(urlDraft)
    await hub.open(asked.id, { by: alice })
    const all = take(hub, { id: asked.id }, 99)
    await hub.answer(asked.id, { by: alice, action: "accept" })
    await hub.complete(asked.id)
    expect(kinds(await all)).toEqual(["1 asked", "2 opened", "3 accepted", "4 completed"])
  })

  verifies(
    "hub.watch-resumes",
    "resumes from any revision without losing or repeating a step, even in another process",
    async () => {
      const { hub, another } = setUp()
      const asked = await hub.ask(urlDraft)
      const seen: WatchEvent[] = [...(await take(hub, { id: asked.id }, 1))]
      await hub.open(asked.id)
      await hub.answer(asked.id, { by: alice, action: "accept" })
      const second = another()
      seen.push(...(await take(second, { id: asked.id, afterRevision: seen.at(-1)!.revision }, 1)))
      const rest = take(second, { id: asked.id, afterRevision: seen.at(-1)!.revision }, 99)
      await hub.fail(asked.id, { code: "broken" })
      seen.push(...(await rest))
      expect(kinds(seen)).toEqual(["1 asked", "2 opened", "3 accepted", "4 failed"])
      const after = hub.watch({ id: asked.id, afterRevision: 4 }).next()
      await expect(after).rejects.toMatchObject({ code: "already_settled" })
    },
  )

  verifies("hub.watch-resumes", "stops when its signal aborts", async () => {
    const { hub, clock } = setUp()
    const asked = await hub.ask(formDraft)
    const controller = new AbortController()
    const watch = hub.watch({ id: asked.id, afterRevision: 1 }, { signal: controller.signal })
    const next = watch.next()
    await settled(clock)
    controller.abort(new Error("gone"))
    await expect(next).rejects.toThrow("gone")
    expect(await watch.next()).toEqual({ done: true, value: undefined })
  })
})

describe("watching many questions", () => {
  verifies(
    "hub.watch-by-audience",
    "shows a principal the questions that they may answer and nothing else",
    async () => {
      const { hub, clock } = setUp()
      const manager = take(hub, { principal: carol }, 2)
      const others = [bob, mallory].map((principal) => hub.watch({ principal }).next())
      await settled(clock)
      await hub.ask(formDraft)
      const approval = await hub.ask({ ...formDraft, audience: { kind: "role", tenant: "acme", role: "manager" } })
      await hub.answer(approval.id, { by: carol, action: "accept", content: { ok: true } })
      expect((await manager).map(({ id, kind }) => [id === approval.id, kind])).toEqual([
        [true, "asked"],
        [true, "completed"],
      ])
      await settled(clock)
      const silent = Symbol("silent")
      expect(await Promise.race([...others, Promise.resolve(silent)])).toBe(silent)
    },
  )

  verifies("hub.watch-resumes", "resumes a tenant's events from a position", async () => {
    const { hub } = setUp()
    for (let index = 0; index < 450; index++)
      await hub.ask({ ...formDraft, audience: { ...alice, subject: `p${index}` } })
    const first = await take(hub, { tenant: "acme", afterPosition: 0 }, 300)
    const rest = await take(hub, { tenant: "acme", afterPosition: first.at(-1)!.position }, 150)
    const positions = [...first, ...rest].map(({ position }) => position)
    expect(positions).toEqual(Array.from({ length: 450 }, (_, index) => index + 1))
  })
})
