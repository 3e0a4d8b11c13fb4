// One timer for the nearest deadline of all open questions, whoever asked them: a process that dies leaves its
// deadlines to the others. Nothing ticks while nothing is due.

import type { Runtime } from "../ports/runtime.ts"
import type { Store } from "../ports/store.ts"
import type { Reload } from "./follow.ts"
import type { LiveTable } from "./live.ts"
import type { Step } from "./steps.ts"
import type { Work } from "./work.ts"

export interface Alarm {
  /** There is a question with this deadline. */
  arm(at: number): void
  /** Expires all that is due and arms for what comes next. */
  sweep(): Promise<number>
  stop(): void
}

/** Deadlines closer together than this are handled in one go. */
const coalesceMs = 10
const retryMs = 5_000
const lookMs = 1_000
const pageSize = 500

export interface AlarmNeeds extends Pick<Work, "background"> {
  readonly store: Pick<Store, "due">
  readonly runtime: Pick<Runtime, "now" | "after">
  readonly live: LiveTable
  readonly step: Step
  readonly reload: Reload
}

export function createAlarm({ store, runtime, live, step, reload, background }: AlarmNeeds): Alarm {
  let armedFor = Number.POSITIVE_INFINITY
  let cancel: () => void = () => {}
  let sweeping: Promise<number> | undefined
  let lastLook = Number.NEGATIVE_INFINITY
  let isStopped = false

  const armAt = (at: number): void => {
    if (isStopped || at >= armedFor) return
    cancel()
    armedFor = at
    cancel = runtime.after(Math.max(0, at - runtime.now()), () => {
      armedFor = Number.POSITIVE_INFINITY
      background("expiring questions", async () => {
        await alarm.sweep()
      })
    })
  }

  /**
   * What this process waits for and is past its deadline was settled elsewhere, and word of it was lost. Looking at all
   * of them takes time, so it is done once a second at most.
   */
  const lookAfterOwn = (): void => {
    const now = runtime.now()
    const wasJustDone = now >= lastLook && now < lastLook + lookMs
    if (wasJustDone) {
      if (live.size > 0) armAt(lastLook + lookMs)
      return
    }
    lastLook = now
    let next = Number.POSITIVE_INFINITY
    for (const [id, { record }] of live) {
      if (record === undefined || record.expiresAt <= now) reload(id)
      else next = Math.min(next, record.expiresAt)
    }
    if (next < Number.POSITIVE_INFINITY) armAt(Math.max(next, now + coalesceMs))
  }

  const expireDue = async (): Promise<number> => {
    let expired = 0
    for (;;) {
      const { overdue, next } = await store.due(runtime.now(), pageSize)
      const results = await Promise.all(overdue.map(({ id }) => step(id, { type: "expire" })))
      const settled = results.filter((result) => result.ok).length
      expired += results.filter((result) => result.ok && result.changed).length
      if (overdue.length === pageSize && settled > 0) continue
      lookAfterOwn()
      if (next !== undefined) armAt(Math.max(next, runtime.now() + coalesceMs))
      return expired
    }
  }

  const alarm: Alarm = {
    arm: armAt,
    async sweep() {
      // One at a time; a second caller must not miss what fell due after the first had looked.
      while (sweeping !== undefined) await sweeping.catch(() => 0)
      sweeping = expireDue()
        .catch((error: unknown) => {
          armAt(runtime.now() + retryMs)
          throw error
        })
        .finally(() => {
          sweeping = undefined
        })
      return sweeping
    },
    stop() {
      isStopped = true
      cancel()
    },
  }
  return alarm
}
