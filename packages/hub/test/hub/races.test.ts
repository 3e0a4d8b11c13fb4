// Concurrent callers of the same question, short store outages, and closing while work is in progress.

import { alice, formDraft, urlDraft } from "@holdpoint/testkit/fixtures"
import { recordingOutlet, settled, setUp } from "@holdpoint/testkit/hub/hub/setup"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect } from "vitest"
import { HoldpointError } from "../../src/core/error.ts"
import type { Delivered } from "../../src/ports/outlet.ts"
import type { Storage } from "../../src/ports/storage.ts"
import type { Store } from "../../src/ports/store.ts"
import { createMemoryStorage } from "../../src/stores/memory.ts"

const keyed = { ...formDraft, key: "shared" }

/** A storage whose next call of one method fails, as in a short database outage. */
function faultyStorage(): { storage: Storage; failNext: (method: keyof Store) => void } {
  const storage = createMemoryStorage()
  const failing = new Set<string>()
  const store = new Proxy(storage.store, {
    get(target, method: keyof Store) {
      if (!failing.delete(method)) return target[method]
      return () => Promise.reject(new HoldpointError("store_unavailable", "away for a moment"))
    },
  })
  return { storage: { ...storage, store }, failNext: (method) => failing.add(method) }
}

describe("callers of one process that share a question", () => {
  verifies("hub.abort-ends-form", "do not lose it when one gives up before the other waits", async () => {
    const { hub, clock } = setUp()
    const [first, second] = await Promise.all([hub.ask(keyed), hub.ask(keyed)])
    const controller = new AbortController()
    const given = hub.wait(second!, { signal: controller.signal })
    controller.abort()
    await expect(given).rejects.toThrow()
    await settled(clock)
    const outcome = hub.wait(first!)
    await hub.answer(first!.id, { by: alice, action: "decline" })
    expect(await outcome).toEqual({ status: "declined" })
  })

  verifies("hub.abort-can-leave-open", "keep it open when one left it open and another gives up", async () => {
    const { hub, clock } = setUp()
    const asked = await hub.ask(formDraft)
    const [leaving, ending] = [new AbortController(), new AbortController()]
    const waits = [
      hub.wait(asked, { signal: leaving.signal, onAbort: "leave" }),
      hub.wait(asked, { signal: ending.signal }),
    ].map((wait) => wait.catch(() => "gone"))
    leaving.abort()
    ending.abort()
    await Promise.all(waits)
    await settled(clock)
    expect((await hub.get(asked.id))?.status).toBe("pending")
  })

  verifies("outlet.shown-everywhere", "each show it to their own client, once", async () => {
    const clients = [recordingOutlet("first"), recordingOutlet("second")]
    const { hub, clock } = setUp()
    for (const client of clients) await hub.ask(keyed, { outlets: [client] })
    await hub.ask(keyed, { outlets: clients })
    await settled(clock)
    expect(clients.map(({ shown }) => shown.length)).toEqual([1, 1])
  })

  verifies("hub.abort-ends-form", "end it when the call is aborted while it asks", async () => {
    const { hub, clock, storage } = setUp()
    const controller = new AbortController()
    const asking = hub.ask(formDraft, { signal: controller.signal })
    controller.abort(new Error("too late"))
    await expect(asking).rejects.toThrow("too late")
    await settled(clock)
    expect(await storage.store.list({ tenant: "acme", state: "open", limit: 1 })).toEqual([])
  })

  verifies(
    "hub.key-reuse-when-open",
    "ask again when the other gave up at the same moment and the key is free",
    async () => {
      const { hub, another, clock } = setUp()
      const consent = { ...formDraft, key: "consent", keyReuse: "open" } as const
      const first = await hub.ask(consent)
      const controller = new AbortController()
      const given = hub.wait(first, { signal: controller.signal }).catch(() => "gone")
      const other = another()
      controller.abort()
      const second = await other.ask(consent)
      await given
      await settled(clock)
      expect(second.id).not.toBe(first.id)
      expect((await other.get(second.id))?.status).toBe("pending")
    },
  )
})

