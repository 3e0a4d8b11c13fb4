// Notices changes in a few folders by file notification. Folders that cannot be watched are looked at every second.

import type { FSWatcher } from "node:fs"
import { watch } from "node:fs"

export interface FolderWatch {
  /** Watches these folders and no others. */
  set(folders: readonly string[]): void
  close(): void
}

/** Calls back once for changes that come together. Keeps no process alive. */
export function createFolderWatch(onChange: () => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  let soon: NodeJS.Timeout | undefined
  let poll: NodeJS.Timeout | undefined
  const change = (): void => {
    soon ??= setTimeout(() => {
      soon = undefined
      onChange()
    }, settleMs).unref()
  }
  const remove = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const add = (folder: string): boolean => {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        // The folder itself was moved or removed: another one may take its place.
        if (name !== null && folder.endsWith(`/${name}`)) remove(folder)
        change()
      })
      watcher.on("error", () => {
        remove(folder)
        change()
      })
      watchers.set(folder, watcher)
      return true
    } catch {
      // It is gone, or the system's limit of watched folders is reached.
      return false
    }
  }
  return {
    set(folders) {
      for (const folder of watchers.keys()) if (!folders.includes(folder)) remove(folder)
      const missing = folders.filter((folder) => !watchers.has(folder) && !add(folder))
      clearInterval(poll)
      poll = missing.length === 0 ? undefined : setInterval(onChange, pollMs).unref()
    },
    close() {
      clearTimeout(soon)
      clearInterval(poll)
      for (const folder of [...watchers.keys()]) remove(folder)
    },
  }
}

/** How long to wait for further changes: an editor writes a file in several steps. */
const settleMs = 50
const pollMs = 1_000
