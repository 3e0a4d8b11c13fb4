// One timer for the nearest deadline among all open questions, including those of other processes: when a process dies,
// the others expire its questions. No timer runs while no question has a deadline.

import { createTimer } from "../due/timer.ts"
import type { Work } from "../due/work.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Store } from "../ports/store.ts"
import type { Reload } from "./follow.ts"
import type { LiveTable } from "./live-questions.ts"
import type { Step } from "./steps.ts"

export interface Alarm {
  /** Makes the timer fire at this time at the latest, because a question has this deadline. */
  arm(time: number): void
  /** Expires every overdue question and arms the timer for the next deadline. Returns how many questions it expired. */
  sweep(): Promise<number>
  stop(): void
}

/** Deadlines closer together than this are handled in one sweep. */
const coalesceMs = 10
const retryMs = 5_000
const reloadEveryMs = 1_000
const pageSize = 500

export interface AlarmNeeds extends Pick<Work, "background"> {
  readonly store: Pick<Store, "due">
  readonly runtime: Pick<Runtime, "now" | "after">
  readonly live: LiveTable
  readonly step: Step
  readonly reload: Reload
}

export function createAlarm({ store, runtime, live, step, reload, background }: AlarmNeeds): Alarm {
  let runningSweep: Promise<number> | undefined
  let lastReloadAt = Number.NEGATIVE_INFINITY
  const timer = createTimer(runtime, () =>
    background("expiring questions", async () => {
      await alarm.sweep()
    }),
  )

  /**
   * Reloads the questions of this process whose deadline has passed: another process settled them, and the notification
   * was lost. The scan visits every question of this process, so it runs at most once a second.
   */
  const reloadOverdue = (): void => {
    const now = runtime.now()
    const isTooSoon = now >= lastReloadAt && now < lastReloadAt + reloadEveryMs
    if (isTooSoon) {
      if (live.size > 0) timer.arm(lastReloadAt + reloadEveryMs)
      return
    }
    lastReloadAt = now
    let nextDeadline = Number.POSITIVE_INFINITY
    for (const [id, { record }] of live) {
      if (record === undefined || record.expiresAt <= now) reload(id)
      else nextDeadline = Math.min(nextDeadline, record.expiresAt)
    }
    if (nextDeadline < Number.POSITIVE_INFINITY) timer.arm(Math.max(nextDeadline, now + coalesceMs))
  }

  const expireDue = async (): Promise<number> => {
    let expiredCount = 0
    for (;;) {
      const { overdue, next } = await store.due(runtime.now(), pageSize)
      const results = await Promise.all(overdue.map(({ id }) => step(id, { type: "expire" })))
      const settledCount = results.filter((result) => result.ok).length
      expiredCount += results.filter((result) => result.ok && result.changed).length
      if (overdue.length === pageSize && settledCount > 0) continue
      reloadOverdue()
      if (next !== undefined) timer.arm(Math.max(next, runtime.now() + coalesceMs))
      return expiredCount
    }
  }

  const alarm: Alarm = {
    arm: timer.arm,
    async sweep() {
      // Sweeps run one after another: a second caller must also expire what fell due after the first one queried the
      // store.
      while (runningSweep !== undefined) await runningSweep.catch(() => 0)
      runningSweep = expireDue()
        .catch((error: unknown) => {
          timer.arm(runtime.now() + retryMs)
          throw error
        })
        .finally(() => {
          runningSweep = undefined
        })
      return runningSweep
    },
    stop: timer.stop,
  }
  return alarm
}
