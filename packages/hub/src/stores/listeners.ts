// The listeners of commits. They are called at the end of the turn, after the writer has continued, so that a hub need
// not look up its own writes. A listener that throws does not stop the others.

import type { Entry } from "../ports/trail.ts"

export interface Listeners {
  add(listener: (entries: readonly Entry[]) => void): () => void
  notify(entries: readonly Entry[]): void
  clear(): void
}

export function createListeners(): Listeners {
  const listeners = new Set<(entries: readonly Entry[]) => void>()
  let queue: Entry[] = []

  const flush = (): void => {
    const entries = queue
    queue = []
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
    notify(entries) {
      if (listeners.size === 0) return
      if (queue.length === 0) setImmediate(flush)
      queue.push(...entries)
    },
    clear: () => listeners.clear(),
  }
}
