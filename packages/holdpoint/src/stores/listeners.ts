// Those who want to hear of commits. One that throws does not keep the others from hearing.

import type { Entry } from "../ports/trail.ts"

export interface Listeners {
  add(listener: (entries: readonly Entry[]) => void): () => void
  tell(entries: readonly Entry[]): void
  clear(): void
}

export function createListeners(): Listeners {
  const listeners = new Set<(entries: readonly Entry[]) => void>()
  return {
    add(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    tell(entries) {
      for (const listener of [...listeners]) {
        try {
          listener(entries)
        } catch (error) {
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
    clear: () => listeners.clear(),
  }
}
