// A short storm, with a seed: real processes that are killed, terminated and cut off while people, programs and agents ask
// and answer through every surface. It fails when it finds something, and when it has done too little to find anything.

import { isLong, usually } from "@holdpoint/testkit/long"
import { expect, it } from "vitest"
import type { Engine } from "./database.ts"
import type { FaultName } from "./faults.ts"
import { runStorm } from "./storm.ts"

/** What a storm of 20 s reaches on a busy machine; a quiet one reaches several times as much. */
const least = {
  "questions settled": 40,
  effects: 10,
  answers: 60,
  kills: 1,
  terminations: 1,
  "replies read to the end": 5,
  "A2A tasks ended": 2,
  "MCP 2025 calls": 1,
  "MCP 2026 calls": 1,
  "questions that programs saw settled": 8,
  "webhook events": 20,
  mails: 5,
  "messages in Slack": 20,
}

/** Those that leave the database where it is: `npm run storm` has the others too. */
const faults: readonly FaultName[] = ["kill", "term", "cut", "clock", "hang"]

it.each<Engine>(isLong ? ["postgres", "sqlite"] : ["sqlite"])(
  "loses nothing, does nothing twice, and leaves nothing stuck or untrue on %s",
  { timeout: 300_000 },
  async (engine) => {
    const seconds = usually(20, { long: 60 })
    const report = await runStorm({ engine, seconds, seed: 27, faults, nodes: 3 })
    expect(report.findings).toEqual([])
    for (const [what, count] of Object.entries(least))
      expect(report.counts[what] ?? 0, what).toBeGreaterThanOrEqual(count)
  },
)
