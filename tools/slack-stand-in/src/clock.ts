// A clock that tests can advance by three seconds or thirty minutes at once.

export interface Clock {
  now(): number
  /** Calls back once after that time. Returns a function that cancels it. */
  after(delayMs: number, act: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs).unref()
    return () => clearTimeout(timer)
  },
}

/** A clock that changes only when a test advances it. */
export function createManualClock(start = Date.UTC(2026, 10, 18)): Clock & { advance(ms: number): void } {
  let now = start
  let waiting: readonly { readonly at: number; readonly act: () => void }[] = []
  return {
    now: () => now,
    after(delayMs, act) {
      const entry = { at: now + delayMs, act }
      waiting = [...waiting, entry]
      return () => {
        waiting = waiting.filter((other) => other !== entry)
      }
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        const next = waiting.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        waiting = waiting.filter((other) => other !== next)
        now = Math.max(now, next.at)
        next.act()
      }
      now = end
    },
  }
}
