// Reads the request files that a script writes: each once, when it is complete, and without following links. A script
// that writes a file in several steps gets a moment to finish.

import { readdirSync, renameSync, unlinkSync } from "node:fs"
import type { CallFolder, Slot } from "./call-folder.ts"
import { fileOf, slotOf } from "./call-folder.ts"
import type { FolderWatch } from "./folder-watch.ts"
import { isErrno, isMissing, readSmallFile } from "./small-file.ts"

export interface RequestEvents {
  request(slot: Slot, request: RequestFile): void
  /** Called when the script withdraws its question. */
  cancel(slot: Slot): void
  report(activity: string, error: unknown): void
}

export type RequestFile = { readonly json: unknown } | { readonly problem: string }

/** Watches the folder for requests. Returns an unsubscribe function. */
export function watchRequests(folder: CallFolder, folderWatch: FolderWatch, events: RequestEvents): () => void {
  /** The time at which each unfinished request was first read, by file name. */
  const firstSeenTimes = new Map<string, number>()
  let retryTimer: NodeJS.Timeout | undefined
  let refusedCount = 0
  let isStopped = false

  const remove = (path: string): void => {
    try {
      unlinkSync(path)
    } catch (error) {
      // The script made a folder instead of a file. The folder is renamed, so that it is refused only once.
      if (!isErrno(error, "EISDIR", "EPERM")) throw error
      renameSync(path, folder.file(`refused.${++refusedCount}`))
    }
  }
  const readAndReport = (name: string): void => {
    const requestFile = slotOf(folder, name)
    if (requestFile === undefined) return
    const path = fileOf(folder, requestFile.slot, requestFile.part)
    if (requestFile.part === "cancel") {
      remove(path)
      events.cancel(requestFile.slot)
      return
    }
    const firstSeenAt = firstSeenTimes.get(name) ?? performance.now()
    const request = readRequest(path, performance.now() - firstSeenAt >= maxUnfinishedMs)
    if (request === undefined) {
      firstSeenTimes.set(name, firstSeenAt)
      retryTimer ??= setTimeout(() => {
        retryTimer = undefined
        for (const unfinishedName of [...firstSeenTimes.keys()]) tryRead(unfinishedName)
      }, retryMs)
      return
    }
    firstSeenTimes.delete(name)
    remove(path)
    events.request(requestFile.slot, request)
  }
  const tryRead = (name: string): void => {
    try {
      readAndReport(name)
    } catch (error) {
      firstSeenTimes.delete(name)
      if (!isMissing(error)) events.report("reading a question of a script", error)
    }
  }
  folderWatch.add((name) => {
    if (isStopped) return
    if (name !== undefined) tryRead(name)
    else for (const fileName of namesIn(folder.path).sort()) tryRead(fileName)
  })
  return () => {
    isStopped = true
    clearTimeout(retryTimer)
  }
}

/** How long a request may be incomplete before it is refused. */
const maxUnfinishedMs = 1_000
const retryMs = 20
const maxBytes = 1_024 * 1_024

/** Reads a request; undefined while the script may still be writing it. */
function readRequest(path: string, isLast: boolean): RequestFile | undefined {
  const content = readSmallFile(path, maxBytes)
  if (content === "not a file") return { problem: "The request is not a regular file." }
  if (content === "too long") return { problem: "The request is longer than 1 MiB." }
  try {
    return { json: JSON.parse(content.toString("utf8")) as unknown }
  } catch {
    return isLast ? { problem: "The request is not JSON." } : undefined
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
