// Retention: deletes answers soon after they were read, questions later, other records when they expire. The trail is
// never deleted.

import type { Forgotten } from "../ports/retention.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Storage } from "../ports/storage.ts"

/** How long answers and settled questions are kept. */
export interface RetentionTimes {
  /** How long an answer is kept after a caller has read it, for callers that share the question or restart. */
  readonly contentAfterReadMs: number
  /** How long an answer that no caller reads is kept. */
  readonly contentMs: number
  readonly recordMs: number
}

export const defaultRetention: RetentionTimes = {
  contentAfterReadMs: 60_000,
  contentMs: 24 * 60 * 60 * 1_000,
  recordMs: 30 * 24 * 60 * 60 * 1_000,
}

export interface Housekeeping {
  noteRead(id: string): void
  forget(): Promise<Forgotten>
  start(): void
  stop(): void
}

/**
 * The interval of the regular run, which also deletes the old data of processes that ended. Reading an answer schedules
 * an earlier run.
 */
const regularRunMs = 60 * 60 * 1_000

export function createHousekeeping(parts: {
  readonly storage: Storage
  readonly runtime: Runtime
  readonly times: RetentionTimes
  readonly background: (activity: string, work: () => Promise<void>) => void
}): Housekeeping {
  const { storage, runtime, times, background } = parts
  let cancel: () => void = () => {}
  let nextRunAt = Number.POSITIVE_INFINITY

  const schedule = (delayMs: number): void => {
    const runAt = runtime.now() + delayMs
    if (runAt >= nextRunAt) return
    cancel()
    nextRunAt = runAt
    cancel = runtime.after(delayMs, () => {
      nextRunAt = Number.POSITIVE_INFINITY
      schedule(regularRunMs)
      background("forgetting old content", async () => {
        await forget()
      })
    })
  }

  const forget: Housekeeping["forget"] = async () => {
    const now = runtime.now()
    return storage.retention.forget({
      contentReadBefore: now - times.contentAfterReadMs,
      contentSettledBefore: now - times.contentMs,
      questionSettledBefore: now - times.recordMs,
      recordExpiresBy: now,
    })
  }

  return {
    noteRead(id) {
      storage.retention.noteRead(id, runtime.now())
      // One second after the answer is due, so that answers read at about the same time are deleted in one run.
      schedule(times.contentAfterReadMs + 1_000)
    },
    forget,
    start: () => schedule(regularRunMs),
    stop: () => cancel(),
  }
}
