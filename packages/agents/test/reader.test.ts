// The reader of a run in a process that sometimes works on the run and sometimes does not.

import { createMemoryStorage } from "@holdpoint/hub"
import { createSealer } from "@holdpoint/hub/sealing"
import { createTestClock } from "@holdpoint/testing"
import { newKeys } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it } from "vitest"
import { createConversations } from "../src/conversations.ts"
import { type ReaderParts, readRun } from "../src/http/reader.ts"
import { createRunLogs } from "../src/run-log.ts"

const alice = { tenant: "local", issuer: "local", subject: "alice" }

/** Two processes on one storage, a run, and a reader in the first process. */
async function openReading({ isHere }: Pick<ReaderParts, "isHere">) {
  const clock = createTestClock()
  const parts = { storage: createMemoryStorage(), sealer: createSealer(newKeys()), runtime: clock, keptMs: 60_000_000 }
  const conversations = createConversations(parts)
  const message = { id: "m", role: "user", parts: [] } as const
  const beginning = { person: alice, name: "c1", agent: "helper", message: { ...message, parts: [] }, prompt: [] }
  const run = await conversations.begin(beginning)
  if (run === undefined) throw new Error("the run did not begin")
  const [here, there] = [createRunLogs(parts), createRunLogs(parts)]
  const followers = { follow() {}, unfollow() {}, followAll: () => () => {}, close() {} }
  const reading = { run, after: 0, isHeld: true, signal: new AbortController().signal }
  const steps = readRun({ logs: here, conversations, runtime: clock, followers, isHere }, reading)
  const writerOf = (logs: typeof here) => {
    const log = logs.open(run, async () => {})
    return async (type: "start-step" | "finish") => {
      log.add({ type })
      await log.flush()
    }
  }
  return { clock, steps, here: writerOf(here), there: writerOf(there) }
}

describe("the reader of a run", () => {
  it("gets what another process wrote while the client took its time", async () => {
    const { steps, here, there } = await openReading({ isHere: () => true })
    await here("start-step")
    const seen = [await steps.next()]
    await here("start-step")
    await there("start-step")
    await here("finish")
    for await (const step of steps) seen.push({ done: false, value: step })
    expect(seen.map(({ value }) => value)).toMatchObject([1, 2, 3, 4].map((number) => ({ kind: "chunk", number })))
  })

  it("gets the end of a run that its process has lost without a change of the run", async () => {
    let isHere = true
    const { clock, steps, here, there } = await openReading({ isHere: () => isHere })
    await here("start-step")
    await steps.next()
    const last = steps.next()
    // Lets the reader find that nothing new is there, and sleep.
    await clock.advance(0)
    isHere = false
    await there("finish")
    await clock.advance(5_000)
    expect((await last).value).toMatchObject({ kind: "chunk", number: 2, chunk: { type: "finish" } })
  })
})
