// Callers that give up.

import { getEventListeners } from "node:events"
import { alice, formDraft, urlDraft } from "@holdpoint/testkit/fixtures"
import { settled, setUp } from "@holdpoint/testkit/hub/hub/setup"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"

describe("an aborted wait", () => {
  verifies("hub.abort-ends-form", "rejects with the reason and cancels the question", async () => {
    const { hub, clock } = setUp()
    const asked = await hub.ask(formDraft)
    const controller = new AbortController()
    const outcome = hub.wait(asked, { signal: controller.signal })
    controller.abort(new Error("the call was cancelled"))
    await expect(outcome).rejects.toThrow("the call was cancelled")
    await settled(clock)
    expect(await hub.get(asked.id)).toMatchObject({ status: "cancelled", reason: { code: "asker_gone" } })
  })

  verifies(
    "hub.abort-ends-form",
    "leaves the question open while others wait, here or in another process",
    async () => {
      const { hub, another, clock } = setUp()
      const keyed = { ...formDraft, key: "shared" }
      const here = await hub.ask(keyed)
      const other = another()
      const there = await other.ask(keyed)
      const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()]
      const waits = [
        hub.wait(here, { signal: first.signal }),
        hub.wait(here, { signal: second.signal }),
        other.wait(there, { signal: third.signal }),
      ].map((wait) => wait.catch((error: unknown) => error))
      for (const controller of [first, second]) {
        controller.abort()
        await settled(clock)
        expect((await hub.get(here.id))?.status).toBe("pending")
      }
      third.abort()
      await settled(clock)
      expect((await hub.get(here.id))?.status).toBe("cancelled")
      await Promise.all(waits)
    },
  )

  it("ends with the first of several signals, and listens to none of them afterwards", async () => {
    const { hub } = setUp()
    const [own, shared] = [new AbortController(), new AbortController()]
    const signal = [own.signal, shared.signal]
    const waitFor = async () => hub.wait(await hub.ask(formDraft), { signal, onAbort: "leave" })
    const [first, second] = [waitFor(), waitFor()]
    const asked = await hub.ask(formDraft)
    const answered = hub.wait(asked, { signal })
    await expect.poll(() => getEventListeners(shared.signal, "abort").length).toBe(3)
    await hub.answer(asked.id, { by: alice, action: "decline" })
    expect((await answered).status).toBe("declined")
    expect(getEventListeners(shared.signal, "abort")).toHaveLength(2)
    shared.abort(new Error("the time was over"))
    await expect(first).rejects.toThrow("the time was over")
    await expect(second).rejects.toThrow("the time was over")
    expect([own, shared].flatMap((one) => getEventListeners(one.signal, "abort"))).toEqual([])
    await expect(waitFor()).rejects.toThrow("the time was over")
  })

  verifies("hub.abort-spares-consent", "never ends a consent that a person has begun", async () => {
    const { hub, clock } = setUp()
    const asked = await hub.ask(urlDraft)
    const controller = new AbortController()
    const outcome = hub.wait(asked, { signal: controller.signal })
    await hub.answer(asked.id, { by: alice, action: "accept" })
    controller.abort()
    await expect(outcome).rejects.toThrow()
    await settled(clock)
    expect(await hub.complete(asked.id)).toMatchObject({ ok: true })
    expect(await hub.wait(asked)).toEqual({ status: "completed" })
  })

  verifies("hub.abort-can-leave-open", "can leave the question open", async () => {
    const { hub, clock } = setUp()
    const asked = await hub.ask(formDraft)
    const controller = new AbortController()
    const outcome = hub.wait(asked, { signal: controller.signal, onAbort: "leave" })
    controller.abort()
    await expect(outcome).rejects.toThrow()
    await settled(clock)
    expect((await hub.get(asked.id))?.status).toBe("pending")
  })

  verifies("hub.abort-can-leave-open", "of a caller that did not ask never ends the question", async () => {
    const { hub, another, clock } = setUp()
    const asked = await hub.ask(formDraft)
    const controller = new AbortController()
    const observed = another().wait(asked.id, { signal: controller.signal })
    await settled(clock)
    controller.abort()
    await expect(observed).rejects.toThrow()
    await settled(clock)
    expect((await hub.get(asked.id))?.status).toBe("pending")
  })

  verifies("hub.abort-ends-form", "that was aborted before it began stores no question and does not wait", async () => {
    const { hub, storage } = setUp()
    const signal = AbortSignal.abort(new Error("too late"))
    await expect(hub.ask(formDraft, { signal })).rejects.toThrow("too late")
    await expect(hub.wait("x", { signal })).rejects.toThrow("too late")
    expect(await storage.store.list({ tenant: "acme", state: "all", limit: 1 })).toEqual([])
  })
})

describe("a question that its asker leaves", () => {
  it("stays open, is answered here or elsewhere, and is found by the caller that comes back", async () => {
    const { hub, another } = setUp()
    const [here, there] = [await hub.ask(formDraft), await hub.ask(formDraft)]
    for (const { id } of [here, there]) hub.leave(id)
    const answer = { by: alice, action: "accept", content: { ok: true } } as const
    expect(await hub.answer(here.id, answer)).toMatchObject({ ok: true, changed: true })
    expect(await another().answer(there.id, answer)).toMatchObject({ ok: true, changed: true })
    for (const { id } of [here, there]) expect(await hub.wait(id)).toMatchObject({ status: "completed" })
    expect(() => hub.leave("nothing-of-this-name")).not.toThrow()
  })

  it("stays open for the others that wait for it", async () => {
    const { hub } = setUp()
    const asked = await hub.ask(formDraft)
    const outcome = hub.wait(asked)
    hub.leave(asked.id)
    await hub.answer(asked.id, { by: alice, action: "decline" })
    expect(await outcome).toMatchObject({ status: "declined" })
  })
})
