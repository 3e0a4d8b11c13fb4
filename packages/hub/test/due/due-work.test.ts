// Late work in one process: the places of receivers, the order of an owner's records, results, failures, the end.

import { createTestClock } from "@holdpoint/testing"
import { describe, expect, it } from "vitest"
import { HoldpointError } from "../../src/core/error.ts"
import { createDueWork, type DueWorkNeeds } from "../../src/due/due-work.ts"
import { createLanes } from "../../src/due/lanes.ts"
import { createWork } from "../../src/due/work.ts"
import type { Records } from "../../src/ports/records.ts"
import { createMemoryStorage } from "../../src/stores/memory.ts"
import { type Parcel, type ParcelEvent, parcelKind, parcelRecords } from "./model/parcels.ts"

interface Options extends Partial<DueWorkNeeds<Parcel, ParcelEvent>> {
  readonly wrap?: (records: Records<Parcel>) => Records<Parcel>
}

/** Late work without regular looks: what nothing announces stays where it is. */
function setUp({ wrap = (records) => records, ...options }: Options = {}) {
  const runtime = createTestClock()
  const records = createMemoryStorage().records(parcelRecords)
  const reports: string[] = []
  const report = (activity: string, error: unknown): void => void reports.push(`${activity}: ${String(error)}`)
  const work = createWork({ runtime, report })
  const { lookMs: _, ...kind } = parcelKind
  const due = createDueWork<Parcel, ParcelEvent>({
    kind: { ...kind, lane: { keyOf: ({ receiver }) => receiver, limit: 8 } },
    records: wrap(records),
    runtime,
    report,
    background: work.background,
    carryOut: async (parcel, { underLease }) => {
      await underLease(parcel, (_leased, attempt) => attempt.end({ type: "deliver", by: attempt.number }))
    },
    ...options,
  })
  const add = async (id: string, more: Partial<Parcel> = {}): Promise<Parcel> => {
    const fields = { id, tenant: "acme", version: 1, receiver: "a", owner: id, order: 0 } as const
    const parcel: Parcel = { ...fields, state: "owed", attempts: 0, dueAt: runtime.now(), ...more }
    await records.insert(parcel)
    return parcel
  }
  const get = async (id: string): Promise<Parcel> => {
    const parcel = await records.get(id)
    if (parcel === undefined) throw new Error(`There is no ${id}.`)
    return parcel
  }
  return { runtime, records, reports, work, due, add, get }
}

/** Late work with parcels for these receivers, in this order. Parcels for receivers that hang are never delivered. */
async function openQueue(receivers: readonly string[]) {
  const begun: string[] = []
  const world = setUp({
    carryOut: async (parcel, { underLease }) => {
      begun.push(parcel.receiver)
      await underLease(parcel, async (_leased, attempt) => {
        if (parcel.receiver.startsWith("hangs")) await new Promise(() => {})
        await attempt.end({ type: "deliver", by: attempt.number })
      })
    },
  })
  for (const [index, receiver] of receivers.entries()) await world.add(`p${index}`, { receiver, dueAt: index })
  world.due.arm(world.runtime.now())
  return { ...world, begun }
}

const times = (count: number, receiver: string): readonly string[] => Array.from({ length: count }, () => receiver)

