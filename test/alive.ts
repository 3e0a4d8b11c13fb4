// Which processes are alive. A process that has ended and waits for its parent to notice is not.

import { existsSync, readFileSync } from "node:fs"
import { expect } from "vitest"

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    // Without /proc, the signal alone has to tell.
    return code === "ENOENT" && path !== undefined && !existsSync("/proc/self")
  }
}

/** Resolves when none of the processes is alive. */
export const allEnd = (pids: readonly number[]): Promise<void> => expect.poll(() => pids.filter(isAlive)).toEqual([])
