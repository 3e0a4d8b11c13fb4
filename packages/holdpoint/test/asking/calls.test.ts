// Calls that come again: who may work on them, when, and what becomes of their journals.

import { beforeEach, describe, expect, it } from "vitest"
import type { Calls } from "../../src/asking/calls.ts"
import { createCalls } from "../../src/asking/calls.ts"
import type { OpenCall } from "../../src/asking/open-call.ts"
import { callKind } from "../../src/asking/records.ts"
import type { Storage } from "../../src/ports/storage.ts"
import type { KeyRing } from "../../src/sealing/key-ring.ts"
import { withNewKey } from "../../src/sealing/key-ring.ts"
import { rewrapAll } from "../../src/sealing/rewrap.ts"
import { createSealer } from "../../src/sealing/seal.ts"
import { createMemoryStorage } from "../../src/stores/memory.ts"
import type { TestClock } from "../../src/testing/clock.ts"
import { createTestClock } from "../../src/testing/clock.ts"
import { alice, bob } from "../fixtures.ts"
import { passing } from "../surfaces/mcp/behaviour/house.ts"

let storage: Storage
let clock: TestClock
let ring: KeyRing
let reports: unknown[]
let timers: number[]
beforeEach(() => {
  storage = createMemoryStorage()
  clock = createTestClock()
  ring = withNewKey()
  reports = []
  timers = []
})

const day = 24 * 60 * 60_000

/** What one process has. */
function process(): Calls {
  const after: TestClock["after"] = (ms, callback) => {
    timers.push(ms)
    return clock.after(ms, callback)
  }
  return createCalls({
    ...{ storage, runtime: { ...clock, after }, strict: true, lifetimeMs: day, resumeMs: day },
    sealer: createSealer(() => ring),
    report: (_doing, error) => reports.push(error),
  })
}

const note = (call: OpenCall, key: string, value: unknown = key): void =>
  call.journal.set({ kind: "done", key, digest: key, value })
const noted = (call: OpenCall | undefined, key: string): unknown => {
  const entry = call?.journal.get(key)
  return entry?.kind === "done" ? entry.value : undefined
}

/** A call that was answered with a question once. */
async function asked(calls: Calls, id = "c"): Promise<number> {
  const call = calls.begin(id, alice)
  note(call, "first")
  return call.advance(300_000)
}

describe("a call that begins", () => {
  it("writes nothing until something has to be remembered, and nothing is left when it is over", async () => {
    const calls = process()
    const call = calls.begin("c", alice)
    note(call, "x")
    expect(await storage.records(callKind).get("c")).toBeUndefined()
    await call.finish()
    expect(await storage.records(callKind).get("c")).toBeUndefined()
    const second = calls.begin("d", alice)
    await second.save()
    expect(await storage.records(callKind).get("d")).toMatchObject({ round: 0, version: 1, tenant: "acme" })
    await second.finish()
    expect(await storage.records(callKind).get("d")).toBeUndefined()
    expect(timers).toEqual([])
  })

  it("keeps its journal sealed", async () => {
    const call = process().begin("c", alice)
    note(call, "x", "a secret that nobody reads")
    await call.save()
    expect(JSON.stringify(await storage.records(callKind).get("c"))).not.toContain("a secret")
  })
})

