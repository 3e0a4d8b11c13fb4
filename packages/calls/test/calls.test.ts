// Which request may continue a call, when, and what happens to its journal.

import type { Principal } from "@holdpoint/hub"
import { createSealer, rewrapAll, withNewKey } from "@holdpoint/hub/sealing"
import { alice, bob } from "@holdpoint/testkit/fixtures"
import { passing } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { beforeEach, describe, expect, it } from "vitest"
import type { Calls } from "../src/calls.ts"
import type { OpenCall } from "../src/open-call.ts"
import { workerKind } from "../src/records.ts"
import type { Plant } from "./plant.ts"
import { createPlant, day, note, noted } from "./plant.ts"

let plant: Plant
beforeEach(() => {
  plant = createPlant()
})
const start = () => plant.start()
const process = () => plant.process()
const record = (id: string) => plant.record(id)
const entries = (call?: string) => plant.entries(call)
const claim = (calls: Calls, round: number, { id = "c", caller = alice }: { id?: string; caller?: Principal } = {}) =>
  calls.claim({ id, round, caller })

/** Stores a call that was answered with a question once. */
async function asked(calls: Calls, id = "c"): Promise<number> {
  const call = calls.begin({ id, caller: alice })
  note(call, "first")
  return call.advance(300_000)
}

describe("a call that begins", () => {
  it("writes nothing before its first save, and leaves nothing behind when it ends", async () => {
    const calls = process()
    const call = calls.begin({ id: "c", caller: alice })
    note(call, "x")
    await call.finish()
    expect([await record("c"), await entries()]).toEqual([undefined, []])
    expect(plant.timers).toEqual([])
    const second = calls.begin({ id: "d", caller: alice })
    note(second, "x")
    await second.save()
    expect(await record("d")).toMatchObject({ round: 0, version: 1, tenant: "acme" })
    expect(await entries("d")).toHaveLength(1)
    await second.finish()
    expect([await record("d"), await entries("d")]).toEqual([undefined, []])
  })

  it("stores each journal entry as a separate sealed record, and writes only changed entries", async () => {
    const call = process().begin({ id: "c", caller: alice })
    for (let at = 0; at < 20; at++) {
      note(call, `step ${at}`, "a secret that stays sealed")
      await call.save()
    }
    note(call, "step 7", "changed")
    await call.save()
    const kept = await entries()
    expect(kept.map(({ version }) => version).toSorted()).toEqual([...Array(19).fill(1), 2])
    expect(JSON.stringify([kept, await record("c")])).not.toMatch(/a secret|step|changed/)
    await call.advance(300_000)
    const again = await claim(process(), 1)
    expect([...(again?.journal.entries.keys() ?? [])]).toEqual(Array.from({ length: 20 }, (_, at) => `step ${at}`))
    expect(noted(again, "step 7")).toBe("changed")
  })
})

describe("a round that a client brings back", () => {
  it("is claimed by exactly one of several concurrent requests", async () => {
    const calls = process()
    const round = await asked(calls)
    expect(round).toBe(1)
    const claiming = (): Promise<OpenCall | undefined> =>
      claim(calls, round).then((claimed) => {
        claimed?.startWorking()
        return claimed
      })
    const claims = await passing(plant.clock, Promise.all(Array.from({ length: 10 }, claiming)))
    const won = claims.filter((claimed) => claimed !== undefined)
    expect(won).toHaveLength(1)
    expect(noted(won[0], "first")).toBe("first")
    expect(await claiming()).toBeUndefined()
  })

  it("is spent once it is answered, by a question or a result", async () => {
    const calls = process()
    const round = await asked(calls)
    const claimed = await claim(calls, round)
    expect(await claimed?.advance(300_000)).toBe(2)
    expect(await claim(calls, 1)).toBeUndefined()
    const last = await claim(calls, 2)
    await last?.finish({ value: "done" })
    await last?.noteDelivered()
    for (const spent of [0, 1, 3]) expect(await claim(calls, spent)).toBeUndefined()
    expect((await claim(process(), 2))?.answer).toEqual({ value: "done" })
    plant.clock.set(plant.clock.now() + 120_000)
    expect(await claim(calls, 2)).toBeUndefined()
  })

  it("can be claimed again when its request ended without an answer", async () => {
    const calls = process()
    const round = await asked(calls)
    const claimed = await claim(calls, round)
    if (claimed !== undefined) note(claimed, "second")
    await claimed?.save()
    await claimed?.release()
    expect(noted(await claim(process(), round), "second")).toBe("second")
  })

  it("is refused for another caller, an unknown call, another round or an ended call, and changes nothing", async () => {
    const calls = process()
    const round = await asked(calls)
    const before = await record("c")
    expect(await claim(calls, round, { caller: bob })).toBeUndefined()
    expect(await claim(calls, round, { caller: { ...alice, tenant: "evil" } })).toBeUndefined()
    expect(await claim(calls, round, { id: "d" })).toBeUndefined()
    for (const other of [0, 2, -1, Number.NaN]) expect(await claim(calls, other)).toBeUndefined()
    plant.clock.set(plant.clock.now() + day)
    expect(await claim(calls, round)).toBeUndefined()
    expect(await record("c")).toEqual(before)
  })
})

