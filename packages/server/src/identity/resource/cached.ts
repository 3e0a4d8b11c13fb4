// A cached fetch: one request at a time, with limits on how often. A stale value stays in use for a limited time when
// it cannot be renewed.

export interface CacheTimes {
  /** How long a value is used without a new request. */
  readonly freshMs: number
  /** How long a value is used when a new request fails. */
  readonly staleMs: number
  /** No new request is made for this long after a failed one. */
  readonly retryMs: number
  /** `renew` makes no new request for this long after its previous one. */
  readonly renewMs: number
}

export interface Cached<T> {
  /** Rejects when no usable value exists. */
  get(): Promise<T>
  /** Returns a value newer than `stale`; undefined when the last renewal was less than `renewMs` ago. */
  renew(stale: T): Promise<T | undefined>
}

export function createCached<T>(load: () => Promise<T>, now: () => number, times: CacheTimes): Cached<T> {
  let cached: { readonly at: number; readonly value: T } | undefined
  let failed: { readonly at: number; readonly error: unknown } | undefined
  let renewedAt: number | undefined
  let pending: Promise<T> | undefined
  // The absolute difference counts: after a clock was set back, the time can be in the future.
  const isYoungerThan = (loadedAt: number | undefined, ms: number): boolean =>
    loadedAt !== undefined && Math.abs(now() - loadedAt) < ms

  const ask = (): Promise<T> => {
    pending ??= load()
      .then(
        (value) => {
          cached = { at: now(), value }
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
      if (cached !== undefined && isYoungerThan(cached.at, times.freshMs)) return cached.value
      try {
        if (failed !== undefined && isYoungerThan(failed.at, times.retryMs)) throw failed.error
        return await ask()
      } catch (error) {
        if (cached !== undefined && isYoungerThan(cached.at, times.staleMs)) return cached.value
        throw error
      }
    },
    async renew(stale) {
      if (cached !== undefined && cached.value !== stale) return cached.value
      if (pending !== undefined) return pending
      if (failed === undefined && isYoungerThan(renewedAt, times.renewMs)) return undefined
      if (failed !== undefined && isYoungerThan(failed.at, times.retryMs)) throw failed.error
      renewedAt = now()
      return ask()
    },
  }
}
