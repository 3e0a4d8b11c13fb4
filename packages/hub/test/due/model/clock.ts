// The time of the model test: one true time, and the clocks of processes, which differ from it.

import { randomUUID } from "node:crypto"
import type { Runtime } from "../../../src/ports/runtime.ts"

interface Alarm {
  readonly at: number
  readonly callback: () => void
}

export interface ModelTime {
  now(): number
  /** The clock of a process, which is ahead by `aheadMs()`. Its timers end with the process. */
  clockOf(process: { readonly aheadMs: () => number; readonly isAlive: () => boolean }): Runtime
  /** Counts an operation that the time waits for. */
  during<T>(operation: () => Promise<T>): Promise<T>
  /** Moves the time forward, timer by timer, and lets all work end that begins meanwhile. */
  advance(ms: number): Promise<void>
}

export function createModelTime(start = Date.UTC(2026, 0, 1)): ModelTime {
  let now = start
  let operations = 0
  const alarms = new Set<Alarm>()
  const next = (until: number): Alarm | undefined => {
    let first: Alarm | undefined
    for (const alarm of alarms) if (alarm.at <= until && (first === undefined || alarm.at < first.at)) first = alarm
    return first
  }
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 4; quiet = operations === 0 ? quiet + 1 : 0)
      await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return {
    now: () => now,
    clockOf: ({ aheadMs, isAlive }) => ({
      now: () => now + aheadMs(),
      newId: () => randomUUID(),
      after(delayMs, callback) {
        const alarm = { at: now + Math.max(0, delayMs), callback: () => (isAlive() ? callback() : undefined) }
        alarms.add(alarm)
        return () => alarms.delete(alarm)
      },
    }),
    async during(operation) {
      operations += 1
      try {
        return await operation()
      } finally {
        operations -= 1
      }
    },
    async advance(ms) {
      const until = now + ms
      await settle()
      for (let alarm = next(until); alarm !== undefined; alarm = next(until)) {
        alarms.delete(alarm)
        now = Math.max(now, alarm.at)
        alarm.callback()
        await settle()
      }
      now = until
    },
  }
}
