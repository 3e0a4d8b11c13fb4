// What happens to questions, told to those who hold a call for them. One subscription for all.

import type { Entry, Trail } from "../ports/trail.ts"

export interface Followers {
  /** Until what is returned is called. */
  follow(elicitation: string, tell: (entry: Entry) => void): () => void
  /** Of every question. */
  followAll(tell: (entry: Entry) => void): () => void
  close(): void
}

type Tell = (entry: Entry) => void

const listOf = (tell: Tell | Set<Tell> | undefined): readonly Tell[] =>
  tell === undefined ? [] : typeof tell === "function" ? [tell] : [...tell]

export function createFollowers(trail: Pick<Trail, "subscribe">): Followers {
  /** A function where one follows, which is the rule, and many do it at once. */
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
      return () => {
        const left = listOf(one.get(elicitation)).filter((other) => other !== tell)
        const [first] = left
        if (first === undefined) one.delete(elicitation)
        else one.set(elicitation, left.length === 1 ? first : new Set(left))
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
