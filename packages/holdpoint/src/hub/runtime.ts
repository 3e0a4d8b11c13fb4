// The system clock, system timers and random ids.

import { randomUUID } from "node:crypto"
import type { Runtime } from "../ports/runtime.ts"

/**
 * The longest delay that a Node timer supports. Callers check the clock when they wake up, so an early wake-up is
 * harmless.
 */
const longestMs = 2 ** 31 - 1

/** How many ids begin alike. */
const idsOfAGroup = 4_096

/** The clock, the timers and the ids of this machine. Tests use `createTestClock` instead. */
export const systemRuntime: Runtime = {
  now: () => Date.now(),
  newId: createIds(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(delayMs, longestMs))
    return () => clearTimeout(timer)
  },
}

/**
 * UUID v4. The first eight digits are random like the rest, but stay the same for a while: ids that are made together lie
 * together in an index. If all of each were random, every question would touch pages of its own in a large database.
 * They tell no time, and 90 bits are random in each.
 */
export function createIds(): () => string {
  let group = ""
  let made = idsOfAGroup
  return () => {
    const id = randomUUID()
    if (made === idsOfAGroup) {
      group = id.slice(0, 8)
      made = 0
    }
    made++
    // Copied: a string that is put together of pieces keeps them all, and ids are kept for as long as people think.
    return Buffer.from(group + id.slice(8), "latin1").toString("latin1")
  }
}
