// Reads the process ids that a script has written.

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isAlive } from "@holdpoint/testkit/alive"
import { expect } from "vitest"
import type { Shell } from "./open-shell.ts"

/** The process ids in the file `pids` of the script's folder, as soon as all of them are written. */
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
