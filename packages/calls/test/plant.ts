// One storage and the processes that work on its calls, each of which can be killed. Time moves only when the test
// moves it.

import type { Storage } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"
import type { KeyRing } from "@holdpoint/hub/sealing"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import type { TestClock } from "@holdpoint/testing"
import { createTestClock } from "@holdpoint/testing"
import type { Calls } from "../src/calls.ts"
import { createCalls } from "../src/calls.ts"
import type { OpenCall } from "../src/open-call.ts"
import { callKind, entryKind } from "../src/records.ts"

export const day = 24 * 60 * 60_000

export function createPlant() {
  const storage = createMemoryStorage()
  const clock = createTestClock()
  const reports: unknown[] = []
  const timers: number[] = []
  const done = new Set<string>()
  const plant = {
    storage,
    clock,
    reports,
    timers,
    done,
    ring: withNewKey() as KeyRing,
    start,
    process,
    record,
    entries,
  }

  /** Starts a process. After `kill`, its timers never fire again. */
  function start(storage: Pick<Storage, "records"> = plant.storage): { readonly calls: Calls; kill(): void } {
    let isAlive = true
    const after: TestClock["after"] = (ms, callback) => {
      timers.push(ms)
      return clock.after(ms, () => isAlive && callback())
    }
    const calls = createCalls({
      ...{ storage, runtime: { ...clock, after }, strict: true, lifetimeMs: day, resumeMs: 900_000 },
      isCompleted: async (elicitation) => done.has(elicitation),
      sealer: createSealer(() => plant.ring),
      report: (_doing, error) => reports.push(error),
    })
    return {
      calls,
      kill() {
        isAlive = false
      },
    }
  }
  function process(): Calls {
    return start().calls
  }
  function record(id: string) {
    return storage.records(callKind).get(id)
  }
  function entries(call = "c") {
    return storage.records(entryKind).list({ tenant: "acme", owner: call, limit: 1_000 })
  }
  return plant
}

export type Plant = ReturnType<typeof createPlant>

export const note = (call: OpenCall, key: string, value: unknown = key): void =>
  call.journal.set({ kind: "done", key, digest: key, value })

export const noted = (call: OpenCall | undefined, key: string): unknown => {
  const entry = call?.journal.get(key)
  return entry?.kind === "done" ? entry.value : undefined
}
