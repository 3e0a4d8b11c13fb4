// A short storm, with a seed: real processes that are killed, terminated and cut off while people, programs and agents ask
// and answer through every surface. It fails when it finds something, and when it has done too little to find anything.

import { isLong, usually } from "@holdpoint/testkit/long"
import { expect, it } from "vitest"
import type { Engine } from "./database.ts"
import type { FaultName } from "./faults.ts"
import { runStorm } from "./storm.ts"

/** What a storm has to reach to mean something. It goes on for longer on a machine that is too busy; a quiet one reaches far more. */
const least = {
  "questions settled": 15,
  effects: 5,
  answers: 25,
  kills: 1,
  terminations: 1,
  "replies read to the end": 3,
  "A2A tasks ended": 1,
  "MCP 2025 calls": 1,
  "MCP 2026 calls": 1,
  "questions that programs saw settled": 5,
  "webhook events": 5,
  mails: 5,
  "messages in Slack": 10,
}

/** Those that leave the database where it is: `npm run storm` has the others too. */
const faults: readonly FaultName[] = ["kill", "term", "cut", "clock", "hang"]

it.each<Engine>(isLong ? ["postgres", "sqlite"] : ["sqlite"])(
  "loses nothing, does nothing twice, and leaves nothing stuck or untrue on %s",
  { timeout: 300_000 },
  async (engine) => {
    const seconds = usually(20, { long: 60 })
    const report = await runStorm({ engine, seconds, seed: 27, faults, nodes: 3, least })
    expect(report.findings, report.traces.join("\n")).toEqual([])
    for (const [what, count] of Object.entries(least))
      expect(report.counts[what] ?? 0, what).toBeGreaterThanOrEqual(count)
  },
)
