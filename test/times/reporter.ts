// Notes the processor time of the test runner and of Postgres at the end of `npm run test:times`.

import type { Reporter } from "vitest/node"
import { writeNote } from "./notes.ts"
import { timesOfProgram, timesOfTree } from "./processes.ts"

export const createTimesReporter = (): Reporter => ({
  onTestRunEnd() {
    const { own } = timesOfTree(process.pid)
    writeNote({ at: "run", runner: own, postgres: timesOfProgram(process.pid, "postgres") })
  },
})
