// A run whose process was suspended until another process took over the run: the first process must not disturb it.

import { createMemoryStorage, type Storage } from "@holdpoint/hub"
import type { KeptRecord, Records } from "@holdpoint/hub/storage"
import { createTestClock, type TestClock } from "@holdpoint/testing"
import { newKeys, readStream, startAgents, textOf } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it } from "vitest"
import { logKind } from "../src/records.ts"
import { scriptedModel } from "../src/scripted-model.ts"

/** The clock of a process that can be suspended: its timers fire after the resume. */
function stoppable(clock: TestClock) {
  let late: (() => void)[] | undefined
  return {
    runtime: {
      ...clock,
      after: (ms: number, callback: () => void) =>
        clock.after(ms, () => (late === undefined ? callback() : void late.push(callback))),
    },
    stop() {
      late = []
    },
    resume() {
      const fired = late ?? []
      late = undefined
      for (const callback of fired) callback()
    },
  }
}

/** A model that sends its text when the test allows it. */
function slowModel(says: string) {
  const [called, may] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const model = scriptedModel(async () => {
    called.resolve()
    await may.promise
    return { text: says }
  })
  return { config: { agents: { helper: { model } } }, called: called.promise, resume: may.resolve }
}

async function passing<T>(clock: TestClock, work: Promise<T>): Promise<T> {
  let isOver = false
  const done = work.finally(() => {
    isOver = true
  })
  while (!isOver) await clock.advance(1_000)
  return done
}

/** A storage that waits before it writes to the log of a run. */
function slowLogs(storage: Storage, may: Promise<void>) {
  const waits = Promise.withResolvers<void>()
  const slow = <R extends KeptRecord>(records: Records<R>): Records<R> => ({
    ...records,
    async insert(...given) {
      waits.resolve()
      await may
      return records.insert(...given)
    },
  })
  const records: Storage["records"] = (kind) =>
    kind.name === logKind.name ? slow(storage.records(kind)) : storage.records(kind)
  return { storage: { ...storage, records }, waits: waits.promise }
}

describe("a process that was stopped for longer than its lease", () => {
  it.each(["before", "after"])(
    "neither writes to the stream nor ends the run %s the process that took over writes",
    async (when) => {
      const clock = createTestClock()
      const shared = { storage: createMemoryStorage(), keys: newKeys() }
      const [one, other] = [slowModel("I was stopped."), slowModel("I took over.")]
      const process = stoppable(clock)
      const reports: string[] = []
      const report = (doing: string): void => void reports.push(doing)
      const first = await startAgents(one.config, { ...shared, runtime: process.runtime, report })
      const stream = await first.say("c1", "hello")
      await passing(clock, one.called)
      process.stop()
      const gate = Promise.withResolvers<void>()
      if (when === "after") gate.resolve()
      const slow = slowLogs(shared.storage, gate.promise)
      const second = await startAgents(other.config, { ...shared, storage: slow.storage, runtime: clock, report })
      await passing(clock, when === "after" ? other.called : slow.waits)
      process.resume()
      one.resume()
      await stream.leave()
      await passing(clock, first.close())
      gate.resolve()
      other.resume()
      const reader = readStream(await second.get("/run/api/chat/c1/stream"))
      const chunks = await passing(clock, reader.rest())
      expect(textOf(chunks)).toBe("I took over.")
      expect(chunks.map(({ type }) => type)).not.toContain("error")
      expect(chunks.at(-1)?.type).toBe("finish")
      expect(reports).toEqual([])
    },
  )
})
