// A hub on memory with a test clock, and outlets that record their calls.

import type { Elicitation, Entry, Hub, HubOptions, Outlet, Storage } from "@holdpoint/hub"
import { createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import type { Delivered } from "@holdpoint/hub/outlets"
import type { TestClock } from "@holdpoint/testing"
import { createTestClock } from "@holdpoint/testing"
import { now } from "../../fixtures.ts"

export interface Setup {
  readonly hub: Hub
  readonly storage: Storage
  readonly clock: TestClock
  readonly reports: string[]
  /** Another hub on the same storage, as another process would have. */
  another(options?: Partial<HubOptions>): Hub
  trailOf(id: string): Promise<readonly Entry[]>
}

export function setUp(options: Partial<HubOptions> = {}): Setup {
  const storage = options.storage ?? createMemoryStorage()
  const clock = createTestClock(now)
  const reports: string[] = []
  const make = (more: Partial<HubOptions>): Hub =>
    createHub({
      outlets: [inbox()],
      runtime: clock,
      report: (doing, error) => reports.push(`${doing}: ${error instanceof Error ? error.message : error}`),
      ...options,
      ...more,
      storage,
    })
  return {
    hub: make({}),
    storage,
    clock,
    reports,
    another: (more = {}) => make(more),
    trailOf: (id) => storage.trail.read({ id, limit: 1_000 }),
  }
}

export interface RecordingOutlet extends Outlet {
  readonly shown: Elicitation[]
  readonly withdrawn: Elicitation[]
}

export function recordingOutlet(
  name: string,
  deliver: (question: Elicitation) => Promise<Delivered> = async () => ({ state: "shown" }),
): RecordingOutlet {
  const shownQuestions: Elicitation[] = []
  const withdrawn: Elicitation[] = []
  return {
    name,
    shown: shownQuestions,
    withdrawn,
    async deliver(elicitation) {
      shownQuestions.push(elicitation)
      return deliver(elicitation)
    },
    async withdraw(settled) {
      withdrawn.push(settled)
    },
  }
}

/** Lets pending work run without advancing the time. */
export const settled = (clock: TestClock): Promise<void> => clock.advance(0)
