// The check of run logs finds faulty events, so that other tests can rely on it.

import { createMemoryStorage, systemRuntime } from "@holdpoint/hub"
import { createSealer } from "@holdpoint/hub/sealing"
import { newKeys } from "@holdpoint/testkit/agents/agents-server"
import { watchRunLogs } from "@holdpoint/testkit/agents/watched-logs"
import { describe, expect, it } from "vitest"
import { type Chunk, createRunLogs } from "../src/run-log.ts"

const event = {
  ...{ type: "elicitation-request", elicitationId: "q-1", mode: "url", message: "Connect?", status: "pending" },
  ...{ url: "https://hub.example/connect/q-1", context: { trigger: "credential_required" } },
  expiresAt: "2026-01-01T00:05:00.000Z",
}

/** The faults that the check finds in a log with these events. */
async function faultsOf(...events: readonly object[]): Promise<readonly string[]> {
  const keys = newKeys()
  const faults: string[] = []
  const storage = watchRunLogs(createMemoryStorage(), keys, (fault) => void faults.push(fault))
  const logs = createRunLogs({ storage, sealer: createSealer(keys), runtime: systemRuntime })
  const log = logs.open({ id: "run-1", tenant: "local", version: 1, expiresAt: Date.now() + 60_000 }, async () => {})
  for (const data of events) log.add({ type: "data-elicitation", id: "q-1", data } as Chunk)
  await log.flush()
  return faults
}

describe("the check of run logs", () => {
  it("accepts an event of the published shape or of a future type", async () => {
    expect(await faultsOf(event, { type: "elicitation-moved", elicitationId: 7 })).toEqual([])
  })

  it.each([
    ["a member of a wrong type", { ...event, message: 7 }],
    ["a missing member", { ...event, url: undefined }],
    ["a status of another event", { ...event, status: "completed" }],
    ["no type", { ...event, type: undefined }],
  ])("finds %s", async (_what, wrong) => {
    expect(await faultsOf(event, wrong)).toHaveLength(1)
  })
})
