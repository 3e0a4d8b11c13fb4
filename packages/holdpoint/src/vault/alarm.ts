// One timer for the nearest of the times at which something is due. Nothing ticks while nothing is.

import type { Runtime } from "../ports/runtime.ts"

export interface Alarm {
  /** Something is due then: rings once, at the nearest of these times. */
  arm(at: number): void
  stop(): void
}

export function createAlarm(runtime: Runtime, ring: () => void): Alarm {
  let armedFor = Number.POSITIVE_INFINITY
  let cancel = (): void => {}
  let isStopped = false
  return {
    arm(at) {
      if (isStopped || at >= armedFor) return
      cancel()
      armedFor = at
      cancel = runtime.after(Math.max(0, at - runtime.now()), () => {
        armedFor = Number.POSITIVE_INFINITY
        ring()
      })
    },
    stop() {
      isStopped = true
      cancel()
    },
  }
}
