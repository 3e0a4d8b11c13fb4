// Long work in small pieces: between them, the calls of others are answered.

import { setImmediate } from "node:timers/promises"

const longestMs = 10

/** Called between two pieces; returns at once unless the last ones took long. */
export function createGiveWay(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longestMs) return
    await setImmediate()
    since = performance.now()
  }
}
