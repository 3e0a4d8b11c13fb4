// Something fetched that is kept for a while: asked for by one at a time, and no more often than the times say,
// whatever the number of callers. What cannot be renewed stays in use for a limited time.

export interface CacheTimes {
  /** Used without asking again. */
  readonly freshMs: number
  /** Used when asking again fails. */
  readonly staleMs: number
  /** Nobody is asked for so long after a failure, */
  readonly retryMs: number
  /** and for so long after `renew`. */
  readonly renewMs: number
}

export interface Cached<T> {
  /** Rejects when there is nothing that can be used. */
  get(): Promise<T>
  /** Something newer than what was seen; undefined when it was asked for a moment ago. */
  renew(seen: T): Promise<T | undefined>
}

export function createCached<T>(load: () => Promise<T>, now: () => number, times: CacheTimes): Cached<T> {
  let kept: { readonly at: number; readonly value: T } | undefined
  let failed: { readonly at: number; readonly error: unknown } | undefined
  let renewedAt: number | undefined
  let pending: Promise<T> | undefined
  // Clocks are set back: a time in the future is as old as one in the past.
  const isWithin = (at: number | undefined, ms: number): boolean => at !== undefined && Math.abs(now() - at) < ms

  const ask = (): Promise<T> => {
    pending ??= load()
      .then(
        (value) => {
          kept = { at: now(), value }
          failed = undefined
          return value
        },
        (error: unknown) => {
          failed = { at: now(), error }
          throw error
        },
      )
      .finally(() => {
        pending = undefined
      })
    return pending
  }

  return {
    async get() {
      if (kept !== undefined && isWithin(kept.at, times.freshMs)) return kept.value
      try {
        if (failed !== undefined && isWithin(failed.at, times.retryMs)) throw failed.error
        return await ask()
      } catch (error) {
        if (kept !== undefined && isWithin(kept.at, times.staleMs)) return kept.value
        throw error
      }
    },
    async renew(seen) {
      if (kept !== undefined && kept.value !== seen) return kept.value
      if (pending !== undefined) return pending
      if (failed === undefined && isWithin(renewedAt, times.renewMs)) return undefined
      if (failed !== undefined && isWithin(failed.at, times.retryMs)) throw failed.error
      renewedAt = now()
      return ask()
    },
  }
}
