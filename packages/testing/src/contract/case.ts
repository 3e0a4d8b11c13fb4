// The cases of the storage contract, and the stage on which each one runs: it opens storages and hubs, restarts them,
// and closes everything that a case has left open.

import assert from "node:assert/strict"
import type { Hub, HubOptions, Storage } from "@holdpoint/hub"
import { createHub, inbox } from "@holdpoint/hub"
import type { TestClock } from "../clock.ts"
import { createTestClock } from "../clock.ts"

/** One claim about every storage. `run` rejects when the claim is false, and leaves nothing open. */
export interface ContractCase {
  readonly name: string
  /** The ids of Holdpoint's own requirements that the case verifies, if any. */
  readonly verifies: readonly string[]
  run(harness: StorageHarness): Promise<void>
}

/** How a contract opens the storage under test: one storage, empty at first. */
export interface StorageHarness {
  /**
   * Opens the storage, or opens it again as another process would, with everything stored before. A storage that does
   * not outlive its process returns the same object, whose `close` does nothing: a restart is then a new hub.
   */
  open(): Promise<Storage>
  /** Deletes the storage. The code that created the harness calls it after `run`. */
  destroy(): Promise<void>
}

export interface Stage {
  /** The clock of all hubs on this stage. */
  readonly clock: TestClock
  storage(): Promise<Storage>
  /** Creates a hub on the given storage, or on a newly opened one. */
  hub(options?: Partial<HubOptions>): Promise<Hub>
  /** Closes every hub, then every storage, so that the next steps start from what was stored. */
  restart(): Promise<void>
}

type CaseSteps = (stage: Stage) => Promise<void>

export const claim = (name: string, steps: CaseSteps): ContractCase => verifies([], name, steps)

/** A claim that verifies requirements of Holdpoint. */
export function verifies(ids: string | readonly string[], name: string, steps: CaseSteps): ContractCase {
  return {
    name,
    verifies: [ids].flat(),
    async run(harness) {
      const problems: string[] = []
      const stage = createStage(harness, (activity, error) => problems.push(`${activity}: ${error}`))
      try {
        await steps(stage)
      } finally {
        await stage.restart()
      }
      assert.deepEqual(problems, [], "nothing goes wrong in the background")
    },
  }
}

function createStage(harness: StorageHarness, report: (activity: string, error: unknown) => void): Stage {
  const clock = createTestClock()
  let storages: Storage[] = []
  let hubs: Hub[] = []
  const stage: Stage = {
    clock,
    async storage() {
      const storage = await harness.open()
      storages.push(storage)
      return storage
    },
    async hub(options = {}) {
      const storage = options.storage ?? (await stage.storage())
      const hub = createHub({ outlets: [inbox()], runtime: clock, report, ...options, storage })
      hubs.push(hub)
      return hub
    },
    async restart() {
      const [openHubs, openStorages] = [hubs, storages]
      hubs = []
      storages = []
      await Promise.all(openHubs.map((hub) => hub.close()))
      await Promise.all(openStorages.map((storage) => storage.close()))
    },
  }
  return stage
}
