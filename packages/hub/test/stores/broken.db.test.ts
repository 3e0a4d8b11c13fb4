// Tests of the tests: the contract and the model reject a storage with a fault.

import assert from "node:assert/strict"
import { storageContract } from "@holdpoint/testing"
import type { Engine } from "@holdpoint/testkit/hub/stores/engines"
import { memory } from "@holdpoint/testkit/hub/stores/engines"
import fc from "fast-check"
import { describe, test } from "vitest"
import { broken, faults } from "./model/broken.ts"
import { recordFaults } from "./model/broken-records.ts"
import { sequence } from "./model/operations.ts"
import { openTwice, playSequence } from "./model/sequence.ts"

/** How long to wait before a storage that does not notify counts as failed. */
const patienceMs = 1_000
/** The same for a storage without a fault, which must not fail on a busy machine. */
const longPatienceMs = 60_000

type Case = (typeof storageContract)[number]

const cases = storageContract.filter(({ name }) => !name.includes("10,000"))

async function hasFailed({ run }: Case, engine: Engine, waitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const never = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("never ends")), waitMs)
  })
  return Promise.race([run(await engine()), never])
    .then(
      () => false,
      () => true,
    )
    .finally(() => clearTimeout(timer))
}

/** Whether any case fails. One after another, because the first that fails is enough. */
async function isCaughtByContract(engine: Engine): Promise<boolean> {
  for (const one of cases) if (await hasFailed(one, engine, patienceMs)) return true
  return false
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
      assert.ok(await isCaughtByContract(broken(fault)), "a case of the contract fails")
      assert.ok(await isCaughtByModel(broken(fault)), "a sequence of the model fails")
    })
  }

  for (const [name, fault] of Object.entries(recordFaults)) {
    test(`${name} fails the contract`, async () => {
      assert.ok(await isCaughtByContract(broken(fault)), "a case of the contract fails")
    })
  }

  test("has no fault passes every case in the same setup", async () => {
    const verdicts = await Promise.all(cases.map((one) => hasFailed(one, memory, longPatienceMs)))
    const failed = cases.filter((_, index) => verdicts[index])
    assert.deepEqual(
      failed.map(({ name }) => name),
      [],
    )
  })
})