describe("a round that a client brings back", () => {
  it("is for one of those who bring it at the same time", async () => {
    const calls = process()
    const round = await asked(calls)
    expect(round).toBe(1)
    const claiming = (): Promise<OpenCall | undefined> =>
      calls.claim("c", round, alice).then((claimed) => {
        claimed?.work()
        return claimed
      })
    const claims = await passing(clock, Promise.all(Array.from({ length: 10 }, claiming)))
    const won = claims.filter((claim) => claim !== undefined)
    expect(won).toHaveLength(1)
    expect(noted(won[0], "first")).toBe("first")
    expect(await claiming()).toBeUndefined()
  })

  it("is spent when it was answered, by a question or a result", async () => {
    const calls = process()
    const round = await asked(calls)
    const claimed = await calls.claim("c", round, alice)
    expect(await claimed?.advance(300_000)).toBe(2)
    expect(await calls.claim("c", 1, alice)).toBeUndefined()
    const last = await calls.claim("c", 2, alice)
    await last?.finish()
    for (const spent of [0, 1, 2, 3]) expect(await calls.claim("c", spent, alice)).toBeUndefined()
  })

  it("may come again when its request ended without an answer", async () => {
    const calls = process()
    const round = await asked(calls)
    const claimed = await calls.claim("c", round, alice)
    if (claimed !== undefined) note(claimed, "second")
    await claimed?.save()
    await claimed?.release()
    const again = await process().claim("c", round, alice)
    expect(noted(again, "second")).toBe("second")
  })

  it("is nobody else's, unknown, of another round, or over: refused, and nothing is changed", async () => {
    const calls = process()
    const round = await asked(calls)
    const before = await storage.records(callKind).get("c")
    expect(await calls.claim("c", round, bob)).toBeUndefined()
    expect(await calls.claim("c", round, { ...alice, tenant: "evil" })).toBeUndefined()
    expect(await calls.claim("d", round, alice)).toBeUndefined()
    for (const other of [0, 2, -1, Number.NaN]) expect(await calls.claim("c", other, alice)).toBeUndefined()
    clock.set(clock.now() + day)
    expect(await calls.claim("c", round, alice)).toBeUndefined()
    expect(await storage.records(callKind).get("c")).toEqual(before)
  })
})

describe("a process that works on a call", () => {
  it("keeps it from others for as long as it lives, with one timer for all calls", async () => {
    const [here, there] = [process(), process()]
    for (let at = 0; at < 50; at++) await asked(here, `c${at}`)
    for (let at = 0; at < 50; at++) (await here.claim(`c${at}`, 1, alice))?.work()
    expect(timers).toHaveLength(1)
    const other = there.claim("c7", 1, alice)
    await clock.advance(120_000)
    expect(await other).toBeUndefined()
    const later = there.claim("c7", 1, alice)
    await clock.advance(60_000)
    expect(await later).toBeUndefined()
    expect(reports).toEqual([])
  })

  it("that takes it and never runs it lets it go when its time is over", async () => {
    const calls = process()
    await asked(calls)
    await calls.claim("c", 1, alice)
    expect(await passing(clock, calls.claim("c", 1, alice))).toBeDefined()
  })

  it("has no timer any more when its calls are over", async () => {
    const calls = process()
    await asked(calls)
    const claimed = await calls.claim("c", 1, alice)
    claimed?.work()
    await claimed?.finish()
    await clock.advance(8_000)
    const before = timers.length
    await clock.advance(60_000)
    expect(timers).toHaveLength(before)
  })

  it("loses it when it is dead for long enough, to one of those who wait, with what it had written down", async () => {
    const dying = process()
    await asked(dying)
    const call = await dying.claim("c", 1, alice)
    if (call !== undefined) note(call, "second")
    call?.work()
    await call?.save()
    // Its timers never fire again.
    dying.close()
    const [one, two] = [process(), process()]
    const early = await Promise.race([one.claim("c", 1, alice), clock.advance(19_000).then(() => "still waiting")])
    expect(early).toBe("still waiting")
    const claims = Promise.all([one.claim("c", 1, alice), two.claim("c", 1, alice)])
    await clock.advance(30_000)
    const won = (await claims).filter((claim) => claim !== undefined)
    // The one that waited before may be the one that has it.
    expect(won.length).toBeLessThanOrEqual(1)
    const record = await storage.records(callKind).get("c")
    expect(record?.lease?.until).toBeGreaterThan(clock.now() - 30_000)
    for (const claim of won) expect(noted(claim, "second")).toBe("second")
  })

  it("cannot write any more when it was taken for dead and comes back", async () => {
    const slow = process()
    await asked(slow)
    const call = await slow.claim("c", 1, alice)
    slow.close()
    clock.set(clock.now() + 20_001)
    const heir = await process().claim("c", 1, alice)
    expect(heir).toBeDefined()
    await expect(call?.save()).rejects.toMatchObject({ code: "already_settled" })
    await expect(call?.advance(300_000)).rejects.toMatchObject({ code: "already_settled" })
    expect(await heir?.advance(300_000)).toBe(2)
  })
})

