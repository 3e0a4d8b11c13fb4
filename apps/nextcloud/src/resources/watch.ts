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
  readonly report: (activity: string, error: unknown) => void
  /** Schedules `task` and returns a function that cancels it. */
  readonly schedule: (ms: number, task: () => void) => () => void
}

const maxWatched = 100

export function createWatch({ everyMs, notify, report, schedule }: WatchOptions): Watch {
  const resources = new Map<string, WatchedResource>()
  let cancelPoll: (() => void) | undefined
  let isClosed = false

  const checkVersion = async (resource: WatchedResource): Promise<void> => {
    const version = await resource.readVersion()
    if (version === undefined || version === resource.version || !resources.has(resource.uri)) return
    const isFirst = resource.version === undefined
    resource.version = version
    if (!isFirst) await notify(resource.uri)
  }
  const tryCheckVersion = (resource: WatchedResource): Promise<void> =>
    checkVersion(resource).catch((error: unknown) => report(`checking whether ${resource.uri} has changed`, error))
  const pollAll = async (): Promise<void> => {
    for (const resource of [...resources.values()]) await tryCheckVersion(resource)
  }
  const scheduleNext = (): void => {
    if (resources.size === 0 || cancelPoll !== undefined) return
    cancelPoll = schedule(everyMs, () => {
      const rest = (): void => {
        cancelPoll = undefined
        scheduleNext()
      }
      pollAll().then(rest, rest)
    })
  }
  return {
    async add(resource) {
      if (isClosed) return
      resources.set(resource.uri, resource)
      const [oldestUri] = resources.keys()
      if (resources.size > maxWatched && oldestUri !== undefined) resources.delete(oldestUri)
      scheduleNext()
      if (resource.version === undefined) await tryCheckVersion(resource)
    },
    remove: (uri) => void resources.delete(uri),
    get size() {
      return resources.size
    },
    close() {
      isClosed = true
      resources.clear()
      cancelPoll?.()
    },
  }
}
