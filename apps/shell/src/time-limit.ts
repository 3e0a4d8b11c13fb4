// The time limit of a script. Its clock stops while a person has an open question.

export interface TimeLimit {
  /** Stops or restarts the clock. */
  pause(isPaused: boolean): void
  /** Restarts the script's time limit, up to the fixed maximum. */
  extend(): void
  stop(): void
}

export interface TimeLimitOptions {
  readonly ms: number
  /** The fixed maximum, which `extend` cannot exceed. */
  readonly mostMs: number
  readonly onOver: () => void
}

export function createTimeLimit({ ms, mostMs, onOver }: TimeLimitOptions): TimeLimit {
  /** The time that the script used before the clock was last started. */
  let used = 0
  let allowed = Math.min(ms, mostMs)
  let since: number | undefined
  let timer: NodeJS.Timeout | undefined
  const usedNow = (): number => used + (since === undefined ? 0 : performance.now() - since)
  const halt = (): void => {
    clearTimeout(timer)
    used = usedNow()
    since = undefined
  }
  const run = (): void => {
    since = performance.now()
    // Timers overflow above 2^31 - 1 ms, which is longer than any script runs.
    timer = setTimeout(onOver, Math.min(Math.max(allowed - used, 0), 2 ** 31 - 1))
  }
  run()
  return {
    pause(isPaused) {
      if (isPaused === (since === undefined)) return
      if (isPaused) halt()
      else run()
    },
    extend() {
      const isRunning = since !== undefined
      halt()
      allowed = Math.min(used + ms, mostMs)
      if (isRunning) run()
    },
    stop: halt,
  }
}
