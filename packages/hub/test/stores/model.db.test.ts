// Random sequences of every operation on each storage, compared with a small reference: the same few in the usual run,
// new ones in the long run. HOLDPOINT_SEED repeats a failure (it is printed with it).

import assert from "node:assert/strict"
import type { Engine } from "@holdpoint/testkit/hub/stores/engines"
import { memory, postgres, sqlite } from "@holdpoint/testkit/hub/stores/engines"
import { usually } from "@holdpoint/testkit/long"
import fc from "fast-check"
import { afterAll, describe, test } from "vitest"
import type { Operation } from "./model/operations.ts"
import { sequence, stepsOf } from "./model/operations.ts"
import { openTwice, playSequence } from "./model/sequence.ts"

const given = process.env.HOLDPOINT_SEED
const seed = given === undefined ? usually({ seed: 1 }, { long: {} }) : { seed: Number(given) }
const engines: readonly (readonly [name: string, engine: Engine, runs: number])[] = [
  ["memory", memory, usually(300, { long: 6_000 })],
  ["sqlite", sqlite, usually(100, { long: 2_000 })],
  ["postgres", postgres, usually(40, { long: 600 })],
]
const least = usually(400, { long: 8_000 })

const names = (text: string): readonly string[] => text.trim().split(/\s*[|\n]\s*/)

/** The operations that must have occurred in every storage. */
const operations = names(`
ask form | ask url | ask form always | ask url open | ask again always | ask again open | accept done | accept invalid_answer
accept not_addressee | accept already_settled | decline done | cancel done | open done | complete done | fail done
withdraw done | released | race | wait | abort | watch | watch disconnected | watch resumed | list | list of a parent | sweep | advance
jump | back | restart`)

/** The ends of operations that must have occurred in at least one storage. */
const endings = names(`
ask form open | ask url always | ask again settled | ask key_conflict | ask too_many_for_person | ask too_many_for_tenant
accept same | accept already_accepted | accept expired | accept not_found | decline same | decline already_settled
decline not_addressee | decline expired | cancel same | cancel already_settled | open same | open wrong_mode | open not_addressee
open already_settled | open expired | complete same | complete not_accepted | complete wrong_mode | complete already_settled
fail same | fail not_accepted | fail wrong_mode | withdraw same | withdraw already_settled | withdraw expired`)

describe("hub operations in random order", () => {
  let played = 0
  const overall = new Map<string, number>()
  for (const [name, engine, runs] of engines) {
    test(`leave the ${name} storage in the state of the reference, in ${runs} runs`, async () => {
      const coverage = new Map<string, number>()
      const isFresh = engine === memory
      const shared = isFresh ? undefined : await openTwice(await engine())
      const property = fc.asyncProperty(sequence, async (operations) => {
        const openings = shared ?? (await openTwice(await engine()))
        await playSequence(openings, operations, coverage)
        if (stepsOf(operations).length >= 20) played++
      })
      try {
        await fc.assert(property, {
          ...seed,
          numRuns: runs,
          reporter,
        })
      } finally {
        for (const storage of shared?.storages ?? []) await storage.close()
        await shared?.harness.destroy()
      }
      for (const [what, times] of coverage) overall.set(what, (overall.get(what) ?? 0) + times)
      assert.deepEqual(
        operations.filter((what) => !coverage.has(what)),
        [],
        "every operation came up",
      )
    })
  }

  test(`cover every way to end, in at least ${least} sequences of 20 steps or more`, () => {
    assert.ok(played >= least, `${played} sequences`)
    assert.deepEqual(
      endings.filter((what) => !overall.has(what)),
      [],
      "every ending came up",
    )
  })

  afterAll(() => console.log(`${played} sequences of 20 steps or more`))
})

function reporter(details: fc.RunDetails<[readonly Operation[]]>): void {
  if (!details.failed) return
  const steps = stepsOf(details.counterexample?.[0] ?? [])
  const error = details.errorInstance
  throw new Error(
    `HOLDPOINT_SEED=${details.seed} after ${details.numRuns} sequences and ${details.numShrinks} shrinks:\n` +
      `${steps.map((step) => JSON.stringify(step)).join("\n")}\n${error instanceof Error ? error.stack : String(error)}`,
  )
}
