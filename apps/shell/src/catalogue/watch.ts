// Notices changes in a few folders by file notification. A folder that another one has replaced, together with the folder
// above it, gives no notice, and some cannot be watched: these are looked for every two seconds.

import type { FSWatcher } from "node:fs"
import { statSync, watch } from "node:fs"

export interface FolderWatch {
  /** Watches these folders and no others. */
  set(folders: readonly string[]): void
  close(): void
}

interface Watched {
  readonly watcher: FSWatcher
  /** Which folder it was, because another may take its path. */
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
      // It is gone, or the system's limit of watched folders is reached: it stays missing in `watched`.
    }
  }
  const look = (): void => {
    const replaced = [...watched].filter(([folder, { identity }]) => identityOf(folder) !== identity)
    for (const [folder] of replaced) remove(folder)
    if (watched.size < wanted.length) onChange()
  }
  const timer = setInterval(look, lookMs).unref()
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
  const found = statSync(folder, { throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}

/** How long to wait for further changes: an editor writes a file in several steps. */
const settleMs = 50
const lookMs = 2_000
