// A test clock: time moves only when a test moves it, and timers fire when it passes them.

import { randomUUID } from "node:crypto"
import type { Runtime } from "@holdpoint/hub"

/** A runtime for tests, with `advance`. */
export interface TestClock extends Runtime {
  /** Advances the time, fires timers in order, and lets the work they start run until nothing more is due. */
  advance(ms: number): Promise<void>
  /** Sets the time without firing timers, like a clock that was set back or a machine that slept. */
  set(now: number): void
}

interface Timer {
  readonly dueAt: number
  readonly callback: () => void
}

/** A runtime whose time moves only when a test advances it. */
export function createTestClock(start = Date.UTC(2026, 0, 1)): TestClock {
  let now = start
  const timers = new Set<Timer>()
  const nextTimer = (until: number): Timer | undefined =>
    [...timers].filter(({ dueAt }) => dueAt <= until).sort((a, b) => a.dueAt - b.dueAt)[0]

  return {
    now: () => now,
    newId: () => randomUUID(),
    after(delayMs, callback) {
      const timer = { dueAt: now + delayMs, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      const until = now + ms
      await letPendingWorkRun()
      for (let timer = nextTimer(until); timer !== undefined; timer = nextTimer(until)) {
        timers.delete(timer)
        now = Math.max(now, timer.dueAt)
        timer.callback()
        await letPendingWorkRun()
      }
      now = until
      await letPendingWorkRun()
    },
    set(time) {
      now = time
    },
  }
}

/** Lets pending work run: enough turns of the event loop for the memory and SQLite stores, without a real delay. */
async function letPendingWorkRun(): Promise<void> {
  for (let round = 0; round < 8; round++) await new Promise<void>((resolve) => setImmediate(resolve))
}
