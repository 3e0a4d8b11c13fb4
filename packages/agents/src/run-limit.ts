// Limits the runs that this process works on at a time for one person. Runs that wait for people do not count, because
// the hub limits a person's open questions.

import type { PrincipalId } from "@holdpoint/hub"
import { personKey } from "./conversations.ts"

export interface RunLimit {
  /**
   * Counts a run that is about to begin. Returns a function that ends this reservation, or undefined when the limit is
   * reached.
   */
  reserve(person: PrincipalId): (() => void) | undefined
  /** Counts a run that this process works on, whether it has just begun or was resumed. */
  enter(run: string, person: PrincipalId): void
  leave(run: string): void
}

export function createRunLimit(limit: number): RunLimit {
  const runs = new Map<string, string>()
  const reserved = new Map<symbol, string>()
  const countOf = (key: string): number => [...runs.values(), ...reserved.values()].filter((one) => one === key).length
  return {
    reserve(person) {
      const key = personKey(person)
      if (countOf(key) >= limit) return undefined
      const reservation = Symbol()
      reserved.set(reservation, key)
      return () => void reserved.delete(reservation)
    },
    enter: (run, person) => void runs.set(run, personKey(person)),
    leave: (run) => void runs.delete(run),
  }
}
