// Notices changes in a few folders by file notification. No notification comes when a folder is replaced together with
// the folder above it, and some folders cannot be watched: a check every two seconds covers both.

import type { FSWatcher } from "node:fs"
import { statSync, watch } from "node:fs"

export interface FolderWatch {
  /** Watches these folders and no others. */
  set(folders: readonly string[]): void
  close(): void
}

interface Watched {
  readonly watcher: FSWatcher
  /** Tells the folder from another that has replaced it at the same path. */
  readonly identity: string | undefined
}

/** Calls back once for changes that come together. Keeps no process alive. */
export function createFolderWatch(onChange: () => void): FolderWatch {
  const watched = new Map<string, Watched>()
  let wanted: readonly string[] = []
  let soon: NodeJS.Timeout | undefined
  const change = (): void => {
    soon ??= setTimeout(() => {
      soon = undefined
      onChange()
    }, settleMs).unref()
  }
  const remove = (folder: string): void => {
    watched.get(folder)?.watcher.close()
    watched.delete(folder)
  }
  const add = (folder: string): void => {
    try {
      const watcher = watch(folder, { persistent: false }, change)
      watched.set(folder, { watcher, identity: identityOf(folder) })
      watcher.on("error", () => {
        remove(folder)
        change()
      })
    } catch {
      // The folder is gone, or the system's limit of watched folders is reached: the periodic check notices that it is
      // missing in `watched`.
    }
  }
  const checkFolders = (): void => {
    const replaced = [...watched].filter(([folder, { identity }]) => identityOf(folder) !== identity)
    for (const [folder] of replaced) remove(folder)
    if (watched.size < wanted.length) onChange()
  }
  const timer = setInterval(checkFolders, checkMs).unref()
  return {
    set(folders) {
      wanted = [...new Set(folders)]
      for (const folder of watched.keys()) if (!wanted.includes(folder)) remove(folder)
      for (const folder of wanted) if (!watched.has(folder)) add(folder)
    },
    close() {
      clearTimeout(soon)
      clearInterval(timer)
      for (const folder of [...watched.keys()]) remove(folder)
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
