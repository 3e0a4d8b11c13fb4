// Watching resources for one connection that stays: what was subscribed to, or read while the client listens, is looked
// at from time to time, and the client is told when it has another version. Nextcloud tells of no changes by itself.

export interface Watched {
  readonly uri: string
  version: string | undefined
  /** The version now; undefined when nobody knows. Asks nobody anything. */
  readonly look: () => Promise<string | undefined>
}

export interface Watch {
  /** From now on; `version` is the one that the client has seen, and without it the one that is there now. */
  add(watched: Watched): Promise<void>
  remove(uri: string): void
  readonly size: number
  close(): void
}

export interface WatchOptions {
  readonly everyMs: number
  readonly changed: (uri: string) => Promise<void>
  readonly report: (doing: string, error: unknown) => void
  /** Runs it later; gives back how to stop it. */
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
    lookAt(watched).catch((error: unknown) => report(`looking whether ${watched.uri} has changed`, error))
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
