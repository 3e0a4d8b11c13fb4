// One timer, set to the nearest due time. No timer runs while nothing is due.

import type { Runtime } from "../ports/runtime.ts"

export interface Timer {
  /** Makes the timer ring at this time at the latest. It rings once, at the nearest of these times. */
  arm(time: number): void
  stop(): void
}

export function createTimer(runtime: Pick<Runtime, "now" | "after">, onRing: () => void): Timer {
  let armedTime = Number.POSITIVE_INFINITY
  let cancel = (): void => {}
  let isStopped = false
  return {
    arm(time) {
      if (isStopped || time >= armedTime) return
      cancel()
      armedTime = time
      cancel = runtime.after(Math.max(0, time - runtime.now()), () => {
        armedTime = Number.POSITIVE_INFINITY
        onRing()
      })
    },
    stop() {
      isStopped = true
      cancel()
    },
  }
}
