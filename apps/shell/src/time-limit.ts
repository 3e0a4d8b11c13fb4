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
  let usedMs = 0
  let allowed = Math.min(ms, mostMs)
  let runningSince: number | undefined
  let timer: NodeJS.Timeout | undefined
  const readUsedMs = (): number => usedMs + (runningSince === undefined ? 0 : performance.now() - runningSince)
  const halt = (): void => {
    clearTimeout(timer)
    usedMs = readUsedMs()
    runningSince = undefined
  }
  const startTimer = (): void => {
    runningSince = performance.now()
    // Timers overflow above 2^31 - 1 ms, which is longer than any script runs.
    timer = setTimeout(onOver, Math.min(Math.max(allowed - usedMs, 0), 2 ** 31 - 1))
  }
  startTimer()
  return {
    pause(isPaused) {
      if (isPaused === (runningSince === undefined)) return
      if (isPaused) halt()
      else startTimer()
    },
    extend() {
      const isRunning = runningSince !== undefined
      halt()
      allowed = Math.min(usedMs + ms, mostMs)
      if (isRunning) startTimer()
    },
    stop: halt,
  }
}
