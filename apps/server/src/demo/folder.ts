// The folder where a demo stores everything. One process at a time holds it; a second one uses a folder of its own.

import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { lockFile } from "@holdpoint/nextcloud-stand-in"
import { wrongUse } from "../wrong-use.ts"

export interface HeldFolder {
  readonly path: string
  release(): void
}

const most = 20

export function holdFolder(wanted: string): HeldFolder {
  for (let nth = 1; nth <= most; nth++) {
    const path = nth === 1 ? wanted : `${wanted}-${nth}`
    const release = explainFailure(path, () => {
      mkdirSync(path, { recursive: true })
      return lockFile(join(path, "lock"))
    })
    if (release !== undefined) return { path, release }
  }
  throw wrongUse(
    `${most} of them already run in this folder.`,
    "Stop one of them, or start this one in another folder.",
  )
}

/** Deletes what earlier runs stored. */
export function resetFolder(path: string): void {
  const database = ["", "-wal", "-shm", "-bell"].map((end) => `demo.db${end}`)
  explainFailure(path, () => {
    for (const file of [...database, "demo.keys", "demo.nextcloud", "demo.nextcloud.new"])
      rmSync(join(path, file), { force: true, recursive: true })
  })
}

function explainFailure<T>(path: string, doing: () => T): T {
  try {
    return doing()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw wrongUse(`Nothing can be stored in ${path}: ${why}`, "Start it in a folder that you may write to.")
  }
}
