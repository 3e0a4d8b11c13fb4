// A clock that runs faster than real time, the same in every process, so that a lease expires while a test waits.

import type { Runtime } from "../../../src/index.ts"
import { systemRuntime } from "../../../src/index.ts"

const faster = 30
const began = Date.UTC(2026, 0, 1)

export const fasterRuntime: Runtime = {
  ...systemRuntime,
  now: () => Math.round(began + (Date.now() - began) * faster),
  after: (delayMs, callback) => systemRuntime.after(delayMs / faster, callback),
}
