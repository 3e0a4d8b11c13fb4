// Tests whether processes are alive. A zombie, whose parent has not reaped it yet, is not alive.

import { existsSync, readFileSync } from "node:fs"
import { expect } from "vitest"

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    // Without /proc, only the signal shows whether the process is alive.
    return code === "ENOENT" && path !== undefined && !existsSync("/proc/self")
  }
}

/** Resolves when none of the processes is alive. */
export const allEnd = (pids: readonly number[]): Promise<void> => expect.poll(() => pids.filter(isAlive)).toEqual([])
