// The time that a script may take. It stands still while a person thinks.

export interface TimeLimit {
  /** Stops or restarts the clock. */
  pause(isPaused: boolean): void
  /** Gives the script its whole time again, up to the limit that nothing extends. */
  extend(): void
  stop(): void
}

export interface TimeLimitOptions {
  readonly ms: number
  /** The limit that `extend` cannot go beyond. */
  readonly mostMs: number
  readonly onOver: () => void
}

export function createTimeLimit({ ms, mostMs, onOver }: TimeLimitOptions): TimeLimit {
  /** What the script has used up before the clock was last started. */
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
    // Longer times than a timer takes are as good as none.
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
