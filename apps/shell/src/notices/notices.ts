// What a script reports while it runs, told to its client: at most as fast as a client can show it, and never after the
// result. While no run of the call attends to the script, the latest is kept for the next one.

import type { LoggingLevel } from "@modelcontextprotocol/server"
import type { FolderWatch } from "../exchange/folder-watch.ts"
import { createLineStream } from "../exchange/line-stream.ts"
import type { LogNotice, ProgressNotice } from "./notice.ts"
import { isWanted, readLog, readProgress } from "./notice.ts"

/** The client of the run that attends to a script. */
export interface NoticeListener {
  /** Whether the client asked for progress with this request. */
  readonly wantsProgress: boolean
  progress(notice: ProgressNotice): Promise<void>
  /** The least level of log messages that the client wants now. Undefined when it wants none. */
  level(): LoggingLevel | undefined
  log(notice: LogNotice): Promise<void>
}

export interface Notices {
  /** Tells this client from now on. Returns a function that stops it. */
  listen(listener: NoticeListener): () => void
  /** Tells what the script has written and was not told yet. Call it before the result is returned. */
  flush(): Promise<void>
  close(): void
}

export interface NoticesOptions {
  readonly files: { readonly progress: string; readonly log: string }
  readonly watching: FolderWatch
  /** Called for every progress message, if the tool's time depends on it. */
  readonly onProgress?: (() => void) | undefined
  readonly report: (doing: string, error: unknown) => void
}

export function createNotices({ files, watching, onProgress, report }: NoticesOptions): Notices {
  let listener: NoticeListener | undefined
  let isClosed = false
  const told = new Set<Promise<void>>()
  const send = (telling: Promise<void>): void => {
    const done = telling.catch((error: unknown) => report("telling a client what a script reports", error))
    told.add(done)
    void done.then(() => told.delete(done))
  }
  const canTell = (): boolean => listener !== undefined
  const progress = createLatest(canTell, (notice: ProgressNotice) => {
    if (listener?.wantsProgress === true) send(listener.progress(notice))
  })
  const log = createQueue((notice: LogNotice) => {
    if (listener !== undefined && isWanted(notice.level, listener.level())) send(listener.log(notice))
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
      if (notice !== undefined) log.add(notice, canTell())
    },
    report,
  })
  const readProgressLines = async (): Promise<void> => {
    if (onProgress !== undefined || listener?.wantsProgress !== false) await progressLines.read()
  }
  const readLogLines = async (): Promise<void> => {
    if (listener === undefined || listener.level() !== undefined) await logLines.read()
  }
  const [progressName, logName] = [files.progress, files.log].map((path) => path.slice(path.lastIndexOf("/") + 1))
  watching.add((name) => {
    if (isClosed) return
    if (name === undefined || name === progressName) void readProgressLines()
    if (name === undefined || name === logName) void readLogLines()
  })
  return {
    listen(next) {
      listener = next
      progress.tell()
      log.tell()
      return () => {
        if (listener === next) listener = undefined
      }
    },
    async flush() {
      await Promise.all([readProgressLines(), readLogLines()])
      progress.tell()
      log.tell(true)
      await Promise.all(told)
    },
    close() {
      isClosed = true
      progress.close()
    },
  }
}

/** The shortest time between two progress messages. */
const progressMs = 100

/** Tells the latest value alone, at most once in a while. */
function createLatest<T>(canTell: () => boolean, tell: (value: T) => void) {
  let latest: { readonly value: T } | undefined
  let timer: NodeJS.Timeout | undefined
  const tellNow = (): void => {
    if (latest === undefined || !canTell()) return
    tell(latest.value)
    latest = undefined
    timer ??= setTimeout(() => {
      timer = undefined
      tellNow()
    }, progressMs)
  }
  return {
    add(value: T) {
      latest = { value }
      if (timer === undefined) tellNow()
    },
    tell: tellNow,
    close: () => clearTimeout(timer),
  }
}

const mostAtOnce = 100
const eachMs = 50

/** Tells values in their order: up to a hundred at once, and then one every 50 ms. What is more is left out, and counted. */
function createQueue(tell: (notice: LogNotice) => void) {
  let waiting: LogNotice[] = []
  let leftOut = 0
  let room = mostAtOnce
  let filledAt = performance.now()
  const hasRoom = (): boolean => {
    const now = performance.now()
    room = Math.min(mostAtOnce, room + (now - filledAt) / eachMs)
    filledAt = now
    return room >= 1
  }
  const tellLeftOut = (): void => {
    if (leftOut === 0) return
    const data = `${leftOut} log messages were left out, because the script wrote them faster than they are passed on.`
    leftOut = 0
    tell({ level: "warning", logger: "holdpoint", data })
  }
  const put = (notice: LogNotice): void => {
    if (!hasRoom()) {
      leftOut++
      return
    }
    room--
    tellLeftOut()
    tell(notice)
  }
  return {
    add(notice: LogNotice, canTell: boolean) {
      if (canTell) put(notice)
      else if (waiting.length < mostAtOnce) waiting.push(notice)
      else leftOut++
    },
    tell(isLast = false) {
      const now = waiting
      waiting = []
      for (const notice of now) put(notice)
      if (isLast) tellLeftOut()
    },
  }
}