describe("keys that are changed in the middle", () => {
  const rotate = async (): Promise<void> => {
    ring = withNewKey(ring)
    expect((await rewrapAll(storage, createSealer(ring))).done).toBe(1)
  }

  it("do not end a call that is worked on", async () => {
    const calls = process()
    await asked(calls)
    const call = await calls.claim("c", 1, alice)
    if (call === undefined) throw new Error("not claimed")
    const { version = 0 } = (await storage.records(callKind).get("c")) ?? {}
    await rotate()
    expect((await storage.records(callKind).get("c"))?.version).toBe(version + 1)
    note(call, "second")
    await call.save()
    await rotate()
    expect(await call.advance(300_000)).toBe(2)
    const next = await process().claim("c", 2, alice)
    expect([noted(next, "first"), noted(next, "second")]).toEqual(["first", "second"])
    await rotate()
    expect(await next?.finish()).toBe(true)
    expect(await storage.records(callKind).get("c")).toBeUndefined()
  })

  it("do not make a round that is brought back invalid, not even while it is being claimed", async () => {
    const calls = process()
    await asked(calls)
    const records = storage.records(callKind)
    const { replace } = records
    let isFirst = true
    Object.assign(records, {
      async replace(...given: Parameters<typeof replace>) {
        const sealed = isFirst ? await records.get("c") : undefined
        isFirst = false
        if (sealed !== undefined) await replace({ ...sealed, version: sealed.version + 1 })
        return replace(...given)
      },
    })
    expect(await process().claim("c", 1, alice)).toBeDefined()
  })
})

describe("a call that is known by what is called", () => {
  it("goes on with what was done, for the same person", async () => {
    const calls = process()
    const first = await calls.resume("same", alice)
    note(first, "x")
    await first.advance(300_000)
    const again = await process().resume("same", alice)
    expect(noted(again, "x")).toBe("x")
    expect(again.round).toBe(1)
    await again.finish()
    expect(noted(await calls.resume("same", alice), "x")).toBeUndefined()
  })

  it("is begun anew when its time is over", async () => {
    const calls = process()
    const first = await calls.resume("same", alice)
    note(first, "x")
    await first.save()
    clock.set(clock.now() + day)
    expect(noted(await calls.resume("same", alice), "x")).toBeUndefined()
  })

  it("that is made twice at once has one who does what is done once", async () => {
    const calls = process()
    await calls.begin("call", alice).advance(300_000)
    const both = await Promise.all(["first", "second"].map(() => calls.resume("call", alice)))
    const started = { kind: "started", key: "once charge", digest: "charge" } as const
    for (const [at, call] of both.entries()) call.journal.set({ ...started, by: `run ${at}` })
    await Promise.all(both.map((call) => call.save()))
    const [winner, ...others] = new Set(both.map((call) => JSON.stringify(call.journal.get("once charge"))))
    expect(winner).toMatch(/run [01]/)
    expect(others).toEqual([])
  })

  it("meets itself when it is made twice at once: both go on, and neither loses what it did", async () => {
    const calls = process()
    const [one, two] = await Promise.all([calls.resume("same", alice), process().resume("same", alice)])
    note(one, "one")
    note(two, "two")
    await Promise.all([one.save(), two.save()])
    await Promise.all([one.save(), two.save()])
    const third = await calls.resume("same", alice)
    expect([noted(third, "one"), noted(third, "two")]).toEqual(["one", "two"])
  })
})

describe("a call whose client was sent away", () => {
  it("is gone on with by the next that calls the same, by one of them, as a call of its own", async () => {
    const calls = process()
    const first = calls.begin("c", alice)
    note(first, "x")
    await first.advance(300_000)
    await first.park("parked")
    expect(await storage.records(callKind).get("c")).toBeUndefined()
    expect(noted(await calls.take("parked", "b", bob), "x")).toBeUndefined()
    const taken = await Promise.all(["d", "e", "f"].map((id) => process().take("parked", id, alice)))
    expect(taken.filter((call) => noted(call, "x") === "x")).toHaveLength(1)
    expect(taken.every(({ round }) => round === 0)).toBe(true)
    expect(await storage.records(callKind).get("parked")).toBeUndefined()
    expect(await storage.records(callKind).list({ tenant: "acme", limit: 9 })).toHaveLength(1)
  })
})
