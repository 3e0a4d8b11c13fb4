// One timer, set to the nearest due time. No timer runs while nothing is due.

import type { Runtime } from "@holdpoint/hub"

export interface Alarm {
  /** Registers a due time. The alarm rings once, at the nearest of the registered times. */
  arm(time: number): void
  stop(): void
}

export function createAlarm(runtime: Runtime, onRing: () => void): Alarm {
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
