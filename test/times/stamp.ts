// Runs before the tests of each file, in runs of `npm run test:times`: notes how much processor time the worker and
// everything that it started have used, before the file is loaded and after its last test.

import { afterAll, expect } from "vitest"
import { type FileNote, writeNote } from "./notes.ts"
import { timesOfTree } from "./processes.ts"

const file = expect.getState().testPath ?? ""

const note = (at: FileNote["at"]): void =>
  writeNote({ at, file, pid: process.pid, clock: Date.now(), ...timesOfTree(process.pid) })

note("begin")
afterAll(() => note("end"))
