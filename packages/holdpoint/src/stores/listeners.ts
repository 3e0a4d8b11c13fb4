// Those who want to hear of commits. They hear at the end of the turn, after whoever wrote has gone on: a hub need not
// look up what it has just done itself. One that throws does not keep the others from hearing.

import type { Entry } from "../ports/trail.ts"

export interface Listeners {
  add(listener: (entries: readonly Entry[]) => void): () => void
  tell(entries: readonly Entry[]): void
  clear(): void
}

export function createListeners(): Listeners {
  const listeners = new Set<(entries: readonly Entry[]) => void>()
  let untold: Entry[] = []

  const flush = (): void => {
    const entries = untold
    untold = []
    for (const listener of [...listeners]) {
      try {
        listener(entries)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  return {
    add(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    tell(entries) {
      if (listeners.size === 0) return
      if (untold.length === 0) setImmediate(flush)
      untold.push(...entries)
    },
    clear: () => listeners.clear(),
  }
}
