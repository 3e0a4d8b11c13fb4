// The real clock and the real dice.

import { randomUUID } from "node:crypto"
import type { Runtime } from "../ports/runtime.ts"

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  newId: () => randomUUID(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}
