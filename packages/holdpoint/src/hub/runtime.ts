// The real clock and the real dice.

import { randomUUID } from "node:crypto"
import type { Runtime } from "../ports/runtime.ts"

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  // Copied: the string that randomUUID gives is a tree of twenty pieces, and ids are kept for as long as people think.
  newId: () => Buffer.from(randomUUID(), "latin1").toString("latin1"),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}
