// One heartbeat timer for all held calls.

import type { Runtime } from "../../ports/runtime.ts"

export interface Heartbeat {
  /** Calls `beat` at every heartbeat. Returns an unsubscribe function. */
  add(beat: () => void): () => void
  close(): void
}

/** The interval of the heartbeat, several times shorter than the minute after which impatient clients give up. */
export const heartbeatMs = 15_000

export function createHeartbeat(runtime: Pick<Runtime, "after">): Heartbeat {
  const beats = new Set<() => void>()
  let cancel: (() => void) | undefined
  const arm = (): void => {
    cancel ??= runtime.after(heartbeatMs, () => {
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
