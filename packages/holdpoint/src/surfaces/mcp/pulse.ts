// One timer for all held calls whose clients want to hear that they are held.

import type { Runtime } from "../../ports/runtime.ts"

export interface Pulse {
  /** Calls back again and again. Returns a function that ends it. */
  add(beat: () => void): () => void
  close(): void
}

/** Several times within the shortest minute after which clients give up. */
export const pulseMs = 15_000

export function createPulse(runtime: Pick<Runtime, "after">): Pulse {
  const beats = new Set<() => void>()
  let cancel: (() => void) | undefined
  const arm = (): void => {
    cancel ??= runtime.after(pulseMs, () => {
      cancel = undefined
      for (const beat of beats) beat()
      if (beats.size > 0) arm()
    })
  }
  return {
    add(beat) {
      beats.add(beat)
      arm()
      return () => {
        beats.delete(beat)
      }
    },
    close() {
      cancel?.()
      beats.clear()
    },
  }
}
