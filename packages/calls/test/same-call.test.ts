// A call that is made again with the same arguments: when it continues the first one, and when it is a new call.

import type { Principal } from "@holdpoint/hub"
import { alice, bob } from "@holdpoint/testkit/fixtures"
import { passing } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { beforeEach, describe, expect, it } from "vitest"
import type { Calls } from "../src/calls.ts"
import type { OpenCall } from "../src/open-call.ts"
import { callKind, entryKind } from "../src/records.ts"
import type { Plant } from "./plant.ts"
import { createPlant, note, noted } from "./plant.ts"

let plant: Plant
beforeEach(() => {
  plant = createPlant()
})
const start = () => plant.start()
const process = () => plant.process()
const record = (id: string) => plant.record(id)
const entries = (call?: string) => plant.entries(call)

describe("the same call, made again", () => {
  const opening = { caller: alice, knownBy: "same" }
  let count = 0
  const open = (calls: Calls, more: { readonly caller?: Principal } = {}) =>
    calls.open({ id: `call ${++count}`, ...opening, ...more })

  it("continues a call that was sent away, for the same person, until that call ends", async () => {
    const calls = process()
    const first = await open(calls)
    note(first, "x")
    await first.sendAway("same", 300_000)
    expect(noted(await open(calls, { caller: bob }), "x")).toBeUndefined()
    const again = await open(process())
    expect([again.id, noted(again, "x"), again.wasSentAway, again.round]).toEqual([first.id, "x", true, 0])
    await again.finish()
    await again.noteDelivered()
    expect(noted(await open(calls), "x")).toBeUndefined()
  })

  it("continues a call that used up its rounds", async () => {
    const calls = process()
    const first = await open(calls)
    note(first, "x")
    await first.advance(300_000)
    expect(noted(await open(calls), "x")).toBeUndefined()
    await (await calls.claim({ id: first.id, round: 1, caller: alice }))?.sendAway("same", 300_000)
    expect(noted(await open(calls), "x")).toBe("x")
  })

  it("is a new call while the first one is in progress, in this process and in others", async () => {
    const [here, there] = [process(), process()]
    const first = await open(here)
    note(first, "paid")
    await first.save()
    for (const calls of [here, there]) {
      const second = await passing(plant.clock, open(calls))
      expect([second.id === first.id, noted(second, "paid"), second.isGuest]).toEqual([false, undefined, false])
    }
  })

  it("is a new call while the answer of one that ran for long is still being sent", async () => {
    const calls = process()
    const first = await open(calls)
    await first.save()
    await plant.clock.advance(30_000)
    await first.finish({ value: "the first" })
    const second = await passing(plant.clock, open(calls))
    expect([second.id === first.id, second.answer]).toEqual([false, undefined])
    expect((await record(first.id))?.lease).toBeDefined()
  })

  it("continues a call whose process died", async () => {
    const dying = start()
    const first = await open(dying.calls)
    note(first, "paid")
    await first.save()
    dying.kill()
    const again = await passing(plant.clock, open(process()))
    expect([again.id, noted(again, "paid")]).toEqual([first.id, "paid"])
  })

  it("stops the earlier request that is beginning an effect, when it takes the call at that moment", async () => {
    let meanwhile = async (): Promise<unknown> => undefined
    const slow = plant.start({
      records(kind) {
        const inner = plant.storage.records(kind)
        return kind.name === entryKind.name
          ? { ...inner, insert: async (...given) => meanwhile().then(() => inner.insert(...given)) }
          : inner
      },
    })
    const first = await open(slow.calls)
    note(first, "reserved")
    await first.save()
    await first.noteLost()
    const taken = Promise.withResolvers<OpenCall>()
    // Runs between the two writes of the first request: the one that continues the call, and the one that starts the
    // effect.
    meanwhile = () => open(process()).then(taken.resolve)
    first.journal.set({ kind: "started", key: "book", digest: "book" })
    await expect(first.save()).rejects.toMatchObject({ code: "already_settled" })
    expect((await taken.promise).id).toBe(first.id)
  })

  describe("while the earlier request is about to begin an effect", () => {
    const effect = { key: "book", digest: "book" }
    /** A request whose client is gone. `meanwhile` runs between its two writes that begin the effect. */
    const startLost = async (meanwhile: () => Promise<unknown>): Promise<OpenCall> => {
      let isBeginning = false
      const slow = plant.start({
        records(kind) {
          const inner = plant.storage.records(kind)
          if (kind.name !== entryKind.name) return inner
          return {
            ...inner,
            insert: async (...given) => Promise.resolve(isBeginning && meanwhile()).then(() => inner.insert(...given)),
          }
        },
      })
      const first = await open(slow.calls)
      note(first, "reserved")
      await first.save()
      await first.noteLost()
      isBeginning = true
      return first
    }

    it("waits for the effect when it looks before the effect begins and is too late to take the call", async () => {
      const [looked, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const late = plant.start({
        records(kind) {
          const inner = plant.storage.records(kind)
          if (kind.name !== callKind.name) return inner
          const replace: typeof inner.replace = async (...given) => {
            looked.resolve()
            await begun.promise
            return inner.replace(...given)
          }
          return { ...inner, replace }
        },
      })
      const second = Promise.withResolvers<OpenCall>()
      const first = await startLost(async () => {
        open(late.calls).then(second.resolve, second.reject)
        await looked.promise
      })
      first.journal.set({ ...effect, kind: "started" })
      await first.save()
      begun.resolve()
      await plant.clock.advance(60_000)
      first.journal.set({ ...effect, kind: "done", value: 7 })
      await first.save()
      expect(noted(await passing(plant.clock, second.promise), "book")).toBe(7)
    })

    it("may begin the effect when it takes the call first, even if the earlier request records a start", async () => {
      const [taken, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let isTaken = false
      const quick = plant.start({
        records(kind) {
          const inner = plant.storage.records(kind)
          if (kind.name === callKind.name)
            return {
              ...inner,
              async replace(...given) {
                isTaken = await inner.replace(...given)
                taken.resolve()
                return isTaken
              },
            }
          return {
            ...inner,
            list: async (...given) => Promise.resolve(isTaken && written.promise).then(() => inner.list(...given)),
          }
        },
      })
      const second = Promise.withResolvers<OpenCall>()
      const first = await startLost(async () => {
        open(quick.calls).then(second.resolve, second.reject)
        await taken.promise
      })
      first.journal.set({ ...effect, kind: "started" })
      await expect(first.save()).rejects.toMatchObject({ code: "already_settled" })
      written.resolve()
      const call = await second.promise
      expect([call.id, noted(call, "reserved"), call.journal.get("book")]).toEqual([first.id, "reserved", undefined])
      note(call, "book")
      await call.sendAway("same", 300_000)
      expect(noted(await open(process()), "book")).toBe("book")
    })
  })

  it("keeps the effects of a call that was given up, and asks its questions again", async () => {
    const calls = process()
    const first = await open(calls)
    note(first, "paid")
    const outcome = { status: "completed", content: { sure: true } } as const
    first.journal.set({ kind: "answered", key: "sure", digest: "sure", elicitation: "e", outcome })
    await first.save()
    await first.giveUp()
    const again = await open(calls)
    expect([noted(again, "paid"), again.journal.get("sure"), again.generation]).toEqual(["paid", undefined, 1])
  })

  it("finds nothing of a call that was given up before its first effect", async () => {
    const first = await open(process())
    await first.save()
    await first.giveUp()
    expect([await record(first.id), (await open(process())).generation]).toEqual([undefined, 0])
  })

  it("is a new call when the first has expired", async () => {
    const calls = process()
    const first = await open(calls)
    note(first, "x")
    await first.sendAway("same", 300_000)
    plant.clock.set(plant.clock.now() + 900_000)
    expect(noted(await open(calls), "x")).toBeUndefined()
  })

  it("is continued by only one of two concurrent repeats after it was sent away; the other only reads", async () => {
    const calls = process()
    const first = await open(calls)
    note(first, "x")
    await first.sendAway("same", 300_000)
    const both = await Promise.all([open(calls), open(process())])
    expect(both.map((call) => noted(call, "x"))).toEqual(["x", "x"])
    const guest = both.find(({ isGuest }) => isGuest)
    const host = both.find(({ isGuest }) => !isGuest)
    expect([guest, host]).not.toContain(undefined)
    note(guest as OpenCall, "y")
    await guest?.save()
    expect(await guest?.finish()).toBe(false)
    expect(await entries(first.id)).toHaveLength(1)
    expect(await host?.finish()).toBe(true)
  })

  it("is a new call while the first one may come back with its state", async () => {
    const calls = process()
    const first = await open(calls)
    note(first, "x")
    await first.advance(300_000, { isShown: true, links: ["link"], isTiedToProcess: false })
    expect(noted(await open(calls), "x")).toBeUndefined()
    plant.done.add("link")
    expect(noted(await open(process()), "x")).toBe("x")
  })

  it("continues a call whose client got nothing to show and does not come back", async () => {
    const first = await open(process())
    note(first, "x")
    await first.advance(300_000, { isShown: false, links: ["link"], isTiedToProcess: false })
    const before = plant.clock.now()
    expect(noted(await passing(plant.clock, open(process())), "x")).toBe("x")
    expect(plant.clock.now() - before).toBeGreaterThanOrEqual(5_000)
  })

  it("is a new call when the first one comes back in the meantime", async () => {
    const calls = process()
    const first = await open(calls)
    note(first, "x")
    const round = await first.advance(300_000, { isShown: false, links: [], isTiedToProcess: false })
    const second = open(calls)
    const back = await calls.claim({ id: first.id, round, caller: alice })
    back?.startWorking()
    expect([noted(back, "x"), noted(await passing(plant.clock, second), "x")]).toEqual(["x", undefined])
  })

  it("waits for the running effect of a call whose client is gone, then takes the call", async () => {
    const first = await open(process())
    const effect = { key: "pay", digest: "pay" }
    first.journal.set({ ...effect, kind: "started" })
    await first.save()
    await first.noteLost()
    let isTaken = false
    const second = open(process()).finally(() => {
      isTaken = true
    })
    await plant.clock.advance(120_000)
    expect(isTaken).toBe(false)
    first.journal.set({ ...effect, kind: "done", value: 7 })
    await first.save()
    expect(noted(await passing(plant.clock, second), "pay")).toBe(7)
    first.journal.set({ key: "more", digest: "more", kind: "started" })
    await expect(first.save()).rejects.toMatchObject({ code: "already_settled" })
    expect(await entries(first.id)).toHaveLength(1)
  })

  it("continues a call that its client gave up, even when the cancellation arrives after the repeat", async () => {
    const first = await open(process())
    note(first, "paid")
    await first.save()
    await plant.clock.advance(6_000)
    const second = open(process())
    await plant.clock.advance(1_000)
    await first.noteLost()
    expect(noted(await passing(plant.clock, second), "paid")).toBe("paid")
  })

  it("gets a result that was not delivered, and is a new call after a delivered one", async () => {
    const calls = process()
    const first = await open(calls)
    await first.save()
    await first.finish({ value: { content: "paid" } })
    expect((await open(calls)).answer).toBeUndefined()
    await first.noteLost()
    const again = await open(process())
    expect(again.answer).toEqual({ value: { content: "paid" } })
    await again.noteDelivered()
    expect([await record(first.id), (await open(calls)).answer]).toEqual([undefined, undefined])
  })
})
