// Tests of the tests: the contract and the model reject a storage with a fault.

import assert from "node:assert/strict"
import fc from "fast-check"
import { describe, test } from "vitest"
import { storageContract } from "../../src/testing/index.ts"
import type { Engine } from "./engines.ts"
import { memory } from "./engines.ts"
import { broken, faults } from "./model/broken.ts"
import { recordFaults } from "./model/broken-records.ts"
import { sequence } from "./model/operations.ts"
import { openTwice, playSequence } from "./model/sequence.ts"

/** How long to wait before a storage that does not notify counts as failed. */
const patienceMs = 1_000
/** The same for a storage without a fault, which must not fail on a busy machine. */
const longPatienceMs = 60_000

async function failedCases(engine: Engine, waitMs = patienceMs): Promise<readonly string[]> {
  const cases = storageContract.filter(({ name }) => !name.includes("10,000"))
  const verdicts = cases.map(async ({ name, run }) => {
    let timer: NodeJS.Timeout | undefined
    const never = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("never ends")), waitMs)
    })
    return Promise.race([run(await engine()), never])
      .then(
        () => [],
        () => [name],
      )
      .finally(() => clearTimeout(timer))
  })
  return (await Promise.all(verdicts)).flat()
}

async function isCaughtByModel(engine: Engine): Promise<boolean> {
  const property = fc.asyncProperty(sequence, async (operations) => {
    await playSequence(await openTwice(await engine()), operations, new Map())
  })
  return (await fc.check(property, { numRuns: 300, endOnFailure: true })).failed
}

describe("a storage that", () => {
  for (const [name, fault] of Object.entries(faults)) {
    test(`${name} fails the contract and the model`, async () => {
      const failed = await failedCases(broken(fault))
      assert.ok(failed.length > 0, "a case of the contract fails")
      assert.ok(await isCaughtByModel(broken(fault)), "a sequence of the model fails")
    })
  }

  for (const [name, fault] of Object.entries(recordFaults)) {
    test(`${name} fails the contract`, async () => {
      const failed = await failedCases(broken(fault))
      assert.ok(failed.length > 0, "a case of the contract fails")
    })
  }

  test("has no fault passes every case just as it is run here", async () => {
    assert.deepEqual(await failedCases(memory, longPatienceMs), [])
  })
})
