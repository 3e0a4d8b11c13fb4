// The system clock, system timers and random ids.

import { randomUUID } from "node:crypto"
import type { Runtime } from "../ports/runtime.ts"

/**
 * The longest delay that a Node timer supports. Callers check the clock when they wake up, so an early wake-up is
 * harmless.
 */
const longestTimerMs = 2 ** 31 - 1

/** How many consecutive ids share their first eight digits. */
const idsPerGroup = 4_096

/** The clock, the timers and the ids of this machine. Tests use `createTestClock` instead. */
export const systemRuntime: Runtime = {
  now: () => Date.now(),
  newId: createIds(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(delayMs, longestTimerMs))
    return () => clearTimeout(timer)
  },
}

/**
 * Creates a generator of UUID v4 ids. The first eight digits are random too, but shared by consecutive ids, so that ids
 * created together are close together in a database index; otherwise every question would touch separate index pages.
 * Ids reveal no time, and each has 90 random bits.
 */
export function createIds(): () => string {
  let group = ""
  let idCount = idsPerGroup
  return () => {
    const id = randomUUID()
    if (idCount === idsPerGroup) {
      group = id.slice(0, 8)
      idCount = 0
    }
    idCount++
    // Copied, because V8 keeps a concatenated string together with its pieces, and ids stay in memory until people
    // answer.
    return Buffer.from(group + id.slice(8), "latin1").toString("latin1")
  }
}
