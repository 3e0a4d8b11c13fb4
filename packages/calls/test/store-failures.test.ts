// A storage that fails inside a call: the handler never learns of it, and the call goes on from what it has done.

import type { Storage } from "@holdpoint/hub"
import { createHub, createMemoryStorage, HoldpointError, inbox } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import type { KeptRecord, RecordKind, Records } from "@holdpoint/hub/storage"
import { createTestClock } from "@holdpoint/testing"
import { alice } from "@holdpoint/testkit/fixtures"
import { passing } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { expect, it } from "vitest"
import { createAsk } from "../src/ask.ts"
import { createAsking } from "../src/asking.ts"
import type { Carrier } from "../src/carrier.ts"
import { callKind } from "../src/records.ts"
import { runCall } from "../src/run-call.ts"

const away = (): HoldpointError => new HoldpointError("store_unavailable", "away")

/** Asking over a storage of which writes of one kind fail, by their number from 1. */
function open(kind: string, fails: (number: number) => boolean) {
  const storage = createMemoryStorage()
  const clock = createTestClock()
  let count = 0
  const guard = <R extends KeptRecord>({ name }: RecordKind<R>, records: Records<R>): Records<R> => {
    const guarded =
      <A extends readonly unknown[]>(write: (...given: A) => Promise<boolean>) =>
      async (...given: A): Promise<boolean> => {
        if (name === kind && fails(++count)) throw away()
        return write(...given)
      }
    const { insert, replace, remove } = records
    return { ...records, insert: guarded(insert), replace: guarded(replace), remove: guarded(remove) }
  }
  const failing: Storage = { ...storage, records: (recordKind) => guard(recordKind, storage.records(recordKind)) }
  const hub = createHub({ storage, outlets: [inbox()], runtime: clock })
  const sealer = createSealer(() => withNewKey())
  const asking = createAsking({ hub, storage: failing, sealer, runtime: clock, report: () => {} })
  const carrier: Carrier<undefined> = {
    resume: async () => asking.calls.begin({ id: "c", caller: alice, knownBy: "pay 7" }),
    address: () => ({ audience: alice, parent: "test", page: "c", context: { trigger: "approval" } }),
    prompt: () => Promise.reject(new Error("not asked")),
    suspend: () => Promise.reject(new Error("not suspended")),
  }
  const asker = { requester: { id: "test" }, lifetimeMs: 60_000 }
  const { signal } = new AbortController()
  let effects = 0
  const call = () =>
    runCall({ asking, carrier, asker, request: undefined, signal }, async (run) => {
      try {
        return await createAsk(run).once("pay", () => `paid ${++effects}`)
      } catch (error) {
        return `the tool failed: ${String(error)}`
      }
    })
  return { clock, asking, call, effects: () => effects, left: () => storage.records(callKind).get("c") }
}

it.each([1, 2, 3])(
  "a handler that catches everything never sees the failed write %i of its journal",
  async (failed) => {
    const { clock, call, effects } = open("journal_entry", (number) => number === failed)
    expect(await passing(clock, call())).toEqual({ answer: "paid 1" })
    expect(effects()).toBe(1)
  },
)

it("a call that cannot be stored for long does its effect once, and ends when the storage works", async () => {
  const { clock, call, effects } = open("journal_entry", (number) => number > 1 && number < 12)
  expect(await passing(clock, call())).toEqual({ answer: "paid 1" })
  expect(effects()).toBe(1)
})

it("a call whose end cannot be stored returns its result, and is ended later", async () => {
  const { clock, asking, call, left } = open("call", (number) => number === 3 || number === 4)
  expect(await call()).toEqual({ answer: "paid 1" })
  const unfinished = await left()
  await clock.advance(1_000)
  const finished = await left()
  expect([unfinished?.sealed, finished?.sealed?.fields.answer]).toEqual([undefined, expect.any(String)])
  await asking.close()
})
