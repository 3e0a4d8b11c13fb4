// What a storage contract is made of, and the stage on which each case plays: it opens storages and hubs, restarts
// them, and closes whatever a case has left open.

import assert from "node:assert/strict"
import type { Hub, HubOptions } from "../../hub/hub.ts"
import { createHub } from "../../hub/hub.ts"
import { inbox } from "../../hub/inbox.ts"
import type { Storage } from "../../ports/storage.ts"
import type { TestClock } from "../clock.ts"
import { createTestClock } from "../clock.ts"

/** One claim about every storage. `run` rejects when it does not hold; it leaves nothing open. */
export interface ContractCase {
  readonly name: string
  /** Which of Holdpoint's own requirements it stands for, if any. */
  readonly verifies: readonly string[]
  run(harness: StorageHarness): Promise<void>
}

/** How a contract opens the storage that it tests. One storage, empty at first. */
export interface StorageHarness {
  /**
   * Opens it, or opens it once more as another process would. What was stored before is there. Where nothing outlives
   * the process, the same storage is given again, and its `close` does nothing: restarting is then a new hub.
   */
  open(): Promise<Storage>
  /** Removes it for good. Called by whoever made the harness, after `run`. */
  destroy(): Promise<void>
}

export interface Stage {
  /** Of all hubs on this stage. */
  readonly clock: TestClock
  storage(): Promise<Storage>
  /** On the storage given, else on one that is opened for it. */
  hub(options?: Partial<HubOptions>): Promise<Hub>
  /** Closes every hub, then every storage: what comes next starts from what was stored. */
  restart(): Promise<void>
}

type Play = (stage: Stage) => Promise<void>

export const claim = (name: string, play: Play): ContractCase => verifies([], name, play)

/** A claim that stands for requirements of Holdpoint's own. */
export function verifies(ids: string | readonly string[], name: string, play: Play): ContractCase {
  return {
    name,
    verifies: [ids].flat(),
    async run(harness) {
      const problems: string[] = []
      const stage = createStage(harness, (doing, error) => problems.push(`${doing}: ${error}`))
      try {
        await play(stage)
      } finally {
        await stage.restart()
      }
      assert.deepEqual(problems, [], "nothing goes wrong in the background")
    },
  }
}

function createStage(harness: StorageHarness, report: (doing: string, error: unknown) => void): Stage {
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
