// A call that is made again with the same arguments: when it goes on with the first one, and when it is another.

import { beforeEach, describe, expect, it } from "vitest"
import type { Calls } from "../../src/asking/calls.ts"
import type { OpenCall } from "../../src/asking/open-call.ts"
import type { Principal } from "../../src/core/principal.ts"
import { alice, bob } from "../fixtures.ts"
import { passing } from "../surfaces/mcp/behaviour/house.ts"
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

  it("goes on with one that was sent away, for the same person, until it is over", async () => {
    const calls = process()
    const first = await open(calls)
    note(first, "x")
    await first.sendAway("same", 300_000)
    expect(noted(await open(calls, { caller: bob }), "x")).toBeUndefined()
    const again = await open(process())
    expect([again.id, noted(again, "x"), again.wasSentAway, again.round]).toEqual([first.id, "x", true, 0])
    await again.finish()
    expect(noted(await open(calls), "x")).toBeUndefined()
  })

  it("goes on with one that used up its rounds", async () => {
    const calls = process()
    const first = await open(calls)
    note(first, "x")
    await first.advance(300_000)
    expect(noted(await open(calls), "x")).toBeUndefined()
    await (await calls.claim({ id: first.id, round: 1, caller: alice }))?.sendAway("same", 300_000)
    expect(noted(await open(calls), "x")).toBe("x")
  })

  it("is another call while the first is under way, at this process and at others", async () => {
    const [here, there] = [process(), process()]
    const first = await open(here)
    note(first, "paid")
    await first.save()
    for (const calls of [here, there]) {
      const second = await passing(plant.clock, open(calls))
      expect([second.id === first.id, noted(second, "paid"), second.isGuest]).toEqual([false, undefined, false])
    }
  })

  it("goes on with one whose process died, wherever it was", async () => {
    const dying = start()
    const first = await open(dying.calls)
    note(first, "paid")
    await first.save()
    dying.kill()
    const again = await passing(plant.clock, open(process()))
    expect([again.id, noted(again, "paid")]).toEqual([first.id, "paid"])
  })

  it("goes on with what was done in one that was given up, and asks anew", async () => {
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

  it("finds nothing of one that was given up before it had done anything", async () => {
    const first = await open(process())
    await first.save()
    await first.giveUp()
    expect([await record(first.id), (await open(process())).generation]).toEqual([undefined, 0])
  })

  it("is begun anew when its time is over", async () => {
    const calls = process()
    const first = await open(calls)
    note(first, "x")
    await first.sendAway("same", 300_000)
    plant.clock.set(plant.clock.now() + 900_000)
    expect(noted(await open(calls), "x")).toBeUndefined()
  })

  it("made twice at once after it was sent away, is gone on with by one; the other reads, and writes nothing", async () => {
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
})
