// Notifies held calls of changes to their questions. All share one subscription to the trail.

import type { Entry, Trail } from "../ports/trail.ts"

export interface Followers {
  /** Calls `tell` for each entry of one question. Returns no function: many calls are held at the same time. */
  follow(elicitation: string, tell: (entry: Entry) => void): void
  /** Unsubscribes what was given to `follow`. */
  unfollow(elicitation: string, tell: (entry: Entry) => void): void
  /** Calls `tell` for each entry of every question. Returns an unsubscribe function. */
  followAll(tell: (entry: Entry) => void): () => void
  close(): void
}

type Tell = (entry: Entry) => void

const listOf = (tell: Tell | Set<Tell> | undefined): readonly Tell[] =>
  tell === undefined ? [] : typeof tell === "function" ? [tell] : [...tell]

export function createFollowers(trail: Pick<Trail, "subscribe">): Followers {
  /** The followers by question. A single follower, which is the common case, is stored without a set to save memory. */
  const one = new Map<string, Tell | Set<Tell>>()
  const all = new Set<Tell>()
  const unsubscribe = trail.subscribe((entries) => {
    for (const entry of entries) {
      for (const tell of listOf(one.get(entry.id))) tell(entry)
      for (const tell of all) tell(entry)
    }
  })
  return {
    follow(elicitation, tell) {
      const others = one.get(elicitation)
      if (others === undefined) one.set(elicitation, tell)
      else one.set(elicitation, new Set([...listOf(others), tell]))
    },
    unfollow(elicitation, tell) {
      const left = listOf(one.get(elicitation)).filter((other) => other !== tell)
      const [first] = left
      if (first === undefined) one.delete(elicitation)
      else one.set(elicitation, left.length === 1 ? first : new Set(left))
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
