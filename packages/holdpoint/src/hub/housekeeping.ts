// Forgetting on time: content soon after it was read, questions later, other records when they expire, the trail never.

import type { Forgotten } from "../ports/retention.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Storage } from "../ports/storage.ts"

/** How long answers and settled questions are kept. */
export interface RetentionTimes {
  /** Content is kept this long after an asker has read it, for askers that share the question or start again. */
  readonly contentAfterReadMs: number
  /** Content that nobody reads is kept this long. */
  readonly contentMs: number
  readonly recordMs: number
}

export const defaultRetention: RetentionTimes = {
  contentAfterReadMs: 60_000,
  contentMs: 24 * 60 * 60 * 1_000,
  recordMs: 30 * 24 * 60 * 60 * 1_000,
}

export interface Housekeeping {
  read(id: string): void
  forget(): Promise<Forgotten>
  start(): void
  stop(): void
}

/** At least this often, for what other processes left; more often only when something was read. */
const roundMs = 60 * 60 * 1_000

export function createHousekeeping(parts: {
  readonly storage: Storage
  readonly runtime: Runtime
  readonly times: RetentionTimes
  readonly background: (doing: string, work: () => Promise<void>) => void
}): Housekeeping {
  const { storage, runtime, times, background } = parts
  let cancel: () => void = () => {}
  let nextAt = Number.POSITIVE_INFINITY

  const schedule = (delayMs: number): void => {
    const at = runtime.now() + delayMs
    if (at >= nextAt) return
    cancel()
    nextAt = at
    cancel = runtime.after(delayMs, () => {
      nextAt = Number.POSITIVE_INFINITY
      schedule(roundMs)
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
    read(id) {
      storage.retention.noteRead(id, runtime.now())
      // A second later than due, so that those read together are forgotten together.
      schedule(times.contentAfterReadMs + 1_000)
    },
    forget,
    start: () => schedule(roundMs),
    stop: () => cancel(),
  }
}