describe("late work", () => {
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

  it("carries out sixteen records at a time", async () => {
    const { runtime, begun } = await openQueue(times(40, "hangs").map((one, index) => `${one} ${index}`))
    await runtime.advance(1_000)
    expect(begun).toHaveLength(16)
  })

  it("carries out the next record of an owner as soon as the one before it has ended", async () => {
    const order: string[] = []
    const { runtime, due, add } = setUp({
      carryOut: async (parcel, { underLease }) => {
        order.push(parcel.id)
        await underLease(parcel, (_leased, attempt) => attempt.end({ type: "deliver", by: attempt.number }))
      },
    })
    for (const n of [3, 1, 2]) await add(`p${n}`, { owner: "o", order: n, receiver: `r${n}` })
    due.arm(runtime.now())
    await runtime.advance(100)
    expect(order).toEqual(["p1", "p2", "p3"])
  })

  it("does not begin a record again at once when carrying it out changed nothing", async () => {
    let begun = 0
    const { runtime, due, add } = setUp({
      carryOut: async () => {
        begun += 1
      },
    })
    await add("p")
    due.arm(runtime.now())
    await runtime.advance(4_000)
    expect(begun).toBe(1)
    await runtime.advance(1_500)
    expect(begun).toBe(2)
  })

  it("looks again after five seconds when the storage fails", async () => {
    let failures = 1
    const { runtime, due, add, get } = setUp({
      wrap: (records) => ({
        ...records,
        list: async (query) => {
          if (failures-- > 0) throw new HoldpointError("store_unavailable", "Gone for a moment.")
          return records.list(query)
        },
      }),
    })
    await add("p")
    due.arm(runtime.now())
    await runtime.advance(4_900)
    expect((await get("p")).state).toBe("owed")
    await runtime.advance(200)
    expect((await get("p")).state).toBe("delivered")
  })

  it("writes a result again when the storage fails, instead of doing the work again", async () => {
    let failures = 3
    let begun = 0
    const { runtime, due, add, get } = setUp({
      wrap: (records) => ({
        ...records,
        replace: async (next) => {
          if (next.state === "delivered" && failures-- > 0) throw new HoldpointError("store_unavailable", "Gone.")
          return records.replace(next)
        },
      }),
      carryOut: async (parcel, { underLease }) => {
        begun += 1
        await underLease(parcel, (_leased, attempt) => attempt.end({ type: "deliver", by: attempt.number }))
      },
    })
    await add("p")
    due.arm(runtime.now())
    await runtime.advance(2_000)
    expect([begun, (await get("p")).state, due.counts.done]).toEqual([1, "delivered", 1])
  })

  it("tries again after the pauses of its table, and then gives up", async () => {
    const begun: number[] = []
    const { runtime, due, add, get, reports } = setUp({
      carryOut: async (parcel, { underLease }) => {
        await underLease(parcel, async () => {
          begun.push(runtime.now())
          throw new Error("No.")
        })
      },
    })
    await add("p")
    due.arm(runtime.now())
    await runtime.advance(60_000)
    const pauses = begun.slice(1).map((at, index) => Math.floor((at - (begun[index] ?? 0)) / 1_000))
    expect([pauses.length, (await get("p")).state, due.counts.given_up]).toEqual([3, "given_up", 1])
    for (const [index, least] of [1, 5, 20].entries()) expect(pauses[index]).toBeGreaterThanOrEqual(least)
    expect(reports).toHaveLength(4)
  })

  it("reports an attempt that ends without a result, and fails it", async () => {
    const { runtime, due, add, get, reports } = setUp({
      carryOut: async (parcel, { underLease }) => void (await underLease(parcel, async () => {})),
    })
    await add("p")
    due.arm(runtime.now())
    await runtime.advance(10)
    expect(reports).toEqual(["carrying out parcels: Error: The attempt has no result."])
    expect(await get("p")).toMatchObject({ attempts: 1, state: "owed" })
  })

  it("releases what its end has interrupted: the attempt does not count, and the next one can begin at once", async () => {
    const { runtime, due, work, add, get } = setUp({
      carryOut: async (parcel, { underLease }) => {
        await underLease(parcel, (_leased, { signal }) => {
          const { promise, reject } = Promise.withResolvers<void>()
          signal.addEventListener("abort", () => reject(signal.reason))
          return promise
        })
      },
    })
    await add("p")
    due.arm(runtime.now())
    await runtime.advance(10)
    expect((await get("p")).attempts).toBe(1)
    due.stop()
    work.close()
    await runtime.advance(2_100)
    await work.drain()
    const { attempts, lease, dueAt = Infinity } = await get("p")
    expect([attempts, lease, dueAt <= runtime.now(), due.counts.released]).toEqual([0, undefined, true, 1])
  })

  it("applies no event that the transition refuses", async () => {
    const { due, add, get } = setUp()
    const parcel = await add("p", { state: "delivered", by: 7 })
    expect(await due.apply(parcel, { type: "hurry" })).toBeUndefined()
    expect(await due.apply("unknown", { type: "hurry" })).toBeUndefined()
    expect(await get("p")).toEqual(parcel)
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
