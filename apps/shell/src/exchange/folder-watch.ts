// Notices what a script writes into the folder of its call, by file notification. One watcher serves all who wait for
// files there.

import type { FSWatcher } from "node:fs"
import { watch } from "node:fs"

/** Called with the name of a file that changed, or with none when any may have. */
export type FolderListener = (name: string | undefined) => void

export interface FolderWatch {
  add(listener: FolderListener): void
  close(): void
}

export function watchFolder(path: string, report: (doing: string, error: unknown) => void): FolderWatch {
  const listeners: FolderListener[] = []
  let poll: NodeJS.Timeout | undefined
  let lookAgain: NodeJS.Timeout | undefined
  const tell = (name: string | undefined): void => {
    for (const listener of listeners) listener(name)
  }
  const changed = (name: string | null): void => {
    tell(name ?? undefined)
    // The system drops notifications when a script writes faster than they are read.
    lookAgain ??= setTimeout(() => {
      lookAgain = undefined
      tell(undefined)
    }, lookAgainMs)
  }
  const fallBack = (error: unknown): void => {
    report("watching the files of a script", error)
    poll ??= setInterval(() => tell(undefined), pollMs)
  }
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(path, (_event, name) => changed(name))
    watcher.on("error", fallBack)
  } catch (error) {
    // The system's limit of watched files is reached.
    fallBack(error)
  }
  return {
    add: (listener) => void listeners.push(listener),
    close() {
      clearInterval(poll)
      clearTimeout(lookAgain)
      watcher?.close()
    },
  }
}

const pollMs = 50
const lookAgainMs = 500
