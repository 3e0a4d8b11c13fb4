// The places of a due queue: receivers that hang keep few of them, and their records hide no others.

import { describe, expect, it } from "vitest"
import { createDueQueue } from "../../src/hub/deliveries/due-queue.ts"
import { createLanes } from "../../src/hub/deliveries/lanes.ts"
import { createWork } from "../../src/hub/work.ts"
import type { KeptRecord, RecordKind } from "../../src/ports/records.ts"
import { createMemoryStorage } from "../../src/stores/memory.ts"
import { createTestClock } from "../../src/testing/clock.ts"

interface Parcel extends KeptRecord {
  readonly receiver: string
  readonly dueAt: number
}

const parcelKind: RecordKind<Parcel> = {
  name: "parcel",
  owner: ({ receiver }) => receiver,
  dueAt: ({ dueAt }) => dueAt,
  expiresAt: () => undefined,
}

/** A queue with parcels for these receivers, in this order. Parcels for receivers that hang are never delivered. */
async function openQueue(receivers: readonly string[]) {
  const runtime = createTestClock()
  const records = createMemoryStorage().records(parcelKind)
  for (const [index, receiver] of receivers.entries())
    await records.insert({ id: `p${index}`, tenant: "acme", version: 1, receiver, dueAt: index })
  const { background } = createWork({ runtime, report: (_, error) => expect(error).toBeUndefined() })
  const begun: string[] = []
  const queue = createDueQueue<Parcel>({
    ...{ recordsName: "parcels", records, runtime, background },
    lane: { keyOf: ({ receiver }) => receiver, limit: 8 },
    async advance(parcel) {
      begun.push(parcel.receiver)
      if (parcel.receiver.startsWith("hangs")) await new Promise(() => {})
      await records.remove(parcel)
    },
  })
  queue.arm(runtime.now())
  return { runtime, begun }
}

const times = (count: number, receiver: string): readonly string[] => Array.from({ length: count }, () => receiver)

describe("a due queue", () => {
  it("reaches what is due behind a thousand records of a receiver that hangs", async () => {
    const { runtime, begun } = await openQueue([...times(1_200, "hangs"), "quick"])
    for (let n = 0; n < 10 && !begun.includes("quick"); n += 1) await runtime.advance(100)
    expect(begun).toEqual(["hangs", "quick"])
  })

  it("delivers everything for receivers that answer, with more places for each success", async () => {
    const { runtime, begun } = await openQueue([...times(100, "a"), ...times(700, "b"), ...times(3, "c")])
    for (let n = 0; n < 50 && begun.length < 803; n += 1) await runtime.advance(100)
    expect(begun.filter((one) => one === "b")).toHaveLength(700)
    expect(begun).toHaveLength(803)
  })
})

describe("lanes", () => {
  it("give a receiver one place first, twice as many after each quick record, and one after a slow one", () => {
    const lanes = createLanes(8)
    const placesOf = (lane: string): number => {
      let count = 0
      for (; lanes.hasPlace(lane) && count < 20; count += 1) lanes.begin(lane)
      for (let n = 1; n < count; n += 1) lanes.end(lane, 10)
      if (count > 0) lanes.end(lane, 10)
      return count
    }
    expect(placesOf("a")).toBe(1)
    expect(placesOf("a")).toBe(2)
    expect(placesOf("a")).toBe(8)
    lanes.begin("a")
    lanes.end("a", 15_000)
    expect(placesOf("a")).toBe(1)
  })

  it("leave half of the places to others, however many receivers hang", () => {
    const lanes = createLanes(8)
    const hanging = Array.from({ length: 40 }, (_, index) => `hangs ${index}`)
    for (const lane of hanging) {
      lanes.begin(lane)
      lanes.end(lane, 15_000)
    }
    for (const lane of hanging) if (lanes.hasPlace(lane)) lanes.begin(lane)
    expect(hanging.filter((lane) => !lanes.hasPlace(lane))).toHaveLength(40)
    expect(lanes.isFull()).toBe(false)
    for (let n = 0; n < 8; n += 1) {
      expect([lanes.isFull(), lanes.hasPlace(`quick ${n}`)]).toEqual([false, true])
      lanes.begin(`quick ${n}`)
    }
    expect(lanes.isFull()).toBe(true)
  })
})
