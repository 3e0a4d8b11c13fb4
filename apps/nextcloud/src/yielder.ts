// Lets long work yield to the event loop between its pieces, so that other calls are answered.

import { setImmediate } from "node:timers/promises"

const longestMs = 10

/**
 * Returns a function to await between two pieces of work. It yields only when 10 ms have passed since the last yield.
 */
export function createYielder(): () => Promise<void> {
  let lastYield = performance.now()
  return async () => {
    if (performance.now() - lastYield < longestMs) return
    await setImmediate()
    lastYield = performance.now()
  }
}
