// Notifies held calls of changes to their questions. All calls share one subscription to the trail.

import type { Entry } from "@holdpoint/hub"
import type { Trail } from "@holdpoint/hub/storage"

export interface Followers {
  /**
   * Calls `onEntry` for each trail entry of one question, until `unfollow`. An unsubscribe function for each held call
   * would cost memory.
   */
  follow(elicitation: string, onEntry: (entry: Entry) => void): void
  /** Unsubscribes a callback that was passed to `follow`. */
  unfollow(elicitation: string, onEntry: (entry: Entry) => void): void
  /** Calls `onEntry` for each trail entry of every question. Returns an unsubscribe function. */
  followAll(onEntry: (entry: Entry) => void): () => void
  close(): void
}

type Listener = (entry: Entry) => void

const listOf = (listeners: Listener | Set<Listener> | undefined): readonly Listener[] =>
  listeners === undefined ? [] : typeof listeners === "function" ? [listeners] : [...listeners]

export function createFollowers(trail: Pick<Trail, "subscribe">): Followers {
  /** The listeners by question. A single listener, which is the common case, is stored without a set to save memory. */
  const followersByQuestion = new Map<string, Listener | Set<Listener>>()
  const globalListeners = new Set<Listener>()
  const unsubscribe = trail.subscribe((entries) => {
    for (const entry of entries) {
      for (const onEntry of listOf(followersByQuestion.get(entry.id))) onEntry(entry)
      for (const onEntry of globalListeners) onEntry(entry)
    }
  })
  return {
    follow(elicitation, onEntry) {
      const listeners = followersByQuestion.get(elicitation)
      if (listeners === undefined) followersByQuestion.set(elicitation, onEntry)
      else followersByQuestion.set(elicitation, new Set([...listOf(listeners), onEntry]))
    },
    unfollow(elicitation, onEntry) {
      const remaining = listOf(followersByQuestion.get(elicitation)).filter((other) => other !== onEntry)
      const [firstListener] = remaining
      if (firstListener === undefined) followersByQuestion.delete(elicitation)
      else followersByQuestion.set(elicitation, remaining.length === 1 ? firstListener : new Set(remaining))
    },
    followAll(onEntry) {
      globalListeners.add(onEntry)
      return () => globalListeners.delete(onEntry)
    },
    close() {
      unsubscribe()
      followersByQuestion.clear()
      globalListeners.clear()
    },
  }
}
