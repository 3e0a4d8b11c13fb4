// The storage of `holdpoint try`, sealed like any other, so that other commands can answer in it. Says nothing of keys.

import type { Storage } from "holdpoint"
import { keyFileBeside } from "holdpoint/sealing"
import { openSealed } from "../sealed.ts"

export async function openTried(database: string): Promise<Storage> {
  const { storage } = await openSealed({
    database,
    keys: { file: keyFileBeside(database) },
    advise: () => {},
    report: () => {},
  })
  return storage
}
