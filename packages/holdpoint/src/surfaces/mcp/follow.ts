// What happens to questions, told to those who hold a call for them. One subscription for all.

import type { Entry, Trail } from "../../ports/trail.ts"

export interface Followers {
  /** Until what is returned is called. */
  follow(elicitation: string, tell: (entry: Entry) => void): () => void
  /** Of every question. */
  followAll(tell: (entry: Entry) => void): () => void
  close(): void
}

export function createFollowers(trail: Pick<Trail, "subscribe">): Followers {
  const one = new Map<string, Set<(entry: Entry) => void>>()
  const all = new Set<(entry: Entry) => void>()
  const unsubscribe = trail.subscribe((entries) => {
    for (const entry of entries) {
      for (const tell of one.get(entry.id) ?? []) tell(entry)
      for (const tell of all) tell(entry)
    }
  })
  return {
    follow(elicitation, tell) {
      const others = one.get(elicitation) ?? new Set()
      one.set(elicitation, others.add(tell))
      return () => {
        others.delete(tell)
        if (others.size === 0 && one.get(elicitation) === others) one.delete(elicitation)
      }
    },
    followAll(tell) {
      all.add(tell)
      return () => all.delete(tell)
    },
    close() {
      unsubscribe()
      one.clear()
      all.clear()
    },
  }
}
