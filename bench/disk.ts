// The cost of a durable write in a folder. Where it is close to zero, as in a memory file system, ratios of durable work
// mean little.

import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { median } from "./measure.ts"

/** Below this a disk does not really wait. */
export const cheapFsyncMs = 0.05

const pageBytes = 4_096

/** The median time in milliseconds to append a page and fsync it, which is what a commit waits for. */
export function fsyncCost(folder: string, samples = 60): number {
  const own = mkdtempSync(join(folder, "fsync-"))
  const file = openSync(join(own, "page"), "a")
  const page = Buffer.alloc(pageBytes, 1)
  try {
    const times = Array.from({ length: samples }, () => {
      const start = performance.now()
      writeSync(file, page)
      fdatasyncSync(file)
      return performance.now() - start
    })
    return median(times)
  } finally {
    closeSync(file)
    rmSync(own, { recursive: true, force: true })
  }
}
