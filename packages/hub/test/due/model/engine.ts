// Plays random sequences on one storage engine. HOLDPOINT_SEED repeats a failure, which is printed with its seed.

import assert from "node:assert/strict"
import type { Engine } from "@holdpoint/testkit/hub/stores/engines"
import { usually } from "@holdpoint/testkit/long"
import fc from "fast-check"
import { type Operation, operations, playSequence } from "./operations.ts"

const given = process.env.HOLDPOINT_SEED
const seed = given === undefined ? usually({ seed: 1 }, { long: {} }) : { seed: Number(given) }

/** What attempts must have come to in the sequences of one engine. */
const endings = ["accept accepted", "fail failed", "slow accepted", "deaf accepted", "stuck ended", "busy failed"]

export async function playOn(engine: Engine, runs: number): Promise<void> {
  const harness = await engine()
  const storages = [await harness.open(), await harness.open()]
  const coverage = new Map<string, number>()
  let run = 0
  const property = fc.asyncProperty(operations, async (sequence) => {
    assert.deepEqual(await playSequence(storages, run++, sequence, coverage), [])
  })
  try {
    await fc.assert(property, { ...seed, numRuns: runs, reporter })
  } finally {
    for (const storage of storages) await storage.close()
    await harness.destroy()
  }
  assert.deepEqual(
    endings.filter((ending) => !coverage.has(ending)),
    [],
    "every ending came up",
  )
}

function reporter(details: fc.RunDetails<[Operation[]]>): void {
  if (!details.failed) return
  const steps = (details.counterexample?.[0] ?? []).map((step) => JSON.stringify(step)).join("\n")
  const error = details.errorInstance
  throw new Error(
    `HOLDPOINT_SEED=${details.seed} after ${details.numRuns} sequences and ${details.numShrinks} shrinks:\n${steps}\n` +
      `${error instanceof Error ? error.message : String(error)}`,
  )
}
