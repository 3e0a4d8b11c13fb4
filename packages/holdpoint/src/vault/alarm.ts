// One timer, set to the nearest due time. No timer runs while nothing is due.

import type { Runtime } from "../ports/runtime.ts"

export interface Alarm {
  /** Registers a due time. The alarm rings once, at the nearest of the registered times. */
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
