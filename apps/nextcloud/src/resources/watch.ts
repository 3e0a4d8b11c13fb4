// Watches resources for one persistent connection by polling: Nextcloud sends no change notifications. The client is
// notified when the version of a resource it subscribed to, or read while listening, changes.

export interface WatchedResource {
  readonly uri: string
  version: string | undefined
  /** Reads the current version without asking the person. Undefined without access. */
  readonly readVersion: () => Promise<string | undefined>
}

export interface Watch {
  /** Starts watching. `version` is the version that the client last saw; when undefined, the current one is read. */
  add(watched: WatchedResource): Promise<void>
  remove(uri: string): void
  readonly size: number
  close(): void
}

export interface WatchOptions {
  readonly everyMs: number
  readonly notify: (uri: string) => Promise<void>
  readonly report: (doing: string, error: unknown) => void
  /** Schedules `work` and returns a function that cancels it. */
  readonly after: (ms: number, work: () => void) => () => void
}

const maxWatched = 100

export function createWatch({ everyMs, notify, report, after }: WatchOptions): Watch {
  const resources = new Map<string, WatchedResource>()
  let stop: (() => void) | undefined
  let isClosed = false

  const checkVersion = async (watched: WatchedResource): Promise<void> => {
    const version = await watched.readVersion()
    if (version === undefined || version === watched.version || !resources.has(watched.uri)) return
    const isFirst = watched.version === undefined
    watched.version = version
    if (!isFirst) await notify(watched.uri)
  }
  const tryCheckVersion = (watched: WatchedResource): Promise<void> =>
    checkVersion(watched).catch((error: unknown) => report(`checking whether ${watched.uri} has changed`, error))
  const pollAll = async (): Promise<void> => {
    for (const watched of [...resources.values()]) await tryCheckVersion(watched)
  }
  const scheduleNext = (): void => {
    if (resources.size === 0 || stop !== undefined) return
    stop = after(everyMs, () => {
      void pollAll().finally(() => {
        stop = undefined
        scheduleNext()
      })
    })
  }
  return {
    async add(watched) {
      if (isClosed) return
      resources.set(watched.uri, watched)
      const [oldest] = resources.keys()
      if (resources.size > maxWatched && oldest !== undefined) resources.delete(oldest)
      scheduleNext()
      if (watched.version === undefined) await tryCheckVersion(watched)
    },
    remove: (uri) => void resources.delete(uri),
    get size() {
      return resources.size
    },
    close() {
      isClosed = true
      resources.clear()
      stop?.()
    },
  }
}
