// Which processes are alive. A process that has ended and waits for its parent to notice is not.

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import type { Shell } from "./open-shell.ts"

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

/** The process ids that the script wrote into the file `pids` of its folder, as soon as all are there. */
export async function pidsOf(
  { folder }: Pick<Shell, "folder">,
  tool: string,
  count: number,
): Promise<readonly number[]> {
  const read = (): readonly number[] => {
    const path = join(folder, "tools", tool, "pids")
    return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1).map(Number) : []
  }
  await expect.poll(() => read().length).toBe(count)
  const pids = read()
  expect(pids.filter((pid) => !isAlive(pid))).toEqual([])
  return pids
}

/** Resolves when none of the processes is alive. */
export const allEnd = (pids: readonly number[]): Promise<void> => expect.poll(() => pids.filter(isAlive)).toEqual([])