describe("a consent", () => {
  verifies("core.accept-moves-deadline", "gets the flow's deadline even if the client accepted first", async () => {
    const { hub, clock } = setUp()
    const asked = await hub.ask(urlDraft)
    await hub.answer(asked.id, { by: alice, action: "accept", via: "mcp" })
    const expiresAt = clock.now() + 600_000
    const begun = await hub.answer(asked.id, { by: alice, action: "accept", via: "page", expiresAt })
    expect(begun).toMatchObject({ ok: true, changed: true, elicitation: { status: "accepted", expiresAt } })
    const again = await hub.answer(asked.id, { by: alice, action: "accept", via: "page", expiresAt })
    expect(again).toMatchObject({ ok: true, changed: false })
    const sooner = { by: alice, action: "accept", expiresAt: clock.now() + 60_000 } as const
    const moved = await hub.answer(asked.id, sooner)
    expect(moved).toMatchObject({ changed: true, elicitation: { expiresAt: sooner.expiresAt } })
  })
})

describe("a store that is unavailable for a moment", () => {
  verifies("store.missed-wake-costs-latency", "does not reject any waiting caller", async () => {
    const { storage, failNext } = faultyStorage()
    const { hub, another, clock } = setUp({ storage })
    const asked = await hub.ask(urlDraft)
    const waiting = hub.wait(asked)
    await another().open(asked.id)
    await settled(clock)
    failNext("get")
    const second = hub.wait(asked)
    await clock.advance(2_000)
    await another().answer(asked.id, { by: alice, action: "decline" })
    expect(await Promise.all([waiting, second])).toEqual([{ status: "declined" }, { status: "declined" }])
  })

  verifies(
    "hub.sweeps-what-the-dead-left",
    "does not make a starting hub miss the deadlines of open questions",
    async () => {
      const { storage, failNext } = faultyStorage()
      const { hub, another, clock } = setUp({ storage })
      const asked = await hub.ask({ ...formDraft, lifetimeMs: 8_000 })
      await hub.close()
      failNext("due")
      const outcome = another().wait(asked.id)
      await clock.advance(20_000)
      expect(await outcome).toEqual({ status: "expired" })
    },
  )

  verifies("hub.abort-ends-form", "does not let a hub that failed to join end the question of others", async () => {
    const { storage, failNext } = faultyStorage()
    const { hub, another, clock } = setUp({ storage })
    const asked = await hub.ask(keyed)
    const other = another()
    failNext("replace")
    await expect(other.ask(keyed)).rejects.toMatchObject({ code: "store_unavailable" })
    const controller = new AbortController()
    const joined = await other.ask(keyed)
    const wait = other.wait(joined, { signal: controller.signal }).catch(() => "gone")
    controller.abort()
    await wait
    await settled(clock)
    expect(await hub.get(asked.id)).toMatchObject({ status: "pending", holders: 1 })
  })
})

describe("a release that fails", () => {
  verifies("hub.abort-ends-form", "is retried, and does not release the hold of a caller that asks again", async () => {
    const { storage, failNext } = faultyStorage()
    const { hub, clock } = setUp({ storage })
    const giveUp = async (): Promise<void> => {
      const controller = new AbortController()
      const wait = hub.wait(asked, { signal: controller.signal }).catch(() => "gone")
      controller.abort()
      await wait
      await settled(clock)
    }
    const asked = await hub.ask(keyed)
    failNext("replace")
    await giveUp()
    await hub.ask(keyed)
    expect((await hub.get(asked.id))?.holders).toBe(2)
    await clock.advance(2_000)
    expect(await hub.get(asked.id)).toMatchObject({ status: "pending", holders: 1 })
    await giveUp()
    expect((await hub.get(asked.id))?.status).toBe("cancelled")
  })
})

describe("closing", () => {
  verifies("hub.close-leaves-questions", "waits for answers in progress, and can be called twice", async () => {
    const { hub, storage } = setUp()
    const asked = await hub.ask(formDraft)
    const answered = hub.answer(asked.id, { by: alice, action: "decline" })
    const closings = [hub.close(), hub.close()]
    await Promise.all(closings)
    expect((await storage.store.get(asked.id))?.status).toBe("declined")
    expect(await answered).toMatchObject({ ok: true })
  })

  verifies(
    "hub.close-leaves-questions",
    "withdraws a question that was being shown, and stops waiting for a stuck outlet after a time limit",
    async () => {
      const gate = Promise.withResolvers<Delivered>()
      const [slow, stuck] = [
        recordingOutlet("slow", () => gate.promise),
        recordingOutlet("stuck", () => new Promise(() => {})),
      ]
      const { hub, clock } = setUp({ outlets: [slow, stuck] })
      await hub.ask(formDraft)
      const closing = hub.close()
      gate.resolve({ state: "shown" })
      await clock.advance(10_000)
      await closing
      expect(slow.withdrawn).toMatchObject([{ status: "pending" }])
    },
  )
})
