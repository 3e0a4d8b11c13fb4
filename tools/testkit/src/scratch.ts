// Folders for the files of tests, in memory where the machine has such a place: these tests are about behaviour, not
// about disks, and a test run that waits for its disk takes half as long again.

import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const variable = "TEST_SCRATCH_FOLDER"
const baseFolder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()

/** Setup for the test runner: all scratch folders of a run are in one folder, which is removed at the end. */
export default function setup(): () => void {
  // Another project of this run has created the folder, and removes it.
  if (process.env[variable] !== undefined) return () => {}
  const folder = mkdtempSync(join(baseFolder, "holdpoint-tests-"))
  process.env[variable] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Creates a folder for small files. It is removed at the end of the run. */
export const makeScratchFolder = (name: string): string =>
  mkdtempSync(join(process.env[variable] ?? baseFolder, `holdpoint-${name}-`))
