// Watches resources for one persistent connection by polling: Nextcloud sends no change notifications. The client is
// notified when the version of a resource it subscribed to, or read while listening, changes.

export interface Watched {
  readonly uri: string
  version: string | undefined
  /** Reads the current version without asking the person. Undefined when it is not known. */
  readonly look: () => Promise<string | undefined>
}

export interface Watch {
  /** Starts watching. `version` is the one that the client has seen; without it, the current one. */
  add(watched: Watched): Promise<void>
  remove(uri: string): void
  readonly size: number
  close(): void
}

export interface WatchOptions {
  readonly everyMs: number
  readonly changed: (uri: string) => Promise<void>
  readonly report: (doing: string, error: unknown) => void
  /** Schedules `work` and returns a function that cancels it. */
  readonly after: (ms: number, work: () => void) => () => void
}

const most = 100

export function createWatch({ everyMs, changed, report, after }: WatchOptions): Watch {
  const all = new Map<string, Watched>()
  let stop: (() => void) | undefined
  let isClosed = false

  const lookAt = async (watched: Watched): Promise<void> => {
    const version = await watched.look()
    if (version === undefined || version === watched.version || !all.has(watched.uri)) return
    const isFirst = watched.version === undefined
    watched.version = version
    if (!isFirst) await changed(watched.uri)
  }
  const tryLooking = (watched: Watched): Promise<void> =>
    lookAt(watched).catch((error: unknown) => report(`checking whether ${watched.uri} has changed`, error))
  const round = async (): Promise<void> => {
    for (const watched of [...all.values()]) await tryLooking(watched)
  }
  const arm = (): void => {
    if (all.size === 0 || stop !== undefined) return
    stop = after(everyMs, () => {
      void round().finally(() => {
        stop = undefined
        arm()
      })
    })
  }
  return {
    async add(watched) {
      if (isClosed) return
      all.set(watched.uri, watched)
      const [oldest] = all.keys()
      if (all.size > most && oldest !== undefined) all.delete(oldest)
      arm()
      if (watched.version === undefined) await tryLooking(watched)
    },
    remove: (uri) => void all.delete(uri),
    get size() {
      return all.size
    },
    close() {
      isClosed = true
      all.clear()
      stop?.()
    },
  }
}
