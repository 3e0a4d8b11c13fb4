// Follows the trail from this process's last position, so that listeners are notified of every commit once and in
// order. Commits never overlap, so positions appear in order and reading from the last position misses nothing.

import type { Entry, TrailQuery } from "../ports/trail.ts"

export interface Tail {
  /** The last position that this process has seen. */
  position(): number
  /** Called after this process has committed these entries. */
  addCommitted(entries: readonly Entry[]): void
  /** Called when another process has, or may have, committed something. */
  scheduleRead(): void
  /** Waits for the current read, and stops. */
  stop(): Promise<void>
}

const pageSize = 500
const retryMs = 250

export function createTail(options: {
  readonly start: number
  readonly read: (query: TrailQuery) => Promise<readonly Entry[]>
  readonly notify: (entries: readonly Entry[]) => void
}): Tail {
  let position = options.start
  let isStale = false
  let runningRead: Promise<void> | undefined
  let retryTimer: NodeJS.Timeout | undefined
  let isStopped = false

  const readNewEntries = async (): Promise<void> => {
    try {
      while (isStale) {
        isStale = false
        for (;;) {
          const page = await options.read({ afterPosition: position, limit: pageSize })
          position = page.at(-1)?.position ?? position
          if (page.length > 0) options.notify(page)
          if (page.length < pageSize) break
        }
      }
    } catch {
      // The database is unavailable: missed entries are read when it is back.
      if (!isStopped) retryTimer = setTimeout(scheduleRead, retryMs).unref()
    }
    runningRead = undefined
  }

  const scheduleRead = (): void => {
    if (isStopped) return
    isStale = true
    runningRead ??= readNewEntries()
  }

  return {
    position: () => position,
    addCommitted(entries) {
      if (entries[0]?.position !== position + 1 || runningRead !== undefined) return scheduleRead()
      position = entries.at(-1)?.position ?? position
      options.notify(entries)
    },
    scheduleRead,
    async stop() {
      isStopped = true
      clearTimeout(retryTimer)
      await runningRead
    },
  }
}
