// Part of runs of `npm run test:times`: notes at their end what the test runner itself and Postgres have used.

import type { Reporter } from "vitest/node"
import { writeNote } from "./notes.ts"
import { timesOfProgram, timesOfTree } from "./processes.ts"

export const createTimesReporter = (): Reporter => ({
  onTestRunEnd() {
    const { own } = timesOfTree(process.pid)
    writeNote({ at: "run", runner: own, postgres: timesOfProgram(process.pid, "postgres") })
  },
})
