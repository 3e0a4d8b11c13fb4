// Runs the contract of lasting outlets with the test runner, with a new folder and a new storage for each case.

import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { outletContract } from "@holdpoint/testing"
import type { Engine } from "@holdpoint/testkit/hub/stores/engines"
import { createFolder } from "@holdpoint/testkit/hub/stores/engines"
import { describe, test } from "vitest"
import { createFolderOutlet, seenIn } from "./folder-outlet.ts"

export function describeOutlet(name: string, engine: Engine): void {
  describe(name, () => {
    for (const { name: claim, run } of outletContract) {
      test(claim, async () => {
        const storage = await engine()
        const folder = join(await createFolder(), "messages")
        await mkdir(folder)
        try {
          await run({
            open: async () => createFolderOutlet(folder),
            addresses: ["alice", "bob", "carol"],
            seen: () => seenIn(folder),
            storage,
          })
        } finally {
          await storage.destroy()
          await rm(join(folder, ".."), { recursive: true, force: true })
        }
      })
    }
  })
}
