// Lets a reader sleep until it is woken or a time has passed. A wake that comes before the sleep is not lost.

import type { Runtime } from "@holdpoint/hub"

export interface Sleeper {
  /** Resolves when woken, or after this time. Resolves immediately if `wake` was called since the last sleep. */
  sleep(forMs?: number): Promise<void>
  readonly wake: () => void
}

export function createSleeper({ after }: Pick<Runtime, "after">): Sleeper {
  let isAwake = false
  let endSleep: (() => void) | undefined
  return {
    wake() {
      isAwake = true
      endSleep?.()
    },
    async sleep(forMs) {
      if (!isAwake) {
        await new Promise<void>((resolve) => {
          const cancel = forMs === undefined ? undefined : after(forMs, resolve)
          endSleep = () => {
            cancel?.()
            resolve()
          }
        })
        endSleep = undefined
      }
      isAwake = false
    },
  }
}
