// A folder for the whole test run, for files that are built once and shared by its tests. It is inside the repository,
// where the compiler finds types and built programs find their packages.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const variable = "TEST_RUN_FOLDER"

/** Setup for the test runner. */
export default function setup(): () => void {
  // Another project of this run has created the folder, and removes it.
  if (process.env[variable] !== undefined) return () => {}
  const build = fileURLToPath(new URL("../../../build", import.meta.url))
  mkdirSync(build, { recursive: true })
  const folder = mkdtempSync(join(build, "tests-"))
  process.env[variable] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

export function runFolder(): string {
  const folder = process.env[variable]
  if (folder === undefined) throw new Error(`${variable} is not set; run this with the project “db” or “browser”.`)
  return folder
}

/** Whether this process is the first that asks for this name in the run: only one can create the folder. */
export function isFirst(name: string): boolean {
  try {
    mkdirSync(join(runFolder(), `${name}-begun`))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}
