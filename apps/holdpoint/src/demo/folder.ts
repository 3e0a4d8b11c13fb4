// The folder where a demo stores its data. A lock file gives it to one process at a time; a second process gets another
// folder with a number.

import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { lockFile } from "@holdpoint/nextcloud-stand-in"
import { wrongUse } from "../wrong-use.ts"

/** A folder that this process has locked. */
export interface LockedFolder {
  readonly path: string
  release(): void
}

const maxFolders = 20

export function lockFolder(basePath: string): LockedFolder {
  for (let number = 1; number <= maxFolders; number++) {
    const path = number === 1 ? basePath : `${basePath}-${number}`
    const release = explainFailure(path, () => {
      mkdirSync(path, { recursive: true })
      return lockFile(join(path, "lock"))
    })
    if (release !== undefined) return { path, release }
  }
  throw wrongUse(
    `${maxFolders} demos already run in this folder.`,
    "Stop one of them, or start this one in another folder.",
  )
}

/** Deletes the data of earlier runs. */
export function resetFolder(path: string): void {
  const database = ["", "-wal", "-shm", "-bell"].map((end) => `demo.db${end}`)
  explainFailure(path, () => {
    for (const file of [...database, "demo.keys", "demo.nextcloud", "demo.nextcloud.new"])
      rmSync(join(path, file), { force: true, recursive: true })
  })
}

function explainFailure<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw wrongUse(`Nothing can be stored in ${path}: ${reason}`, "Start it in a folder that you may write to.")
  }
}
