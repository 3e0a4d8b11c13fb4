// Forwards a script's progress and log messages to its client: not faster than a client can show them, and never after
// the result. Between two runs of the call, messages are stored for the next run.

import type { LoggingLevel } from "@modelcontextprotocol/server"
import type { FolderWatch } from "../exchange/folder-watch.ts"
import { createLineStream } from "../exchange/line-stream.ts"
import type { LogNotice, ProgressNotice } from "./notice.ts"
import { isAtLeast, readLog, readProgress } from "./notice.ts"

/** The client of the current run of the call. */
export interface NoticeListener {
  /** Whether the client asked for progress with this request. */
  readonly wantsProgress: boolean
  progress(notice: ProgressNotice): Promise<void>
  /** The minimum level of log messages that the client wants now. Undefined when it wants none. */
  level(): LoggingLevel | undefined
  log(notice: LogNotice): Promise<void>
}

export interface Notices {
  /** Forwards messages to this client from now on. Returns an unsubscribe function. */
  listen(listener: NoticeListener): () => void
  /** Forwards all messages that the script has written. Must be called before the result is returned. */
  flush(): Promise<void>
  close(): void
}

export interface NoticesOptions {
  readonly files: { readonly progress: string; readonly log: string }
  readonly folderWatch: FolderWatch
  /** Called for every progress message; set if progress extends the tool's time. */
  readonly onProgress?: (() => void) | undefined
  readonly report: (activity: string, error: unknown) => void
}

export function createNotices({ files, folderWatch, onProgress, report }: NoticesOptions): Notices {
  let listener: NoticeListener | undefined
  let isClosed = false
  const pendingSends = new Set<Promise<void>>()
  const send = (notification: Promise<void>): void => {
    const forget = (): void => void pendingSends.delete(delivery)
    const delivery: Promise<void> = notification.then(forget, (error: unknown) => {
      forget()
      report("telling a client what a script reports", error)
    })
    pendingSends.add(delivery)
  }
  const hasListener = (): boolean => listener !== undefined
  const progress = createThrottle(hasListener, (notice: ProgressNotice) => {
    if (listener?.wantsProgress === true) send(listener.progress(notice))
  })
  const log = createQueue((notice: LogNotice) => {
    if (listener !== undefined && isAtLeast(notice.level, listener.level())) send(listener.log(notice))
  })
  const progressLines = createLineStream(files.progress, {
    onLine(line) {
      const notice = readProgress(line)
      if (notice === undefined) return
      onProgress?.()
      progress.add(notice)
    },
    report,
  })
  const logLines = createLineStream(files.log, {
    onLine(line) {
      const notice = readLog(line)
      if (notice !== undefined) log.add(notice, hasListener())
    },
    report,
  })
  const readProgressLines = async (): Promise<void> => {
    if (onProgress !== undefined || listener?.wantsProgress !== false) await progressLines.read()
  }
  const readLogLines = async (): Promise<void> => {
    if (listener === undefined || listener.level() !== undefined) await logLines.read()
  }
  const reportUnread = (error: unknown): void => report("reading what a script reports", error)
  const [progressName, logName] = [files.progress, files.log].map((path) => path.slice(path.lastIndexOf("/") + 1))
  folderWatch.add((name) => {
    if (isClosed) return
    if (name === undefined || name === progressName) readProgressLines().catch(reportUnread)
    if (name === undefined || name === logName) readLogLines().catch(reportUnread)
  })
  return {
    listen(newListener) {
      listener = newListener
      progress.flush()
      log.flush()
      return () => {
        if (listener === newListener) listener = undefined
      }
    },
    async flush() {
      await Promise.all([readProgressLines(), readLogLines()])
      progress.flush()
      log.flush(true)
      await Promise.all(pendingSends)
    },
    close() {
      isClosed = true
      progress.close()
    },
  }
}

/** The shortest time between two progress messages. */
const progressMs = 100

/** Sends only the latest value, at most once in `progressMs`. */
function createThrottle<T>(hasListener: () => boolean, send: (value: T) => void) {
  let latestNotice: { readonly value: T } | undefined
  let timer: NodeJS.Timeout | undefined
  const sendLatest = (): void => {
    if (latestNotice === undefined || !hasListener()) return
    send(latestNotice.value)
    latestNotice = undefined
    timer ??= setTimeout(() => {
      timer = undefined
      sendLatest()
    }, progressMs)
  }
  return {
    add(value: T) {
      latestNotice = { value }
      if (timer === undefined) sendLatest()
    },
    flush: sendLatest,
    close: () => clearTimeout(timer),
  }
}

const burstSize = 100
const refillMs = 50

/** Sends log messages in order: up to a hundred at once, then one every 50 ms. Drops and counts the others. */
function createQueue(send: (notice: LogNotice) => void) {
  let storedNotices: LogNotice[] = []
  let droppedCount = 0
  let tokens = burstSize
  let refilledAt = performance.now()
  const hasToken = (): boolean => {
    const now = performance.now()
    tokens = Math.min(burstSize, tokens + (now - refilledAt) / refillMs)
    refilledAt = now
    return tokens >= 1
  }
  const sendDropReport = (): void => {
    if (droppedCount === 0) return
    const data = `${droppedCount} log messages were left out, because the script wrote them faster than they could be passed on.`
    droppedCount = 0
    send({ level: "warning", logger: "holdpoint", data })
  }
  const sendLog = (notice: LogNotice): void => {
    if (!hasToken()) {
      droppedCount++
      return
    }
    tokens--
    sendDropReport()
    send(notice)
  }
  return {
    add(notice: LogNotice, hasListener: boolean) {
      if (hasListener) sendLog(notice)
      else if (storedNotices.length < burstSize) storedNotices.push(notice)
      else droppedCount++
    },
    flush(isLast = false) {
      const notices = storedNotices
      storedNotices = []
      for (const notice of notices) sendLog(notice)
      if (isLast) sendDropReport()
    },
  }
}
