// Notices files that a script writes into the folder of its call, by file notification. One watcher serves all
// listeners.

import type { FSWatcher } from "node:fs"
import { watch } from "node:fs"

/** Called with the name of the changed file, or with undefined when any file may have changed. */
export type FolderListener = (name: string | undefined) => void

export interface FolderWatch {
  add(listener: FolderListener): void
  close(): void
}

export function watchFolder(path: string, report: (activity: string, error: unknown) => void): FolderWatch {
  const listeners: FolderListener[] = []
  let pollTimer: NodeJS.Timeout | undefined
  let recheckTimer: NodeJS.Timeout | undefined
  const notifyListeners = (name: string | undefined): void => {
    for (const listener of listeners) listener(name)
  }
  const onFileChange = (name: string | null): void => {
    notifyListeners(name ?? undefined)
    // Checks all files once more, because the system drops notifications when a script writes fast.
    recheckTimer ??= setTimeout(() => {
      recheckTimer = undefined
      notifyListeners(undefined)
    }, recheckMs)
  }
  const startPolling = (error: unknown): void => {
    report("watching the files of a script", error)
    pollTimer ??= setInterval(() => notifyListeners(undefined), pollMs)
  }
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(path, (_event, name) => onFileChange(name))
    watcher.on("error", startPolling)
  } catch (error) {
    // Polls when the system's limit of watched files is reached.
    startPolling(error)
  }
  return {
    add: (listener) => void listeners.push(listener),
    close() {
      clearInterval(pollTimer)
      clearTimeout(recheckTimer)
      watcher?.close()
    },
  }
}

const pollMs = 50
const recheckMs = 500
