// Runs the storage contract with the test runner, with a new storage for each case.

import { storageContract } from "@holdpoint/testing"
import { describe, test } from "vitest"
import type { Engine } from "./engines.ts"

export function describeStorage(name: string, engine: Engine): void {
  describe(name, () => {
    for (const { name: claim, run } of storageContract) {
      test(claim, async () => {
        const harness = await engine()
        try {
          await run(harness)
        } finally {
          await harness.destroy()
        }
      })
    }
  })
}
