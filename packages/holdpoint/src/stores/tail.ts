// Follows the trail from where this process last stood, so that listeners hear of commits in order and of none too few.
// Commits never overlap, so positions appear in order and reading on from the last one misses nothing.

import type { Entry, TrailQuery } from "../ports/trail.ts"

export interface Tail {
  /** This process has committed these. */
  committed(entries: readonly Entry[]): void
  /** Another process has, or may have, committed something. */
  pull(): void
  idle(): Promise<void>
}

const pageSize = 500
const retryMs = 250

export function createTail(options: {
  readonly start: number
  readonly read: (query: TrailQuery) => Promise<readonly Entry[]>
  readonly tell: (entries: readonly Entry[]) => void
}): Tail {
  let position = options.start
  let isStale = false
  let pulling: Promise<void> | undefined

  const readOn = async (): Promise<void> => {
    while (isStale) {
      isStale = false
      for (;;) {
        const page = await options.read({ afterPosition: position, limit: pageSize })
        position = Math.max(position, page.at(-1)?.position ?? 0)
        if (page.length > 0) options.tell(page)
        if (page.length < pageSize) break
      }
    }
  }

  const pull = (): void => {
    isStale = true
    pulling ??= readOn()
      .catch(() => {
        // The database is away: what was missed is read when it is back.
        isStale = false
        setTimeout(pull, retryMs).unref()
      })
      .finally(() => {
        pulling = undefined
        if (isStale) pull()
      })
  }

  return {
    committed(entries) {
      const isNext = entries[0]?.position === position + 1 && pulling === undefined
      if (isNext) position = entries.at(-1)?.position ?? position
      options.tell(entries)
      if (!isNext) pull()
    },
    pull,
    async idle() {
      await pulling
    },
  }
}
