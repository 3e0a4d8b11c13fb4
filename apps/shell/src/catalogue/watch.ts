// Notices changes in a few folders by file notification. No notification comes when a folder is replaced together with
// the folder above it, and some folders cannot be watched: a check every two seconds covers both.

import type { FSWatcher } from "node:fs"
import { statSync, watch } from "node:fs"

export interface ToolFoldersWatch {
  /** Watches these folders and no others. */
  set(folders: readonly string[]): void
  close(): void
}

interface WatchedFolder {
  readonly watcher: FSWatcher
  /** Distinguishes the folder from another folder that has replaced it at the same path. */
  readonly identity: string | undefined
}

/** Calls back once for several changes at about the same time. Does not keep the process alive. */
export function createFolderWatch(onChange: () => void): ToolFoldersWatch {
  const watchedFolders = new Map<string, WatchedFolder>()
  let requestedFolders: readonly string[] = []
  let changeTimer: NodeJS.Timeout | undefined
  const scheduleChange = (): void => {
    changeTimer ??= setTimeout(() => {
      changeTimer = undefined
      onChange()
    }, settleMs).unref()
  }
  const remove = (folder: string): void => {
    watchedFolders.get(folder)?.watcher.close()
    watchedFolders.delete(folder)
  }
  const add = (folder: string): void => {
    try {
      const watcher = watch(folder, { persistent: false }, scheduleChange)
      watchedFolders.set(folder, { watcher, identity: identityOf(folder) })
      watcher.on("error", () => {
        remove(folder)
        scheduleChange()
      })
    } catch {
      // The folder is gone, or the system's limit of watched folders is reached: the periodic check notices that it is
      // missing in `watchedFolders`.
    }
  }
  const checkFolders = (): void => {
    const replacedFolders = [...watchedFolders].filter(([folder, { identity }]) => identityOf(folder) !== identity)
    for (const [folder] of replacedFolders) remove(folder)
    if (watchedFolders.size < requestedFolders.length) onChange()
  }
  const timer = setInterval(checkFolders, checkMs).unref()
  return {
    set(folders) {
      requestedFolders = [...new Set(folders)]
      for (const folder of watchedFolders.keys()) if (!requestedFolders.includes(folder)) remove(folder)
      for (const folder of requestedFolders) if (!watchedFolders.has(folder)) add(folder)
    },
    close() {
      clearTimeout(changeTimer)
      clearInterval(timer)
      for (const folder of [...watchedFolders.keys()]) remove(folder)
    },
  }
}

function identityOf(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false })
  return stats === undefined ? undefined : `${stats.dev} ${stats.ino}`
}

/** How long to wait for further changes: an editor writes a file in several steps. */
const settleMs = 50
const checkMs = 2_000
