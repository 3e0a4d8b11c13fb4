// How many questions are open in the whole installation: read once at the start, then followed in the trail. No query
// is made when the number is read.

import { isSettled } from "../core/elicitation.ts"
import type { Storage } from "../ports/storage.ts"
import type { Entry } from "../ports/trail.ts"

export interface OpenQuestions {
  count(): number
  /** Resolves when the questions that were open at the start are counted. */
  readonly ready: Promise<void>
  close(): void
}

/** The largest number of questions that are read at the start. */
const mostAtStart = 100_000

export function followOpenQuestions({ store, trail }: Pick<Storage, "store" | "trail">): OpenQuestions {
  const openIds = new Set<string>()
  /** Questions that were settled while `load` was still reading. */
  const ended = new Set<string>()
  let isReady = false
  const follow = ({ id, kind, status }: Entry): void => {
    if (kind === "asked") openIds.add(id)
    if (status === undefined || !isSettled(status)) return
    openIds.delete(id)
    if (!isReady) ended.add(id)
  }
  const unsubscribe = trail.subscribe((entries) => entries.forEach(follow))
  const load = async (): Promise<void> => {
    try {
      const { overdue } = await store.due(Number.MAX_SAFE_INTEGER, mostAtStart)
      for (const { id } of overdue) if (!ended.has(id)) openIds.add(id)
    } finally {
      isReady = true
      ended.clear()
    }
  }
  return { count: () => openIds.size, ready: load(), close: unsubscribe }
}
