// The real clock and the real dice.

import { randomUUID } from "node:crypto"
import type { Runtime } from "../ports/runtime.ts"

/** What a timer can count to; whoever is woken early looks at the clock anyway. */
const longestMs = 2 ** 31 - 1

/** The clock, the timers and the ids of this machine. Tests use `createTestClock` instead. */
export const systemRuntime: Runtime = {
  now: () => Date.now(),
  // Copied: the string that randomUUID gives is a tree of twenty pieces, and ids are kept for as long as people think.
  newId: () => Buffer.from(randomUUID(), "latin1").toString("latin1"),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(delayMs, longestMs))
    return () => clearTimeout(timer)
  },
}
