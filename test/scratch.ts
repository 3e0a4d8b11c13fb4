// Folders for the files of tests, in memory where the machine has such a place: these tests are about behaviour, not
// about disks, and a test run that waits for its disk takes half as long again.

import { existsSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const baseFolder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()

/** Creates a folder for small files. The caller removes it. */
export const makeScratchFolder = (name: string): string => mkdtempSync(join(baseFolder, `holdpoint-${name}-`))