describe("a process that works on a call", () => {
  it("holds the call as long as the process lives, with one timer and one record for all calls", async () => {
    const [here, there] = [process(), process()]
    for (let at = 0; at < 50; at++) await asked(here, `c${at}`)
    for (let at = 0; at < 50; at++) (await claim(here, 1, { id: `c${at}` }))?.startWorking()
    expect(plant.timers).toHaveLength(1)
    expect(await plant.storage.records(workerKind).list({ tenant: "", limit: 9 })).toHaveLength(1)
    const before = await record("c7")
    const other = claim(there, 1, { id: "c7" })
    await plant.clock.advance(120_000)
    expect(await other).toBeUndefined()
    const later = claim(there, 1, { id: "c7" })
    await plant.clock.advance(60_000)
    expect(await later).toBeUndefined()
    expect(await record("c7")).toEqual(before)
    expect(plant.reports).toEqual([])
  })

  it("loses a call that it claims but never runs when the lease expires, here and elsewhere", async () => {
    for (const [id, other] of [["a", undefined] as const, ["b", process()] as const]) {
      const calls = process()
      await asked(calls, id)
      await claim(calls, 1, { id })
      await plant.clock.advance(30_000)
      expect(await passing(plant.clock, claim(other ?? calls, 1, { id }))).toBeDefined()
    }
  })

  it("releases a call that another request has taken over, without an error or a change", async () => {
    const calls = process()
    const begun = calls.begin({ id: "c", caller: alice, knownBy: "same" })
    note(begun, "first")
    await begun.advance(300_000)
    const first = await claim(calls, 1)
    await first?.finish({ value: "done" })
    const second = await claim(process(), 1)
    expect(second?.answer).toEqual({ value: "done" })
    await plant.clock.advance(10_000)
    expect(plant.reports).toEqual([])
    const before = await record("c")
    for (const giveBack of [first?.release(), first?.giveUp()]) await expect(giveBack).resolves.toBeUndefined()
    expect(await record("c")).toEqual(before)
  })

  it("holds no lease while a call waits for people, and no timer after its calls have ended", async () => {
    const calls = process()
    await asked(calls)
    expect((await record("c"))?.lease).toBeUndefined()
    const claimed = await claim(calls, 1)
    claimed?.startWorking()
    await claimed?.finish()
    await plant.clock.advance(8_000)
    const before = plant.timers.length
    await plant.clock.advance(60_000)
    expect(plant.timers).toHaveLength(before)
  })

  it("loses the call and its stored journal to one waiting request when its lease has expired", async () => {
    const dying = start()
    await asked(dying.calls)
    const call = await claim(dying.calls, 1)
    if (call !== undefined) note(call, "second")
    call?.startWorking()
    await call?.save()
    dying.kill()
    const [one, two] = [process(), process()]
    const early = claim(one, 1)
    expect(await Promise.race([early, plant.clock.advance(19_000).then(() => "still waiting")])).toBe("still waiting")
    const claims = Promise.all([early, claim(one, 1), claim(two, 1)])
    const won = (await passing(plant.clock, claims)).filter((claimed) => claimed !== undefined)
    expect(won).toHaveLength(1)
    expect(won[0]?.hasWaited).toBe(true)
    expect(noted(won[0], "second")).toBe("second")
  })

  it("releases its calls to others immediately when it closes", async () => {
    const calls = process()
    await asked(calls)
    const held = await claim(calls, 1)
    held?.startWorking()
    await calls.close()
    expect(await claim(process(), 1)).toMatchObject({ hasWaited: false })
  })

  it("can no longer write when it comes back after it was considered dead", async () => {
    const slow = start()
    await asked(slow.calls)
    const call = await claim(slow.calls, 1)
    slow.kill()
    plant.clock.set(plant.clock.now() + 20_001)
    const heir = await claim(process(), 1)
    expect(heir).toBeDefined()
    if (call !== undefined) note(call, "first", "of the dead")
    await expect(call?.save()).rejects.toMatchObject({ code: "already_settled" })
    await expect(call?.advance(300_000)).rejects.toMatchObject({ code: "already_settled" })
    expect(await call?.finish()).toBe(false)
    expect(await heir?.advance(300_000)).toBe(2)
    expect(noted(await claim(process(), 2), "first")).toBe("first")
  })

  it("stores journal entries without writing the call, while no other request can have taken it", async () => {
    const slow = start()
    await asked(slow.calls)
    const call = await claim(slow.calls, 1)
    const before = await record("c")
    if (call !== undefined) note(call, "second")
    await call?.keep()
    expect(await record("c")).toEqual(before)
    expect(await entries()).toHaveLength(2)
    slow.kill()
    plant.clock.set(plant.clock.now() + 20_001)
    const heir = await claim(process(), 1)
    expect([noted(heir, "first"), noted(heir, "second")]).toEqual(["first", "second"])
    if (call !== undefined) note(call, "third")
    await expect(call?.keep()).rejects.toMatchObject({ code: "already_settled" })
    expect(await heir?.advance(300_000)).toBe(2)
    expect(noted(await claim(process(), 2), "third")).toBeUndefined()
  })

  it("stores a call again after retention removed it during a long effect", async () => {
    const calls = process()
    const call = calls.begin({ id: "c", caller: alice, knownBy: "same" })
    note(call, "first")
    await call.save()
    plant.clock.set(plant.clock.now() + 2 * day)
    await plant.storage.retention.forget({
      ...{
        contentReadBefore: 0,
        contentSettledBefore: 0,
        questionSettledBefore: 0,
        recordExpiresBy: plant.clock.now(),
      },
    })
    expect([await record("c"), await entries()]).toEqual([undefined, []])
    note(call, "second")
    await call.save()
    expect(await entries()).toHaveLength(2)
    expect(await call.finish()).toBe(true)
    await call.noteDelivered()
    expect([await record("c"), await entries()]).toEqual([undefined, []])
  })
})

describe("key rotations during a call", () => {
  const rotate = async (): Promise<void> => {
    plant.ring = withNewKey(plant.ring)
    await rewrapAll(plant.storage, createSealer(plant.ring))
  }

  it("do not end the call, and lose none of its entries", async () => {
    const calls = process()
    await asked(calls)
    const call = await claim(calls, 1)
    if (call === undefined) throw new Error("not claimed")
    await rotate()
    expect((await entries()).map(({ version }) => version)).toEqual([2])
    note(call, "first", "changed")
    note(call, "second")
    await call.save()
    await rotate()
    expect(await call.advance(300_000)).toBe(2)
    const next = await claim(process(), 2)
    expect([noted(next, "first"), noted(next, "second")]).toEqual(["changed", "second"])
    await rotate()
    expect(await next?.finish()).toBe(true)
    await next?.noteDelivered()
    expect([await record("c"), await entries()]).toEqual([undefined, []])
  })
})
