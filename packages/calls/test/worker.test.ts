// When a worker is considered dead: by its process id on the same machine, by its lease elsewhere.

import { spawn } from "node:child_process"
import { once } from "node:events"
import type { Storage } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"
import type { TestClock } from "@holdpoint/testing"
import { createTestClock } from "@holdpoint/testing"
import { beforeEach, describe, expect, it } from "vitest"
import { isRunning, thisProcess } from "../../hub/src/hub/process-id.ts"
import type { ProcessId } from "../../hub/src/ports/process.ts"
import { workerKind } from "../src/records.ts"
import { createWorker } from "../src/worker.ts"

let storage: Storage
let clock: TestClock
beforeEach(() => {
  storage = createMemoryStorage()
  clock = createTestClock()
})

const here: ProcessId = { machine: "this one", pid: process.pid, boot: "now" }
const start = (where: ProcessId, onBeat = () => true) =>
  createWorker({ storage, runtime: clock, process: where, onBeat, report: (_doing, error) => expect(error).toBe("") })

/** The id of a process that has just ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" })
  await once(child, "exit")
  return child.pid ?? 0
}

async function lifeOf(where: ProcessId): Promise<string> {
  const other = start(where)
  await other.ready()
  return (await start(here).lifeOf(other.id)).state
}

describe("a worker with a lease is", () => {
  it("alive when its process runs on this machine", async () => {
    expect(await lifeOf({ ...here, pid: process.ppid, boot: "before" })).toBe("alive")
  })

  it("dead immediately when its process is gone from this machine", async () => {
    expect(await lifeOf({ ...here, pid: await deadPid(), boot: "before" })).toBe("dead")
  })

  it("dead immediately when this process has reused its process id", async () => {
    expect(await lifeOf({ ...here, boot: "before" })).toBe("dead")
  })

  it.each<[string, ProcessId]>([
    ["on another machine", { ...here, machine: "another", boot: "before" }],
    ["on an unknown machine", { pid: 1, boot: "before" }],
    ["in this process", here],
  ])("possibly alive %s", async (_where, where) => {
    expect(await lifeOf(where)).toBe("maybe")
  })

  it("dead 20 s after its last renewal, and possibly alive as long as it renews the lease", async () => {
    const far = { machine: "another", pid: 1, boot: "b" }
    const [busy, idle] = [start(far), start(far, () => false)]
    for (const worker of [busy, idle]) {
      await worker.ready()
      worker.keepBeating()
    }
    await clock.advance(19_000)
    expect((await start(here).lifeOf(idle.id)).state).toBe("maybe")
    await clock.advance(1_000)
    expect((await start(here).lifeOf(idle.id)).state).toBe("dead")
    await clock.advance(60_000)
    expect((await start(here).lifeOf(busy.id)).state).toBe("maybe")
  })

  it("dead when it has closed, and possibly alive when it renews a lease that was removed", async () => {
    const worker = start({ ...here, machine: "another" })
    await worker.ready()
    const records = storage.records(workerKind)
    const kept = await records.get(worker.id)
    if (kept !== undefined) await records.remove(kept)
    await clock.advance(30_000)
    await worker.ready()
    expect((await start(here).lifeOf(worker.id)).state).toBe("maybe")
    await worker.close()
    expect((await start(here).lifeOf(worker.id)).state).toBe("dead")
  })
})

describe("this process", () => {
  it("has the same id for every caller, and is running", () => {
    expect(thisProcess()).toBe(thisProcess())
    expect(thisProcess()).toMatchObject({ pid: process.pid, boot: expect.any(String) })
    expect(isRunning(process.pid)).toBe(true)
  })
})
